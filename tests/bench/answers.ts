import { CONVERSION_STATUSES, ORDER_STATUSES } from '@garantia/shared/orders/status'
import type { FastifyInstance } from 'fastify'

/** The calls whose answers are compared, and how they are sent. */
export interface Call {
  address: string
  /** Sent to the new sources instead, which must then answer as the old ones did. */
  newAddress?: string
}

/** Names, numbers and fragments that somebody types, odd ones too. */
const SEARCHES = [
  ...['maria', 'MARIA', 'josé', 'jose conceicao', "d'ávila", 'D´Avila', 'sá-pereira', 'wanderley', 'zanetti'],
  ...[
    'j',
    'x',
    'jo',
    'da',
    'á',
    '-',
    '%',
    '_',
    '\\',
    '100%',
    'a_b',
    "'",
    '"',
    '🚗',
    '🚗 frota',
    'ß',
    'strasse',
  ],
  ...[
    '529.982.247-25',
    '52998224725',
    '11.222.333/0001-81',
    '(11) 98765-4321',
    'abc-1234',
    'abc1c34',
    'ABC1D23',
  ],
  ...[
    '000123',
    '0001',
    '12',
    '123456',
    'onix',
    'maria silva oliveira',
    'maria maria',
    'zz',
    '😀',
    'frota repetida',
  ],
  ...[
    'x'.repeat(200),
    ` ${'maria '.repeat(30)}`.slice(0, 200),
    'maria\u00a0silva',
    '\ufeffmaria',
    'null',
    '٣٤٥',
  ],
]
const SORTS = ['opened_at', 'os_number', 'customer_name', 'total_value'].flatMap((sort) =>
  ['asc', 'desc'].map((direction) => ({ sort, direction })),
)

type Query = Partial<Record<string, string | number>>
interface Ids {
  brands: number[]
  companies: number[]
  orders: number[]
}

/** Every list, search, card, neighbour, palette, export and dashboard call that is compared. */
export function callsOf({ brands, companies, orders }: Ids): Call[] {
  const filters: Query[] = [
    {},
    ...ORDER_STATUSES.map((status) => ({ status })),
    { status: 'created,pending,ready' },
    ...brands.slice(0, 2).map((brand_id) => ({ brand_id })),
    ...companies.map((company_id) => ({ company_id })),
    ...CONVERSION_STATUSES.map((conversion_status) => ({ conversion_status })),
    { min_days_open: 0 },
    { min_days_open: 30, status: 'pending' },
    { brand_id: brands[0] ?? 0, company_id: companies[0] ?? 0, status: 'completed' },
  ]
  const searches = SEARCHES.map((search) => ({ search }))
  const sorted: Query[] = [{}, ...SORTS]
  const pages: Query[] = [{}, { skip: 10, limit: 10 }, { skip: 990, limit: 20 }, { skip: 3_000, limit: 7 }]
  const lists: Query[] = [
    ...searches.flatMap((search) => sorted.map((sort) => ({ ...search, ...sort }))),
    ...filters.flatMap((filter) => sorted.map((sort) => ({ ...filter, ...sort }))),
  ].flatMap((query) => pages.map((page) => ({ ...query, ...page })))
  const both: Query[] = searches.flatMap((search) =>
    filters.slice(1).map((filter) => ({ ...search, ...filter })),
  )
  const views: Query[] = [...searches, ...filters, ...both]
  return [
    ...[...lists, ...both].flatMap((query) => [rest(query), page(query)]),
    ...views.map((view) => procedure('orderList.page', { ...view, limit: 1 })),
    ...searches.map((search) => procedure('orderList.find', search)),
    ...orders.flatMap((id) =>
      [...searches, ...filters].flatMap((view) =>
        [{}, SORTS[5] ?? {}].map((sort) => procedure('orderList.around', { id, ...view, ...sort })),
      ),
    ),
    ...[...searches, ...filters].map((view) => ({
      address: `/api/v1/service-orders/export?${new URLSearchParams({ ...textsOf(view), format: 'csv' })}`,
    })),
    ...periods().map((period) => ({
      address: `/api/v1/service-orders/dashboard/metrics?${new URLSearchParams(period)}`,
    })),
    { address: '/trpc/dashboard.recent' },
  ]
}

/** The day after the last order that `insertOrders` makes. */
export const NOW = new Date('2026-07-01T12:00:00-03:00')

function periods() {
  const days = ['2023-06-30', '2023-07-01', '2024-02-29', '2025-01-01', '2026-06-01', '2026-06-30']
  const ends = [...days, '2026-07-01', '2027-01-01']
  const closed = days.flatMap((start_date) =>
    ends.filter((end_date) => end_date >= start_date).map((end_date) => ({ start_date, end_date })),
  )
  return [
    {},
    ...closed,
    ...days.map((start_date) => ({ start_date })),
    ...ends.map((end_date) => ({ end_date })),
  ] as Record<string, string>[]
}

const textsOf = (query: Query) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
/** Known difference: REST counts a search to its end only when asked for the exact total. */
function rest(query: Query): Call {
  const address = `/api/v1/service-orders?${new URLSearchParams(textsOf(query))}`
  return { address, ...('search' in query && { newAddress: `${address}&exact_total=true` }) }
}
/** tRPC takes lists where an address has commas as text, so both are sent as they are. */
const procedure = (name: string, input: Query): Call => ({
  address: `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`,
})
const page = (query: Query) => procedure('orderList.page', query)

export interface Side {
  app: FastifyInstance
  /** Bearer token by role. */
  tokens: Record<string, string>
}
export interface Compared {
  role: string
  call: Call
  old_ms: number
  new_ms: number
  /** Status and body of both, when they differ. */
  difference?: [string, string]
}

/** Sends every call to both sides as every role, and compares status and body to the byte. */
export async function* compareAnswers(
  old: Side,
  now: Side,
  calls: readonly Call[],
): AsyncGenerator<Compared> {
  for (const role of Object.keys(old.tokens))
    for (const call of calls) {
      const before = await answerOf(old, role, call.address)
      const after = await answerOf(now, role, call.newAddress ?? call.address)
      yield {
        role,
        call,
        old_ms: before.ms,
        new_ms: after.ms,
        ...(comparable(before.text) !== comparable(after.text) && { difference: [before.text, after.text] }),
      }
    }
}
/** Known difference: which thousand matches the cards of a broad search count is up to the database. */
const comparable = (text: string) =>
  text.replace(/"completed":\d+,(?:"\w+":\d+,)+"is_exact":false/, '"is_exact":false')
async function answerOf({ app, tokens }: Side, role: string, url: string) {
  const start = performance.now()
  const { statusCode, body } = await app.inject({
    method: 'GET',
    url,
    headers: { authorization: `Bearer ${tokens[role]}` },
  })
  return { text: `${statusCode} ${body}`, ms: performance.now() - start }
}
