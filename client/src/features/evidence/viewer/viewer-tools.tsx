import { Button } from '@blueprintjs/core'
import {
  AnnotationIcon,
  ComparisonIcon,
  DownloadIcon,
  ImageRotateRightIcon,
  ImportIcon,
  InfoSignIcon,
  RefreshIcon,
  TrashIcon,
  ZoomInIcon,
  ZoomOutIcon,
} from '@blueprintjs/icons'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { canConvert, canDelete } from '@garantia/shared/evidence/status'
import type { ReactElement, RefObject } from 'react'
import type { ZoomRef } from 'yet-another-react-lightbox'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import type { CardRights, FileAction } from '../files/card-actions.ts'
import { mayChangePhoto } from '../files/file-keys.ts'

interface Props {
  file: EvidenceFile
  rights: CardRights
  isBusy: boolean
  isComparing: boolean
  canCompare: boolean
  hasPanel: boolean
  zoom: number
  zoomRef: RefObject<ZoomRef | null>
  act: (action: FileAction, file: EvidenceFile) => void
  onCompare: () => void
  onPanel: () => void
}

/** Above the picture; on phones below it. */
export function ViewerTools({
  file,
  rights,
  isBusy,
  isComparing,
  canCompare,
  hasPanel,
  zoom,
  zoomRef,
  act,
  ...on
}: Props) {
  const action = (name: FileAction) => () => act(name, file)
  const isPhoto = file.file_type === 'image'
  return (
    <fieldset className="viewer-tools" aria-label="Ações do arquivo">
      {isPhoto && (
        <>
          <Tool
            icon={<ComparisonIcon />}
            label="Comparar original e convertido"
            keys="o"
            isPressed={isComparing}
            isDisabled={!canCompare}
            onClick={on.onCompare}
          />
          {mayChangePhoto(file, rights.mayChange) && (
            <Tool
              icon={<ImageRotateRightIcon />}
              label="Girar à direita"
              keys="r"
              onClick={action('turn-right')}
            />
          )}
          {mayChangePhoto(file, rights.mayChange) && (
            <Tool icon={<AnnotationIcon />} label="Marcar" keys="m" onClick={action('mark')} />
          )}
          <Tool
            className="only-wide"
            icon={<ZoomOutIcon />}
            label="Diminuir"
            keys="-"
            isDisabled={zoom <= 1}
            onClick={() => zoomRef.current?.zoomOut()}
          />
          <Tool
            className="only-wide"
            icon={<ZoomInIcon />}
            label="Ampliar"
            keys="+"
            isDisabled={isComparing}
            onClick={() => zoomRef.current?.zoomIn()}
          />
        </>
      )}
      {canConvert(file.status) && rights.mayConvert && (
        <Tool
          icon={<RefreshIcon />}
          label="Processar"
          keys="p"
          isDisabled={isBusy}
          onClick={action('convert')}
        />
      )}
      {file.status === 'converted' && (
        <Tool
          icon={<DownloadIcon />}
          label="Baixar convertido"
          keys="b"
          isDisabled={isBusy}
          onClick={action('download')}
        />
      )}
      <Tool
        className="only-wide"
        icon={<ImportIcon />}
        label="Baixar original"
        keys="shift+b"
        isDisabled={isBusy}
        onClick={action('original')}
      />
      {canDelete(file.status) && rights.mayDelete && (
        <Tool
          icon={<TrashIcon />}
          label={rights.deletionRefusal === null ? 'Excluir' : `Excluir: ${rights.deletionRefusal}`}
          keys="delete"
          isDisabled={isBusy || rights.deletionRefusal !== null}
          onClick={action('remove')}
        />
      )}
      <Tool icon={<InfoSignIcon />} label="Informações" keys="i" isPressed={hasPanel} onClick={on.onPanel} />
    </fieldset>
  )
}

interface ToolProps {
  className?: string
  icon: ReactElement
  label: string
  keys: string
  isPressed?: boolean
  isDisabled?: boolean
  onClick: () => void
}
function Tool({ className, icon, label, keys, isPressed, isDisabled, onClick }: ToolProps) {
  const hint = useKeyHint()
  return (
    <Button
      className={className}
      variant="minimal"
      icon={icon}
      aria-label={label}
      {...hint(label, keys)}
      active={isPressed}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={onClick}
    />
  )
}
