import { Button, Tooltip } from '@blueprintjs/core'
import { ArchiveIcon, CameraIcon, LinkIcon, RefreshIcon, UploadIcon } from '@blueprintjs/icons'
import { bytes, counted } from '@garantia/shared/format'
import type { ReactElement } from 'react'
import { KeyCap } from '../../ui/keys/key-cap.tsx'
import { useKeyHint } from '../../ui/keys/key-hint.ts'
import { useIsTouch } from '../../ui/page/pointer.ts'
import type { FileCounts } from './grid/evidence-counts.ts'
import { PackageMeter } from './package/package-meter.tsx'

interface Props {
  counts: FileCounts
  package_bytes: number
  package_limit_bytes: number
  /** Null hides the button: no permission, or a closed order. */
  onUpload: (() => void) | null
  /** Null hides the button: no permission, or a closed order. */
  onGuestLinks: (() => void) | null
  /** Photographs what the brand still requires; null hides the button: nothing is missing, or no permission. */
  onPhotograph: (() => void) | null
  onConvertAll: (() => void) | null
  onDownloadZip: () => void
  isConvertingAll: boolean
  isZipping: boolean
}

/** At most one primary (red) button at a time: the next step. */
export function EvidenceToolbar(props: Props) {
  const { counts, onUpload, onGuestLinks, onConvertAll, onPhotograph } = props
  const isTouch = useIsTouch()
  const hint = useKeyHint()
  // The tooltip says the rest.
  const ariaKeys = (keys: string) => hint('', keys)['aria-keyshortcuts']
  // With a finger: the next step.
  const isCameraNext = isTouch && onPhotograph !== null
  const hasWork = counts.pending + counts.failed > 0
  const isReady = counts.total > 0 && counts.converted === counts.total
  return (
    <div className="evidence-toolbar">
      <dl className="evidence-counts">
        <Count label="Total" value={counts.total} />
        <Count label="Convertidos" value={counts.converted} />
        <Count label="Convertendo" value={counts.converting} />
        {counts.failed > 0 && <Count label="Com erro" value={counts.failed} isBad />}
      </dl>
      <PackageMeter used={props.package_bytes} limit={props.package_limit_bytes} />
      {/* Fixed to the bottom of the screen on phones. */}
      <div className="evidence-buttons">
        {isCameraNext && (
          <Button intent="primary" icon={<CameraIcon />} text={PHOTOGRAPH} onClick={onPhotograph} />
        )}
        {onUpload && (
          <Hint keys="u" text="Escolher, soltar ou colar arquivos">
            <Button
              intent={counts.total === 0 && !isCameraNext ? 'primary' : 'none'}
              icon={<UploadIcon />}
              text="Upload"
              aria-keyshortcuts={ariaKeys('u')}
              onClick={onUpload}
            />
          </Hint>
        )}
        {!isTouch && onPhotograph && (
          <Hint text={PHOTOGRAPH}>
            <Button icon={<CameraIcon />} aria-label={PHOTOGRAPH} onClick={onPhotograph} />
          </Hint>
        )}
        {onGuestLinks && (
          <Hint keys="l" text="Links para quem não tem conta enviar fotos">
            <Button
              icon={<LinkIcon />}
              aria-label="Links para fotos"
              aria-keyshortcuts={ariaKeys('l')}
              onClick={onGuestLinks}
            />
          </Hint>
        )}
        {onConvertAll && counts.converted < counts.total && (
          <Hint
            keys="c"
            text={hasWork ? 'Os pendentes e os que falharam' : 'Todos já estão sendo convertidos'}
          >
            <Button
              intent={hasWork && !isCameraNext ? 'primary' : 'none'}
              icon={<RefreshIcon />}
              text="Converter Todos"
              aria-keyshortcuts={ariaKeys('c')}
              disabled={!hasWork}
              loading={props.isConvertingAll}
              onClick={onConvertAll}
            />
          </Hint>
        )}
        {counts.converted > 0 && (
          <Hint keys="d" text={zipHint(counts, props.package_bytes)}>
            <Button
              intent={isReady && !isCameraNext ? 'primary' : 'none'}
              icon={<ArchiveIcon />}
              text={
                <>
                  <span className="words-whole">Baixar Evidências (ZIP)</span>
                  <span className="words-short" aria-hidden="true">
                    ZIP
                  </span>
                </>
              }
              aria-keyshortcuts={ariaKeys('d')}
              loading={props.isZipping}
              onClick={props.onDownloadZip}
            />
          </Hint>
        )}
      </div>
    </div>
  )
}

const PHOTOGRAPH = 'Fotografar o que falta'

const zipHint = ({ converted, total }: FileCounts, size: number) =>
  converted === total
    ? `${counted(converted, 'arquivo', 'arquivos')}, ${bytes(size)}`
    : `Só os ${converted} convertidos de ${total}`

const Count = ({ label, value, isBad }: { label: string; value: number; isBad?: boolean }) => (
  <div className={isBad ? 'is-bad' : undefined}>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
)

/**
 * Opens on hover only: a closing dialog returns focus to the button, and a tooltip opened by focus would stay
 * over the files.
 */
const Hint = ({ keys, text, children }: { keys?: string; text: string; children: ReactElement }) => (
  <Tooltip
    // A finger leaves its hover behind, and has no keys.
    disabled={useIsTouch()}
    content={
      <span className="hint">
        {text}
        {keys && <KeyCap keys={keys} />}
      </span>
    }
    hoverOpenDelay={300}
    openOnTargetFocus={false}
    placement="bottom"
  >
    {children}
  </Tooltip>
)
