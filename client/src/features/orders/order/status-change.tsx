import { problemsIn } from '@garantia/shared/orders/problems'
import type { TransitionView } from '@garantia/shared/orders/schema'
import { isClosed } from '@garantia/shared/orders/status'
import { useRef, useState } from 'react'
import { useSavedOrder } from '../../../lib/live-order.ts'
import { detailOf, messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { usePress } from '../../../ui/press.ts'
import { ProblemsDialog, ReasonDialog } from './status-dialogs.tsx'
import type { TransitionOrder } from './status-move.ts'

interface TransitionRequest {
  order: TransitionOrder
  to: TransitionView
  reason?: string | null
}

/**
 * Changes the status of an order: asks for a reason where one applies, also before an order with problems is
 * completed (D-10). Render `element`; `start` begins a transition.
 */
export function useStatusChange() {
  const utils = trpc.useUtils()
  const showSaved = useSavedOrder()
  const [asked, setAsked] = useState<TransitionRequest | null>(null)
  const [awaitingConfirmation, setAwaitingConfirmation] = useState<
    (TransitionRequest & { problems: string[] }) | null
  >(null)
  const last = useRef<TransitionRequest>(undefined)

  const { mutateAsync, isPending } = trpc.orders.setStatus.useMutation({
    // Optimistic update, except where the server may require confirmation first.
    onMutate: async ({ id, status }) => {
      if (isClosed(status)) return undefined
      await utils.orders.one.cancel({ id })
      const before = utils.orders.one.getData({ id })
      if (before) utils.orders.one.setData({ id }, { ...before, status })
      return before
    },
    onSuccess: async (order) => {
      await showSaved(order)
      toast.success({ title: 'Status atualizado com sucesso' })
      setAsked(null)
      setAwaitingConfirmation(null)
    },
    onError: (error, { id }, before) => {
      if (before) utils.orders.one.setData({ id }, before)
      const problems = problemsIn(detailOf(error))
      if (problems && last.current) {
        toast.warning({ title: 'Problemas na validação', description: problems.join('\n') })
        setAsked(null)
        return setAwaitingConfirmation({ ...last.current, problems })
      }
      if (last.current) void utils.orders.one.invalidate({ id: last.current.order.id })
      const whose = last.current ? `OS ${last.current.order.os_number}: ` : ''
      toast.error({
        title: 'Erro ao atualizar status',
        description: whose + messageOf(error, 'Erro desconhecido'),
      })
    },
  })
  const send = (move: TransitionRequest, accepts_problems?: boolean) => {
    last.current = move
    return mutateAsync({ id: move.order.id, status: move.to.status, reason: move.reason, accepts_problems })
  }
  const { press: start } = usePress((order: TransitionOrder, to: TransitionView) =>
    to.asks_reason ? setAsked({ order, to }) : send({ order, to }),
  )
  const element = (
    <>
      <ReasonDialog
        move={asked}
        isBusy={isPending}
        onConfirm={async (reason) => asked && send({ ...asked, reason })}
        onCancel={() => setAsked(null)}
      />
      <ProblemsDialog
        move={awaitingConfirmation}
        problems={awaitingConfirmation?.problems ?? []}
        isBusy={isPending}
        onConfirm={async (reason) => awaitingConfirmation && send({ ...awaitingConfirmation, reason }, true)}
        onCancel={() => setAwaitingConfirmation(null)}
      />
    </>
  )
  return { start, isPending, element }
}
