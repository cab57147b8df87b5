import { Button } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import { bytes, counted } from '@garantia/shared/format'
import { forgetSharedFiles, type SharedFile } from '../../../lib/shared-files.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { focusMainOnUnmount } from '../../../ui/overlay/focus-return.ts'
import { usePress } from '../../../ui/press.ts'
import { ChosenFile } from '../upload/chosen-file.tsx'

interface Props {
  files: readonly SharedFile[]
  onRemoved: () => Promise<unknown>
}

export function ReceivedFiles({ files, onRemoved }: Props) {
  const { press: remove } = usePress(async (id: number) => {
    try {
      await forgetSharedFiles([id])
    } catch {
      toast.error({ title: 'Erro ao remover', description: 'O arquivo continua guardado neste aparelho.' })
      return
    }
    await onRemoved()
  })
  const size = files.reduce((sum, { file }) => sum + file.size, 0)
  return (
    <section aria-labelledby="arquivos-recebidos">
      <div className="share-head">
        <h2 id="arquivos-recebidos">Arquivos recebidos</h2>
        <p className="muted numeric" role="status">
          {counted(files.length, 'arquivo', 'arquivos')} · {bytes(size)}
        </p>
      </div>
      <ul className="panel" aria-labelledby="arquivos-recebidos">
        {files.map(({ id, file }) => (
          <li key={id} ref={focusMainOnUnmount} className="upload-row">
            <ChosenFile file={file} />
            <Button
              variant="minimal"
              icon={<CrossIcon />}
              aria-label={`Remover ${file.name} da lista`}
              title="Remover da lista"
              onClick={() => remove(id)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
