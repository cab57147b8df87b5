import { Button } from '@blueprintjs/core'
import {
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
import type { CardRights, FileAction } from '../files/card-actions.ts'
import { mayRotate } from '../files/file-keys.ts'

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
            hint="O"
            isPressed={isComparing}
            isDisabled={!canCompare}
            onClick={on.onCompare}
          />
          {mayRotate(file, rights.mayChange) && (
            <Tool
              icon={<ImageRotateRightIcon />}
              label="Girar à direita"
              hint="R"
              onClick={action('turn-right')}
            />
          )}
          <Tool
            className="only-wide"
            icon={<ZoomOutIcon />}
            label="Diminuir"
            hint="−"
            isDisabled={zoom <= 1}
            onClick={() => zoomRef.current?.zoomOut()}
          />
          <Tool
            className="only-wide"
            icon={<ZoomInIcon />}
            label="Ampliar"
            hint="+"
            isDisabled={isComparing}
            onClick={() => zoomRef.current?.zoomIn()}
          />
        </>
      )}
      {canConvert(file.status) && rights.mayConvert && (
        <Tool
          icon={<RefreshIcon />}
          label="Processar"
          hint="P"
          isDisabled={isBusy}
          onClick={action('convert')}
        />
      )}
      {file.status === 'converted' && (
        <Tool
          icon={<DownloadIcon />}
          label="Baixar convertido"
          hint="B"
          isDisabled={isBusy}
          onClick={action('download')}
        />
      )}
      <Tool
        className="only-wide"
        icon={<ImportIcon />}
        label="Baixar original"
        hint="Shift+B"
        isDisabled={isBusy}
        onClick={action('original')}
      />
      {canDelete(file.status) && rights.mayDelete && (
        <Tool
          icon={<TrashIcon />}
          label="Excluir"
          hint="Del"
          isDisabled={isBusy}
          onClick={action('remove')}
        />
      )}
      <Tool icon={<InfoSignIcon />} label="Informações" hint="I" isPressed={hasPanel} onClick={on.onPanel} />
    </fieldset>
  )
}

interface ToolProps {
  className?: string
  icon: ReactElement
  label: string
  hint: string
  isPressed?: boolean
  isDisabled?: boolean
  onClick: () => void
}
const Tool = ({ className, icon, label, hint, isPressed, isDisabled, onClick }: ToolProps) => (
  <Button
    className={className}
    variant="minimal"
    icon={icon}
    aria-label={label}
    title={`${label} (${hint})`}
    active={isPressed}
    aria-pressed={isPressed}
    disabled={isDisabled}
    onClick={onClick}
  />
)
