import { useNavigate } from '@tanstack/react-router'
import { markRefused } from '../../../lib/forms.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import type { FieldName } from './order-field.tsx'
import { FIELD_NAMES } from './order-form-schema.ts'
import type { OrderFormState } from './use-order-form.ts'

/** Creates the order and opens its page; server errors are set on their fields (NEW-3 to NEW-5). */
export function useNewOrder(
  { form, markSaved }: OrderFormState,
  focusFirst: (names: readonly FieldName[]) => void,
  onDone?: () => void,
) {
  const navigate = useNavigate()
  const utils = trpc.useUtils()
  const open = trpc.orders.open.useMutation({
    onSuccess: async (order) => {
      markSaved()
      utils.orders.one.setData({ id: order.id }, order)
      void utils.orderList.invalidate()
      toast.success({
        title: 'OS criada com sucesso!',
        description: `Ordem de Serviço ${order.os_number} foi criada.`,
      })
      onDone?.()
      await navigate({ to: '/os/$id', params: { id: order.id }, ignoreBlocker: true })
    },
    onError: (error) => {
      // The only conflict of a new order is its number.
      focusFirst(markRefused(form.setError, error, FIELD_NAMES, () => 'os_number'))
      toast.error({ title: 'Erro ao criar OS', description: messageOf(error, 'Erro desconhecido') })
    },
  })
  const submit = (onWrong: (names: FieldName[]) => void) =>
    form.handleSubmit(
      (order) => open.mutateAsync(order),
      (wrong) => onWrong(Object.keys(wrong) as FieldName[]),
    )()
  return { submit, isDone: open.isSuccess }
}
