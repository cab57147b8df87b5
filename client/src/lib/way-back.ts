import type { AnyRouter, ParsedLocation } from '@tanstack/react-router'

const LIST = '/lista-os'
let list: ParsedLocation | undefined

/** Remembers the list of orders as it was last left: its filters, and its place in the history. */
export const watchWayBack = (router: AnyRouter) =>
  router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
    if (fromLocation?.pathname === LIST) list = fromLocation
  })

const stepOf = ({ state }: Pick<ParsedLocation, 'state'>) => state.__TSR_index

/** True when one step back in the history is the list: going there also brings back where it was scrolled to. */
export const isListOneStepBack = (here: ParsedLocation) =>
  list !== undefined && stepOf(here) === stepOf(list) + 1

/** The list's address parameters as they were last seen. */
export const lastListSearch = () => list?.search
