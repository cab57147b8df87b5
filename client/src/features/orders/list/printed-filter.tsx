import { MINE, NOBODY } from '@garantia/shared/orders/criteria'
import {
  CONVERSION_STATUS,
  type ConversionStatus,
  ORDER_STATUS,
  type OrderStatus,
} from '@garantia/shared/orders/status'
import { chosenOf } from '../../../lib/search-fields.ts'
import { trpc } from '../../../lib/trpc.ts'
import { PrintHead } from '../../../ui/page/print-head.tsx'
import { isAllTime, periodText } from '../dashboard/period.ts'
import { daysText } from './filter-texts.ts'
import type { OrdersSearch } from './orders-search.ts'

/** The filters of the list in words, with every name; what has no name any more is left out. */
export function PrintedFilter({ state, at }: { state: OrdersSearch; at: number }) {
  const chosen = {
    brands: chosenOf(state.brand_id),
    companies: chosenOf(state.company_id),
    people: chosenOf(state.responsible),
  }
  const brands = trpc.brands.list.useQuery(undefined, { enabled: chosen.brands.length > 0 })
  const companies = trpc.companies.list.useQuery(
    { limit: 100 },
    { enabled: chosen.companies.length > 0, staleTime: 60_000 },
  )
  const workload = trpc.orderList.workload.useQuery(undefined, {
    enabled: chosen.people.some((one) => one !== MINE && one !== NOBODY),
  })
  const people = [
    { id: MINE, name: 'Minhas' },
    { id: NOBODY, name: 'Sem responsável' },
    ...(workload.data?.people ?? []),
  ]
  const filters = [
    line('Busca', [state.search]),
    line(
      'Status',
      chosenOf(state.status).map((one) => ORDER_STATUS[one as OrderStatus].label),
    ),
    line('Marca', names(chosen.brands, brands.data?.data, 'display_name')),
    line('Empresa', names(chosen.companies, companies.data?.data, 'trading_name')),
    line('Responsável', names(chosen.people, people, 'name')),
    line(
      'Conversão',
      chosenOf(state.conversion_status).map((one) => CONVERSION_STATUS[one as ConversionStatus].label),
    ),
    line('Abertura', [isAllTime(state) ? '' : periodText(state)]),
    state.min_days_open > 0 || state.max_days_open > 0
      ? daysText(state.min_days_open, state.max_days_open)
      : '',
    state.page > 1 ? `Página ${state.page}` : '',
  ]
  return <PrintHead filters={filters.filter((text) => text !== '')} at={at} />
}

const line = (label: string, values: readonly string[]) => {
  const text = [...new Set(values)].filter((value) => value !== '').join(', ')
  return text === '' ? '' : `${label}: ${text}`
}

function names<Row extends { id: number | string }>(
  ids: readonly string[],
  rows: readonly Row[] | undefined,
  key: keyof Row,
) {
  return ids.flatMap((id) => rows?.find((row) => String(row.id) === id)?.[key] ?? []).map(String)
}
