import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { useEffect, useRef } from 'react'
import { type AttentionView, useAttentionKeys } from '../order/attention-keys.ts'
import type { ListState } from './list-state.ts'
import { matchesView, stateOf } from './orders-search.ts'

const focusFirstRow = () => document.querySelector<HTMLElement>('[role="grid"] tr[data-row]')?.focus()

/** 1 to 5 show the lists of «Para hoje»; the cursor then stands on the first order, ready for the next key. */
export function useViewKeys({ state, show }: ListState, listed: readonly ListedOrder[] | undefined) {
  const awaited = useRef<AttentionView>(undefined)
  useAttentionKeys((view) => {
    if (matchesView(state, view)) return focusFirstRow()
    awaited.current = view
    show(stateOf(view, state.limit))
  })
  useEffect(() => {
    if (!listed || !awaited.current) return
    if (matchesView(state, awaited.current)) focusFirstRow()
    awaited.current = undefined
  }, [listed, state])
}
