import type { EXPORT_FORMATS } from '@garantia/shared/orders/bulk'
import { useMutation } from '@tanstack/react-query'
import { download } from '../../../lib/files.ts'
import { messageOf } from '../../../lib/messages.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { usePress } from '../../../ui/press.ts'

type Format = (typeof EXPORT_FORMATS)[number]
export const EXPORTS = [
  { format: 'xlsx', text: 'Planilha (XLSX)' },
  { format: 'csv', text: 'Texto (CSV)' },
] as const satisfies readonly { format: Format; text: string }[]

/** Export of selected rows, or of all that match a filter, in the list's order. */
type Wanted = { format: Format; ids?: readonly number[] } & Record<string, unknown>

export function exportQuery(wanted: Wanted) {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(wanted))
    if (value !== undefined && value !== '') query.set(name, String(value))
  return query.toString()
}

interface Exported {
  /** Of the REST API. */
  path: string
  /** Of the file, should the server give none. */
  name: string
  what: string
}
const ORDERS: Exported = {
  path: '/service-orders/export',
  name: 'ordens-de-servico',
  what: 'as ordens de serviço',
}

export function useExport({ path, name, what } = ORDERS) {
  const { mutateAsync } = useMutation({
    mutationFn: (wanted: Wanted) => download(`${path}?${exportQuery(wanted)}`, `${name}.${wanted.format}`),
    onSuccess: () => toast.success({ title: 'Download concluído' }),
    onError: (error) =>
      toast.error({
        title: 'Erro ao exportar',
        description: messageOf(error, `Não foi possível exportar ${what}`),
      }),
  })
  return usePress((wanted: Wanted) => mutateAsync(wanted))
}
