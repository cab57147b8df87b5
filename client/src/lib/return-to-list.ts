import type { AnyRouter, ParsedLocation } from '@tanstack/react-router'

const LIST = '/lista-os'
let list: ParsedLocation | undefined

/** Remembers the order list as it was last left: its filters and its position in the browser history. */
export const watchListLocation = (router: AnyRouter) =>
  router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation }) => {
    if (fromLocation?.pathname !== LIST) return
    list = fromLocation
    const [, id] = /^\/os\/(\d+)/.exec(toLocation.pathname) ?? []
    if (id !== undefined) rememberListOrigin(Number(id), fromLocation.search)
  })

/**
 * Key of the last order opened from a list, and that list's filters; sessionStorage, so they survive a
 * reload.
 */
const LIST_ORIGIN_KEY = 'list_walk'
const readListOrigin = (): { id: number; search: object } | null =>
  JSON.parse(sessionStorage.getItem(LIST_ORIGIN_KEY) ?? 'null')

/** Stores the search parameters of the list from which an order is opened. */
export const rememberListOrigin = (id: number, search: object) =>
  sessionStorage.setItem(LIST_ORIGIN_KEY, JSON.stringify({ id, search }))

/** Search parameters of the list from which this order was opened; undefined when it was opened otherwise. */
export function originListSearch(id: number) {
  const origin = readListOrigin()
  return origin?.id === id ? origin.search : undefined
}

const stepOf = ({ state }: Pick<ParsedLocation, 'state'>) => state.__TSR_index

/**
 * True when the list is one step back in the browser history: going back also restores its scroll position.
 */
export const isListOneStepBack = (here: ParsedLocation) =>
  list !== undefined && stepOf(here) === stepOf(list) + 1

/** The list's search parameters as last seen. */
export const lastListSearch = () => list?.search
