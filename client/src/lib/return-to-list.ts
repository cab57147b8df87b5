import type { AnyRouter, ParsedLocation } from '@tanstack/react-router'

const LIST = '/lista-os'
let list: ParsedLocation | undefined

/** Remembers the list of orders as it was last left: its filters, and its place in the history. */
export const watchListLocation = (router: AnyRouter) =>
  router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation }) => {
    if (fromLocation?.pathname !== LIST) return
    list = fromLocation
    const [, id] = /^\/os\/(\d+)/.exec(toLocation.pathname) ?? []
    if (id !== undefined) rememberListOrigin(Number(id), fromLocation.search)
  })

/** The order that was reached from a list, and that list; this tab remembers them over a reload. */
const LIST_ORIGIN_KEY = 'list_walk'
const readListOrigin = (): { id: number; search: object } | null =>
  JSON.parse(sessionStorage.getItem(LIST_ORIGIN_KEY) ?? 'null')

export const rememberListOrigin = (id: number, search: object) =>
  sessionStorage.setItem(LIST_ORIGIN_KEY, JSON.stringify({ id, search }))

/** The list that led to this order; none where it was reached by another way. */
export function originListSearch(id: number) {
  const origin = readListOrigin()
  return origin?.id === id ? origin.search : undefined
}

const stepOf = ({ state }: Pick<ParsedLocation, 'state'>) => state.__TSR_index

/** True when one step back in the history is the list: going there also brings back where it was scrolled to. */
export const isListOneStepBack = (here: ParsedLocation) =>
  list !== undefined && stepOf(here) === stepOf(list) + 1

/** The list's address parameters as they were last seen. */
export const lastListSearch = () => list?.search
