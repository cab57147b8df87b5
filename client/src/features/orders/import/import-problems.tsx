import { Button, HTMLTable } from '@blueprintjs/core'
import { DownloadIcon } from '@blueprintjs/icons'
import { integer } from '@garantia/shared/format'
import { FIELD_LABEL } from '@garantia/shared/orders/field-label'
import type { ImportReport } from '@garantia/shared/orders/import'
import { useMutation } from '@tanstack/react-query'
import { download as downloadFile } from '../../../lib/files.ts'
import { messageOf } from '../../../lib/messages.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { usePress } from '../../../ui/press.ts'

interface Props {
  /** Of the import. */
  id: number
  problems: ImportReport['problems']
}

/** What is wrong with which line, and all of it as a file. */
export function ImportProblems({ id, problems }: Props) {
  const saving = useMutation({
    mutationFn: () => downloadFile(`/service-orders/imports/${id}/report`, 'problemas.csv'),
    onError: (error) => toast.error({ title: 'Erro ao baixar o relatório', description: messageOf(error) }),
  })
  const { press, isBusy } = usePress(() => saving.mutateAsync())
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled, and nothing in it takes the focus */}
      <section className="import-problems" aria-label="Problemas" tabIndex={0}>
        <HTMLTable compact striped>
          <thead>
            <tr>
              <th scope="col">Linha</th>
              <th scope="col">OS</th>
              <th scope="col">Campo</th>
              <th scope="col">Valor</th>
              <th scope="col">Problema</th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ line, os_number, field, value, message }) => (
              <tr key={`${line} ${field}`}>
                <td className="numeric">{integer(line)}</td>
                <td>{os_number}</td>
                <td>{FIELD_LABEL[field]}</td>
                <td className="import-value">{value || '(vazio)'}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </HTMLTable>
      </section>
      <div className="import-actions">
        <Button
          icon={<DownloadIcon />}
          text="Baixar todos os problemas (CSV)"
          loading={isBusy}
          onClick={press}
        />
      </div>
    </>
  )
}
