import { counted } from '@garantia/shared/format'
import type { BulkResult } from '@garantia/shared/orders/bulk'
import { problemsIn } from '@garantia/shared/orders/problems'
import type { OrderRow, StatusChange } from '@garantia/shared/orders/schema'
import { useState } from 'react'
import { deletionMessage } from '../../../../lib/deletion-message.ts'
import { messageOf } from '../../../../lib/messages.ts'
import { trpc } from '../../../../lib/trpc.ts'
import { toast } from '../../../../ui/feedback/toaster.tsx'
import type { RowSelection } from '../../../../ui/table/row-selection.ts'
import type { Outcome } from './outcome-dialog.tsx'

const many = (result: BulkResult) => counted(result.done.length, 'ordem de serviço', 'ordens de serviço')
const idsOf = (orders: readonly { id: number }[]) => orders.map(({ id }) => id)

/** Bulk actions. The server decides on each order separately; refused orders stay selected. */
export function useBulkActions(selection: RowSelection<OrderRow>) {
  const utils = trpc.useUtils()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const reportResult = (
    participle: Outcome['participle'],
    title: string,
    result: BulkResult,
    retry?: Outcome['retry'],
  ) => {
    void utils.orderList.invalidate()
    void utils.orders.one.invalidate()
    selection.drop(idsOf(result.done))
    if (result.refused.length === 0) toast.success({ title, description: many(result) })
    else setOutcome({ participle, result, retry })
  }
  const failed = (title: string) => (error: unknown) =>
    toast.error({ title, description: messageOf(error, 'Erro desconhecido') })

  const status = trpc.orderList.setStatus.useMutation({
    onSuccess: (result, sent) => {
      const warned = result.refused.filter(({ detail }) => problemsIn(detail))
      reportResult(
        ['alterada', 'alteradas'],
        'Status atualizado com sucesso',
        result,
        warned.length === 0
          ? undefined
          : {
              text: 'Concluir assim mesmo',
              run: () => status.mutate({ ...sent, ids: idsOf(warned), accepts_problems: true }),
            },
      )
    },
    onError: failed('Erro ao atualizar status'),
  })
  const resumption = trpc.orderList.resume.useMutation({
    onSuccess: (result) => reportResult(['retomada', 'retomadas'], 'Status atualizado com sucesso', result),
    onError: failed('Erro ao atualizar status'),
  })
  const conversion = trpc.conversion.convertMany.useMutation({
    onSuccess: (result) =>
      reportResult(
        ['enviada para conversão', 'enviadas para conversão'],
        'Conversão em lote iniciada',
        result,
      ),
    onError: failed('Erro ao iniciar conversão'),
  })
  const removal = trpc.orderList.remove.useMutation({
    onSuccess: (result) => reportResult(['excluída', 'excluídas'], deletionMessage('OS'), result),
    onError: failed('Erro ao excluir OS'),
  })
  return {
    outcome,
    clearOutcome: () => setOutcome(null),
    isBusy: status.isPending || resumption.isPending || conversion.isPending || removal.isPending,
    setStatus: (
      orders: readonly OrderRow[],
      change: Pick<StatusChange, 'status' | 'reason'>,
      then: () => void,
    ) => status.mutate({ ...change, ids: idsOf(orders) }, { onSuccess: then }),
    resume: (orders: readonly OrderRow[], then: () => void) =>
      resumption.mutate({ ids: idsOf(orders) }, { onSuccess: then }),
    convert: (orders: readonly OrderRow[]) => conversion.mutate({ ids: idsOf(orders) }),
    remove: (orders: readonly OrderRow[], then: () => void) =>
      removal.mutate({ ids: idsOf(orders) }, { onSuccess: then }),
  }
}
