import type { OrderView } from '@garantia/shared/orders/schema'
import type { OrderStatus } from '@garantia/shared/orders/status'
import { useRef, useState } from 'react'
import { changedFields, markRefused } from '../../../lib/forms.ts'
import { detailOf, messageOf, statusOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { authorsOf, type Clash, clashesOf } from './conflict.ts'
import type { FieldName } from './order-field.tsx'
import { FIELD_NAMES, fieldsOf, type OrderEntry } from './order-form-schema.ts'
import type { OrderFormState } from './use-order-form.ts'

export interface Conflict {
  /** Who was first, in the server's words. */
  notice: string
  now: OrderView
  clashes: Clash[]
  authors: ReturnType<typeof authorsOf>
}
interface Options {
  focusFirst: (names: readonly FieldName[]) => void
  /** Null when there was nothing to save. */
  onSaved: (order: OrderView | null) => void
  /** A status that goes along with the fields: both are saved, or neither. */
  nextStatus?: () => OrderStatus | undefined
}

/** Sends only what was changed, with the version it was read at; a second editor is told and asked (D-49). */
export function useOrderChange(
  id: number,
  state: OrderFormState,
  { focusFirst, onSaved, nextStatus }: Options,
) {
  const { form, base } = state
  const utils = trpc.useUtils()
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [replaced, setReplaced] = useState<Clash[]>([])
  const { mutateAsync, isPending, isSuccess } = trpc.orders.change.useMutation()
  // A second press comes before the screen knows of the first, and would be a conflict with oneself.
  const isSent = useRef(false)

  const refused = (error: unknown) => {
    focusFirst(markRefused(form.setError, error, FIELD_NAMES, () => undefined))
    toast.error({ title: 'Erro ao atualizar OS', description: messageOf(error, 'Erro desconhecido') })
  }
  async function save(entry: OrderEntry, from: typeof base) {
    const change = changedFields(from.fields, form.getValues(), entry)
    if (isSent.current) return
    if (Object.keys(change).length === 0) return onSaved(null)
    isSent.current = true
    try {
      const status = nextStatus?.()
      const order = await mutateAsync({ id, version: from.version, change: { ...change, status } })
      state.markSaved()
      utils.orders.one.setData({ id }, order)
      void utils.orders.history.invalidate({ id })
      void utils.orderList.invalidate()
      toast.success({ title: 'OS atualizada com sucesso!' })
      if (status) toast.success({ title: 'Status atualizado com sucesso' })
      onSaved(order)
    } catch (error) {
      isSent.current = false
      if (statusOf(error) !== 409 || !(await handleConflict(error, entry, from))) refused(error)
    }
  }
  /** True when the refusal was about somebody else's change, and has been dealt with. */
  async function handleConflict(error: unknown, entry: OrderEntry, from: typeof base): Promise<boolean> {
    const read = await Promise.all([
      utils.orders.one.fetch({ id }, { staleTime: 0 }),
      utils.orders.history.fetch({ id, limit: 50 }, { staleTime: 0 }),
    ]).catch(() => null)
    if (!read) return false
    const [now, history] = read
    if (now.version === from.version) return false
    const clashes = clashesOf(from.fields, form.getValues(), fieldsOf(now))
    // Nothing a person could see has changed: the second try is the first one on a newer version.
    if (clashes.length === 0) {
      await save(entry, state.rebase(now))
      return true
    }
    const detail = detailOf(error)
    setConflict({
      notice: typeof detail === 'string' ? detail : 'Esta OS foi alterada por outra pessoa.',
      now,
      clashes,
      authors: authorsOf(history.events),
    })
    return true
  }

  const submit = (onWrong: (names: FieldName[]) => void) =>
    form.handleSubmit(
      (entry) => save(entry, base),
      (wrong) => onWrong(Object.keys(wrong) as FieldName[]),
    )()

  /** Mine over theirs, saved at once. */
  const keepMine = ({ now }: Conflict) => {
    const fresh = state.rebase(now)
    setConflict(null)
    return form.handleSubmit((entry) => save(entry, fresh))()
  }
  /** Theirs over mine; what gave way can be brought back. */
  const takeTheirs = ({ now, clashes }: Conflict) => {
    const lost = clashes.filter(({ mine }) => mine !== null)
    for (const { name } of lost) form.resetField(name)
    state.rebase(now)
    setReplaced(lost)
    setConflict(null)
  }
  const restoreReplaced = () => {
    state.type(Object.fromEntries(replaced.map(({ name, mine }) => [name, mine ?? ''])))
    setReplaced([])
  }
  return {
    submit,
    isBusy: isPending || isSuccess,
    conflict,
    keepMine,
    takeTheirs,
    closeConflict: () => setConflict(null),
    replaced,
    restoreReplaced,
  }
}
export type OrderChangeState = ReturnType<typeof useOrderChange>
