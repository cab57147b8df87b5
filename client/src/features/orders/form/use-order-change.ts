import type { OrderView } from '@garantia/shared/orders/schema'
import type { OrderStatus } from '@garantia/shared/orders/status'
import { useState } from 'react'
import { changedFields, markRefused } from '../../../lib/forms.ts'
import { useSavedOrder } from '../../../lib/live-order.ts'
import { detailOf, statusOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { authorsOf, type Clash, clashesOf } from './conflict.ts'
import type { FieldName } from './order-field.tsx'
import { FIELD_NAMES, fieldsOf, type OrderEntry } from './order-form-schema.ts'
import type { OrderFormState } from './use-order-form.ts'

export interface Conflict {
  /** The server's sentence naming who saved first. */
  notice: string
  now: OrderView
  clashes: Clash[]
  authors: ReturnType<typeof authorsOf>
}
interface Options {
  focusFirst: (names: readonly FieldName[]) => void
  /** Null when there was nothing to save. */
  onSaved: (order: OrderView | null) => unknown
  /** A status to save in the same request as the fields: both or neither. */
  nextStatus?: () => OrderStatus | undefined
}

/** Sends only changed fields, with the version they are based on; on a conflict the user is asked (D-49). */
export function useOrderChange(
  id: number,
  state: OrderFormState,
  { focusFirst, onSaved, nextStatus }: Options,
) {
  const { form, base } = state
  const utils = trpc.useUtils()
  const showSaved = useSavedOrder()
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [replaced, setReplaced] = useState<Clash[]>([])
  const { mutateAsync } = trpc.orders.change.useMutation()

  const refused = (error: unknown) => {
    focusFirst(markRefused(form.setError, error, FIELD_NAMES, () => undefined))
    reportFailedSave('Erro ao atualizar OS', error, 'Erro desconhecido')
  }
  async function save(entry: OrderEntry, from: typeof base) {
    const change = changedFields(from.fields, form.getValues(), entry)
    if (Object.keys(change).length === 0) return onSaved(null)
    try {
      const status = nextStatus?.()
      const order = await mutateAsync({ id, version: from.version, change: { ...change, status } })
      state.markSaved()
      await showSaved(order)
      toast.success({ title: 'OS atualizada com sucesso!' })
      if (status) toast.success({ title: 'Status atualizado com sucesso' })
      await onSaved(order)
    } catch (error) {
      if (statusOf(error) === 409 && (await handleConflict(error, entry, from))) return
      refused(error)
      throw error
    }
  }
  /** Returns true when the error was an edit conflict and has been handled. */
  async function handleConflict(error: unknown, entry: OrderEntry, from: typeof base): Promise<boolean> {
    const read = await Promise.all([
      utils.orders.one.fetch({ id }, { staleTime: 0 }),
      utils.orders.history.fetch({ id, limit: 50 }, { staleTime: 0 }),
    ]).catch(() => null)
    if (!read) return false
    const [now, history] = read
    if (now.version === from.version) return false
    const clashes = clashesOf(from.fields, form.getValues(), fieldsOf(now))
    // No visible field changed: retry once on the newer version.
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

  /** Keeps this user's values and saves at once. */
  const keepMine = async ({ now }: Conflict) => {
    const fresh = state.rebase(now)
    try {
      await form.handleSubmit((entry) => save(entry, fresh))()
    } finally {
      setConflict((shown) => (shown?.now === now ? null : shown))
    }
  }
  /** Takes the other user's values; the replaced input can be restored. */
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
    conflict,
    keepMine,
    takeTheirs,
    closeConflict: () => setConflict(null),
    replaced,
    restoreReplaced,
  }
}
export type OrderChangeState = ReturnType<typeof useOrderChange>
