import type { OrderView } from '@garantia/shared/orders/schema'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { keepFiles, leaveDraft, uploadOf, useDraftKeys } from '../../../lib/drafts.ts'
import { markRefused } from '../../../lib/forms.ts'
import { statusOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import type { FieldName } from './order-field.tsx'
import { FIELD_NAMES, type OrderEntry, type OrderFields } from './order-form-schema.ts'
import { withCategories } from './photo-reading.ts'
import { baseOf, type Draft, nameOf, type OrderFormState } from './use-order-form.ts'

/** What was sent and has no answer yet, so that it is not known whether it was done. */
interface Sent {
  idempotency_key: string
  order: OrderEntry
  fields: OrderFields
}

/**
 * Creates the order and opens its page; server errors are set on their fields (NEW-3 to NEW-5). When no answer comes,
 * the next attempt sends the same again, and what was typed since waits on the order's edit page to be saved.
 */
export function useNewOrder(
  { form, files, markSaved }: OrderFormState,
  focusFirst: (names: readonly FieldName[]) => void,
  onDone?: () => void,
) {
  const navigate = useNavigate()
  const utils = trpc.useUtils()
  const sent = useRef<Sent | null>(null)
  const keyOf = useDraftKeys()
  const created = async (order: OrderView) => {
    const isKept =
      sent.current !== null &&
      keepLateTyping(keyOf(nameOf(order)), order, sent.current.fields, form.getValues())
    sent.current = null
    keepFiles(keyOf(uploadOf(order.id)), withCategories(files))
    markSaved()
    utils.orders.one.setData({ id: order.id }, order as never)
    void utils.orderList.invalidate()
    const title = 'OS criada com sucesso!'
    const description = `Ordem de Serviço ${order.os_number} foi criada.`
    if (isKept) toast.warning({ title, description: `${description} ${LATE}` })
    else toast.success({ title, description })
    onDone?.()
    await navigate({
      to: isKept ? '/os/$id/edit' : '/os/$id',
      params: { id: order.id },
      ignoreBlocker: true,
    })
  }
  const open = trpc.orders.open.useMutation({
    onSuccess: created,
    onError: (error) => {
      if (isAnswered(error)) sent.current = null
      // The only conflict of a new order is its number.
      focusFirst(markRefused(form.setError, error, FIELD_NAMES, () => 'os_number'))
      reportFailedSave('Erro ao criar OS', error, 'Erro desconhecido')
    },
  })
  const send = ({ idempotency_key, order }: Sent) => open.mutateAsync({ ...order, idempotency_key })
  const submit = (onWrong: (names: FieldName[]) => void) => {
    if (sent.current) return send(sent.current)
    return form.handleSubmit(
      (order) => {
        sent.current = { idempotency_key: newUuid(), order, fields: { ...form.getValues() } }
        return send(sent.current)
      },
      (wrong) => onWrong(Object.keys(wrong) as FieldName[]),
    )()
  }
  return { submit, isDone: open.isSuccess }
}

const LATE = 'O que você digitou depois de enviar ainda não foi salvo: confira e salve.'
/** A proxy's answer does not say what the server has done. */
const UNKNOWN = [502, 503, 504]
const isAnswered = (error: unknown) => {
  const status = statusOf(error)
  return status !== undefined && !UNKNOWN.includes(status)
}

/**
 * Leaves what was typed in the form of a new order after it was sent as a draft of that order's form; false when nothing
 * was.
 */
function keepLateTyping(key: string, order: OrderView, sent: OrderFields, now: OrderFields) {
  const late = FIELD_NAMES.filter((name) => now[name] !== sent[name])
  if (late.length === 0) return false
  const base = baseOf(order)
  const typed = { ...base.fields, ...Object.fromEntries(late.map((name) => [name, now[name]])) }
  leaveDraft(key, { base, typed } satisfies Draft)
  return true
}
