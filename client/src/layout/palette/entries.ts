import type { OrderRow } from '@garantia/shared/orders/schema'
import { hasWords } from '../../lib/has-words.ts'
import type { Shortcut } from '../../ui/keys/shortcut-registry.ts'

/** A line of the palette: an order to open, an action to run, or a place of the manual to read. */
export type Entry =
  | { kind: 'order'; id: string; order: OrderRow }
  | { kind: 'action'; id: string; label: string; keys: string | undefined; act: () => void }
  | { kind: 'page'; id: string; name: string; anchor: string; label: string; within: string | undefined }
export interface EntryGroup {
  heading: string
  entries: Entry[]
}

/** «>» searches actions only, anything else orders too. */
export const parseQuery = (typed: string) => {
  const isActionsOnly = typed.trimStart().startsWith('>')
  return { isActionsOnly, wanted: (isActionsOnly ? typed.replace(/^\s*>/, '') : typed).trim() }
}

/** Actions of the current screen: all registered shortcuts that apply now. */
export function actionGroups(shortcuts: readonly Shortcut[], focused: EventTarget | null, wanted: string) {
  const seen = new Set<string>()
  const actionsAt = (wherever: Shortcut['scope']) =>
    shortcuts.flatMap((one): Entry[] => {
      const { label, scope, layer, isInPalette, keys } = one
      if (!isInPalette || layer !== null || scope !== wherever || seen.has(label)) return []
      if (!one.when(focused) || !hasWords(label, wanted)) return []
      seen.add(label)
      return [{ kind: 'action', id: `action-${label}`, label, keys: keys[0], act: one.act }]
    })
  const groups: EntryGroup[] = [
    { heading: 'Nesta linha', entries: actionsAt('table') },
    { heading: 'Nesta tela', entries: actionsAt('screen') },
    { heading: 'Em todo lugar', entries: actionsAt('everywhere') },
  ]
  return groups
}

export const orderEntries = (orders: readonly OrderRow[]) =>
  orders.map((order): Entry => ({ kind: 'order', id: `order-${order.id}`, order }))
