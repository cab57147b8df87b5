import { counted } from '@garantia/shared/format'
import type { BulkResult } from '@garantia/shared/orders/bulk'
import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { problemsIn } from '@garantia/shared/orders/problems'
import type { StatusChange } from '@garantia/shared/orders/schema'
import { useState } from 'react'
import { deletionMessage } from '../../../../lib/deletion-message.ts'
import { messageOf } from '../../../../lib/messages.ts'
import { trpc } from '../../../../lib/trpc.ts'
import { toast } from '../../../../ui/feedback/toaster.tsx'
import type { RowSelection } from '../../../../ui/table/row-selection.ts'
import type { Outcome } from './outcome-dialog.tsx'

const many = (result: BulkResult) => counted(result.done.length, 'ordem de serviço', 'ordens de serviço')
type Identified = Pick<ListedOrder, 'id'>
const idsOf = (orders: readonly Identified[]) => orders.map(({ id }) => id)

/** Bulk actions. The server decides on each order separately; refused orders stay selected. */
export function useBulkActions(selection: RowSelection<ListedOrder>) {
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
    setOutcome(result.refused.length === 0 ? null : { participle, result, retry })
    if (result.refused.length === 0) toast.success({ title, description: many(result) })
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
              given: sent.reason,
              run: (reason) =>
                status.mutateAsync({ ...sent, ids: idsOf(warned), reason, accepts_problems: true }),
            },
      )
    },
    onError: failed('Erro ao atualizar status'),
  })
  const resumption = trpc.orderList.resume.useMutation({
    onSuccess: (result) => reportResult(['retomada', 'retomadas'], 'Status atualizado com sucesso', result),
    onError: failed('Erro ao atualizar status'),
  })
  const assignment = trpc.orderList.assign.useMutation({
    onSuccess: (result) =>
      reportResult(['atribuída', 'atribuídas'], 'Responsável atualizado com sucesso', result),
    onError: failed('Erro ao mudar responsável'),
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
    isBusy: [status, resumption, assignment, conversion, removal].some(({ isPending }) => isPending),
    setStatus: (
      orders: readonly Identified[],
      change: Pick<StatusChange, 'status' | 'reason'>,
      then: () => void,
    ) => status.mutateAsync({ ...change, ids: idsOf(orders) }, { onSuccess: then }),
    resume: (orders: readonly Identified[], then: () => void) =>
      resumption.mutateAsync({ ids: idsOf(orders) }, { onSuccess: then }),
    assign: (orders: readonly Identified[], responsible_user_id: number | null, then: () => void) =>
      assignment.mutateAsync({ ids: idsOf(orders), responsible_user_id }, { onSuccess: then }),
    convert: (orders: readonly Identified[]) => conversion.mutateAsync({ ids: idsOf(orders) }),
    remove: (orders: readonly Identified[], then: () => void) =>
      removal.mutateAsync({ ids: idsOf(orders) }, { onSuccess: then }),
  }
}
