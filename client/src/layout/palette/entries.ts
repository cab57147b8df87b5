import { formatPlate } from '@garantia/shared/br/vehicle'
import type { OrderRow } from '@garantia/shared/orders/schema'
import type { Shortcut } from '../../ui/keys/shortcut-registry.ts'

/** What a line of the palette leads to. */
export type Entry =
  | { kind: 'order'; id: string; order: OrderRow }
  | { kind: 'deed'; id: string; words: string; keys: string | undefined; act: () => void }
export interface EntryGroup {
  heading: string
  entries: Entry[]
}

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const fits = (words: string, typed: string) => {
  const all = folded(words)
  return folded(typed)
    .split(/\s+/)
    .every((word) => all.includes(word))
}

/** «>» asks for deeds alone, anything else for orders too. */
export const readTyped = (typed: string) => {
  const isDeedsOnly = typed.trimStart().startsWith('>')
  return { isDeedsOnly, wanted: (isDeedsOnly ? typed.replace(/^\s*>/, '') : typed).trim() }
}

/** What the screen below offers: all that is registered there and holds now. */
export function deedGroups(shortcuts: readonly Shortcut[], focused: EventTarget | null, wanted: string) {
  const seen = new Set<string>()
  const deedsAt = (wherever: Shortcut['place']) =>
    shortcuts.flatMap((one): Entry[] => {
      const { words, place, layer, isOffered, keys } = one
      if (!isOffered || layer !== null || place !== wherever || seen.has(words)) return []
      if (!one.when(focused) || !fits(words, wanted)) return []
      seen.add(words)
      return [{ kind: 'deed', id: `deed-${words}`, words, keys: keys[0], act: one.act }]
    })
  const groups: EntryGroup[] = [
    { heading: 'Nesta linha', entries: deedsAt('table') },
    { heading: 'Nesta tela', entries: deedsAt('screen') },
    { heading: 'Em todo lugar', entries: deedsAt('everywhere') },
  ]
  return groups
}

export const orderEntries = (orders: readonly OrderRow[]) =>
  orders.map((order): Entry => ({ kind: 'order', id: `order-${order.id}`, order }))

/** What tells one order from another at a glance. */
export const factsOf = ({ customer_name, vehicle_plate, vehicle_model, brand }: OrderRow) =>
  [customer_name, vehicle_plate && formatPlate(vehicle_plate), vehicle_model ?? brand.display_name]
    .filter(Boolean)
    .join(' · ')
