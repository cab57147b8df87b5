import type { OrderView } from '@garantia/shared/orders/schema'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { useDraft, useDraftKey } from '../../../lib/drafts.ts'
import { FIELD_NAMES, fieldsOf, type OrderEntry, type OrderFields } from './order-form-schema.ts'

/** The order as the person saw it when they began to type. */
interface Base {
  version: number
  fields: OrderFields
}
interface Draft {
  base: Base
  typed: OrderFields
}
const baseOf = (order?: OrderView): Base => ({ version: order?.version ?? 0, fields: fieldsOf(order) })

/**
 * The one form of an order, whatever shell shows it: validates on blur, then on every change (GEN-11), and
 * keeps what is typed through a reload or an ended session. An order read again does not disturb it; saving
 * over somebody else's change is the server's to refuse.
 */
export function useOrderForm(
  schema: z.ZodType<OrderEntry, OrderFields>,
  order?: OrderView,
  isLocked = false,
) {
  const key = useDraftKey(order ? `os-${order.id}` : 'nova-os')
  const [base, setBase] = useState(() => baseOf(order))
  const form = useForm<OrderFields, unknown, OrderEntry>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    // The wrong field may sit in a tab that is not shown; the shell leads there.
    shouldFocusError: false,
    defaultValues: base.fields,
  })
  const { isDirty } = form.formState
  const draft = useDraft<Draft>(key, isDirty, () => ({ base, typed: form.getValues() }))
  // Who may only read the order sees it as it is.
  const found = isLocked ? null : draft.found

  const type = (typed: Partial<OrderFields>) => {
    for (const name of FIELD_NAMES) {
      const text = typed[name]
      if (text !== undefined && text !== form.getValues(name))
        form.setValue(name, text, { shouldDirty: true })
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was found is put back once
  useEffect(() => {
    if (!found) return
    const { base: seen, typed } = found
    form.reset(seen.fields)
    setBase(seen)
    type(typed)
  }, [])

  /** The order has moved on: what was typed stays on top of it. */
  const rebase = (now: OrderView) => {
    const fresh = baseOf(now)
    form.reset(fresh.fields, { keepDirtyValues: true })
    setBase(fresh)
    return fresh
  }
  // Read again before anything was typed: there is nothing to keep apart.
  const isBehind = order !== undefined && order.version !== base.version
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a newer order sets this off
  useEffect(() => {
    if (isBehind && !isDirty && !found) rebase(order)
  }, [isBehind])

  const discardDraft = (now: OrderView | undefined = order) => {
    const fresh = baseOf(now)
    form.reset(fresh.fields)
    setBase(fresh)
    draft.discard()
  }
  const { handOver, markSaved } = draft
  return { form, base, type, rebase, isRecovered: found !== null, discardDraft, handOver, markSaved }
}
export type OrderFormState = ReturnType<typeof useOrderForm>
