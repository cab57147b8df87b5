import { Button, ButtonGroup } from '@blueprintjs/core'
import { ChevronDownIcon, ChevronUpIcon } from '@blueprintjs/icons'
import { integer } from '@garantia/shared/format'
import type { OrderNeighbours } from '@garantia/shared/orders/navigation'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { originListSearch, rememberListOrigin } from '../../../lib/return-to-list.ts'
import { trpc } from '../../../lib/trpc.ts'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcuts } from '../../../ui/keys/shortcut.ts'
import { rememberRow } from '../../../ui/table/roving-rows.ts'
import { ORDERS_TABLE } from '../list/order-display.ts'
import { criteriaOf, ordersSearch } from '../list/orders-search.ts'

const route = getRouteApi('/app/os/$id')
const FRESH_MS = 30_000

/** Previous and next order in the list's order, without returning to the list. */
export function OrderNavigation({ id }: { id: number }) {
  const listSearch = useMemo(() => originListSearch(id), [id])
  return listSearch ? <NavigationButtons id={id} listSearch={listSearch} /> : null
}

function NavigationButtons({ id, listSearch }: { id: number; listSearch: object }) {
  const navigate = route.useNavigate()
  const utils = trpc.useUtils()
  const hint = useKeyHint()
  const query = useMemo(() => {
    const state = ordersSearch.parse(listSearch)
    return { ...criteriaOf(state), sort: state.sort, direction: state.direction }
  }, [listSearch])
  const { data } = trpc.orderList.around.useQuery({ ...query, id }, { staleTime: FRESH_MS })

  useEffect(() => {
    for (const neighbour of [data?.next, data?.previous])
      if (neighbour) {
        void utils.orders.one.prefetch({ id: neighbour.id }, { staleTime: FRESH_MS })
        void utils.orderList.around.prefetch({ ...query, id: neighbour.id }, { staleTime: FRESH_MS })
      }
  }, [data, utils, query])

  const go = (to: OrderNeighbours['next'] | undefined) => () => {
    if (!to) return
    rememberListOrigin(to.id, listSearch)
    rememberRow(ORDERS_TABLE, to.id)
    // Replaces the history entry, so that Back still leads to the list.
    void navigate({ to: '/os/$id', params: { id: to.id }, search: (now) => now, replace: true })
  }
  useShortcuts([
    {
      keys: '[',
      label: 'OS anterior da lista',
      act: go(data?.previous),
      when: () => Boolean(data?.previous),
    },
    { keys: ']', label: 'Próxima OS da lista', act: go(data?.next), when: () => Boolean(data?.next) },
  ])
  return (
    <nav className="order-navigation" aria-label="Ordens da lista">
      <span className="muted numeric" role="status">
        {data && positionText(data)}
      </span>
      <ButtonGroup>
        <Button
          icon={<ChevronUpIcon />}
          aria-label={data?.previous ? `Anterior: OS ${data.previous.os_number}` : 'Anterior'}
          {...hint('Anterior', '[')}
          disabled={!data?.previous}
          onClick={go(data?.previous)}
        />
        <Button
          icon={<ChevronDownIcon />}
          aria-label={data?.next ? `Próxima: OS ${data.next.os_number}` : 'Próxima'}
          {...hint('Próxima', ']')}
          disabled={!data?.next}
          onClick={go(data?.next)}
        />
      </ButtonGroup>
    </nav>
  )
}

function positionText({ is_listed, place, total, total_is_exact }: OrderNeighbours) {
  if (!is_listed) return 'Fora do filtro'
  const of = total_is_exact ? integer(total) : 'mais de 1.000'
  return place === null ? `1.000+ de ${of}` : `${integer(place)} de ${of}`
}
