import { Button } from '@blueprintjs/core'
import { DownloadIcon, ImportIcon, RefreshIcon, TagIcon, TrashIcon } from '@blueprintjs/icons'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { canConvert, canDelete } from '@garantia/shared/evidence/status'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import type { CardRights, FileAction } from '../files/card-actions.ts'

interface Props extends CardRights {
  file: EvidenceFile
  isBusy: boolean
  act: (action: FileAction, file: EvidenceFile) => void
}

/** Converted: both downloads and delete (EVI-12). Pending or failed: Processar and delete (EVI-13). */
export function EvidenceButtons({
  file,
  mayConvert,
  mayDelete,
  deletionRefusal,
  mayChange,
  isBusy,
  act,
}: Props) {
  const { status, original_filename: name } = file
  const hint = useKeyHint()
  return (
    <div className="evidence-actions">
      {status === 'converted' && (
        <>
          <Button
            icon={<DownloadIcon />}
            text="Baixar"
            aria-label={`Baixar ${name} convertido`}
            {...hint('Baixar convertido', 'b')}
            disabled={isBusy}
            onClick={() => act('download', file)}
          />
          <Button
            variant="minimal"
            icon={<ImportIcon />}
            text="Original"
            aria-label={`Baixar o original de ${name}`}
            {...hint('Baixar original', 'shift+b')}
            disabled={isBusy}
            onClick={() => act('original', file)}
          />
        </>
      )}
      {canConvert(status) && mayConvert && (
        <Button
          icon={<RefreshIcon />}
          text="Processar"
          aria-label={`Processar ${name}`}
          {...hint('Processar', 'p')}
          loading={isBusy}
          onClick={() => act('convert', file)}
        />
      )}
      {mayChange && (
        <Button
          className="evidence-describe"
          variant="minimal"
          icon={<TagIcon />}
          aria-label={`Categoria e descrição de ${name}`}
          {...hint('Categoria e descrição', 'e')}
          disabled={isBusy}
          onClick={() => act('describe', file)}
        />
      )}
      {canDelete(status) && mayDelete && (
        <Button
          className="evidence-delete"
          variant="minimal"
          icon={<TrashIcon />}
          aria-label={deletionRefusal === null ? `Excluir ${name}` : `Excluir ${name}: ${deletionRefusal}`}
          {...(deletionRefusal === null ? hint('Excluir', 'delete') : { title: deletionRefusal })}
          disabled={isBusy || deletionRefusal !== null}
          onClick={() => act('remove', file)}
        />
      )}
    </div>
  )
}
