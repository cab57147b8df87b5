import type { OrderView } from '@garantia/shared/orders/schema'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { useDraft, useDraftKey } from '../../../lib/drafts.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { FIELD_NAMES, fieldsOf, type OrderEntry, type OrderFields } from './order-form-schema.ts'

/** The order as it was when the user started typing. */
interface Base {
  version: number
  fields: OrderFields
}
export interface Draft {
  base: Base
  typed: OrderFields
}
/** Names the draft of an order. */
export const nameOf = (order?: Pick<OrderView, 'id'>) => (order ? `os-${order.id}` : 'nova-os')
export const baseOf = (order?: OrderView): Base => ({ version: order?.version ?? 0, fields: fieldsOf(order) })

/**
 * State of the order form, shared by page and dialog: validates on blur, then on every change (GEN-11), and
 * keeps typed input across a reload or an expired session. A refetch of the order does not disturb it; the
 * server refuses to overwrite another user's change.
 */
export function useOrderForm(
  schema: z.ZodType<OrderEntry, OrderFields>,
  order?: OrderView,
  isLocked = false,
) {
  const key = useDraftKey(nameOf(order))
  const [base, setBase] = useState(() => baseOf(order))
  const form = useForm<OrderFields, unknown, OrderEntry>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    // The invalid field may be in a hidden tab; the surrounding component focuses it.
    shouldFocusError: false,
    defaultValues: base.fields,
  })
  const { isDirty } = form.formState
  const draft = useDraft<Draft>(key, isDirty, () => ({ base, typed: form.getValues() }))
  // A read-only order is shown without the draft.
  const found = isLocked ? null : draft.found

  const type = (typed: Partial<OrderFields>) => {
    for (const name of FIELD_NAMES) {
      const text = typed[name]
      if (text !== undefined && text !== form.getValues(name))
        form.setValue(name, text, { shouldDirty: true })
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft is restored once
  useEffect(() => {
    if (!found) return
    const { base: seen, typed } = found
    form.reset(seen.fields)
    setBase(seen)
    type(typed)
  }, [])

  /** Moves to a newer version of the order and keeps the typed values. */
  const rebase = (now: OrderView) => {
    const fresh = baseOf(now)
    form.reset(fresh.fields, { keepDirtyValues: true })
    setBase(fresh)
    return fresh
  }
  // Refetched before anything was typed: take over the new version.
  const isBehind = order !== undefined && order.version !== base.version
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a newer order triggers this
  useEffect(() => {
    if (isBehind && !isDirty && !found) rebase(order)
  }, [isBehind])

  const discardDraft = (now: OrderView | undefined = order) => {
    const fresh = baseOf(now)
    form.reset(fresh.fields)
    setBase(fresh)
    draft.discard()
  }
  const { handOver, markSaved, files, setFiles } = draft
  const hasChanges = isDirty || files.length > 0
  const isRecovered = found !== null
  return {
    ...{ form, base, type, rebase, hasChanges, isRecovered, discardDraft, handOver, markSaved },
    /** Chosen for an order that does not exist yet. */
    ...{ files, setFiles },
  }
}
export type OrderFormState = ReturnType<typeof useOrderForm>
