import Fastify from 'fastify'
import { dayOf, digest, inputOf, type Person, personOf, plain, pool, serve } from './minimal.ts'

/**
 * A minimal server for orders: own statements with names, own session check, the same rows as JSON. It knows
 * the tables, and nothing of the product's code.
 */

interface Wanted {
  skip?: number | string
  limit?: number | string
  status?: string
  brand_id?: number | string
  search?: string
}
type Row = Record<string, unknown> & { opened_at: Date; completed_at: Date | null; cancelled_at: Date | null }

/** The conditions of a list with their values; texts differ by form alone, so that names can be reused. */
function conditions(person: Person, { status, brand_id, search }: Wanted) {
  const values: unknown[] = []
  const texts = ['o.deleted_at is null']
  const add = (text: string, value: unknown) => texts.push(text.replace('?', `$${values.push(value)}`))
  if (!person.is_everywhere) add('o.company_id = any(?)', person.companies)
  if (status) add('o.status = ?', status)
  if (brand_id) add('o.brand_id = ?', Number(brand_id))
  for (const word of search?.split(' ') ?? []) add('o.search like ?', `%${plain(word)}%`)
  return { where: texts.join(' and '), values }
}

const LISTED = `o.id, o.os_number, o.brand_id, b.display_name, o.company_id, c.trading_name, c.legal_name, o.status,
  o.conversion_status, o.opened_at, o.completed_at, o.cancelled_at, o.vehicle_model, o.vehicle_year,
  o.vehicle_plate, o.vehicle_chassis, o.customer_name, o.customer_phone, o.customer_document, o.technician_name,
  o.technician_user_id, o.created_by, o.total_value, o.responsible_user_id, o.legal_hold_at is not null as is_held,
  coalesce(nullif(btrim(r.full_name), ''), r.email) as responsible_name,
  case when o.conversion_status = 'in_progress' then (
    select json_build_object('converted', count(*) filter (where f.status = 'converted'), 'total', count(*),
      'is_running', coalesce(bool_or(f.status = 'converting'), false))
    from evidence_files f where f.order_id = o.id and f.deleted_at is null) end as conversion_progress,
  (select json_build_object('id', s.id, 'n', s.n, 'state', s.state, 'due_on', s.due_on, 'due_kind', s.due_kind)
    from claims s where s.order_id = o.id and s.deleted_at is null order by s.n desc limit 1) as claim`
const NAMES = `join brands b on b.id = o.brand_id join companies c on c.id = o.company_id
  left join users r on r.id = o.responsible_user_id`

const SUMS = `
  select status, sum(orders) as orders from (
    select status, brand_id, orders from order_totals where scope_id = $1
    union all
    select status, brand_id, orders from order_deltas where scope_id is null and ($2 or company_id = any($3))) s
  where $4::bigint is null or brand_id = $4
  group by status`
async function sumsOf(person: Person, brand_id: number | string | undefined) {
  const { is_everywhere, companies, company_id } = person
  const key = is_everywhere ? 0 : companies.length > 1 ? -company_id : company_id
  const values = [key, is_everywhere, companies, brand_id ?? null]
  return (await pool.query<{ status: string; orders: number }>({ name: 'sums', text: SUMS, values })).rows
}

async function list(person: Person, wanted: Wanted) {
  const [skip, limit] = [Number(wanted.skip ?? 0), Number(wanted.limit ?? 20)]
  const { total, rows } = wanted.search
    ? await searched(person, wanted, skip, limit)
    : await paged(person, wanted, skip, limit)
  return { items: rows.map(present), total, total_is_exact: true, skip, limit }
}

/** The page is cut on the index before the names are joined; the second half is read from the other end. */
async function paged(person: Person, wanted: Wanted, skip: number, limit: number) {
  const counted = sumsOf(person, wanted.brand_id).then((sums) =>
    sums.filter(({ status }) => !wanted.status || status === wanted.status).reduce((n, s) => n + s.orders, 0),
  )
  const { where, values } = conditions(person, wanted)
  const cut = async (way: string, size: number, offset: number) => {
    const text = `select ${LISTED} from (
      select o.id, o.opened_at from service_orders o where ${where}
      order by o.opened_at ${way}, o.id ${way} limit ${size} offset ${offset}) found
      join service_orders o on o.id = found.id ${NAMES} order by found.opened_at desc, found.id desc`
    return (await pool.query<Row>({ text, values, name: digest(text) })).rows
  }
  if (skip === 0) {
    const [total, rows] = await Promise.all([counted, cut('desc', limit, 0)])
    return { total, rows }
  }
  const total = await counted
  const size = Math.min(limit, total - skip)
  return {
    total,
    rows: await (skip > total / 2 ? cut('asc', size, total - skip - size) : cut('desc', limit, skip)),
  }
}
/** Without a name: a plan that is made before the pattern is known does not fit it. */
async function searched(person: Person, wanted: Wanted, skip: number, limit: number) {
  const { where, values } = conditions(person, wanted)
  const { rows } = await pool.query<Row & { total: number }>(
    `with found as materialized (select o.id, o.opened_at from service_orders o where ${where}),
      page as (select id, opened_at from found order by opened_at desc, id desc limit ${limit} offset ${skip})
    select (select count(*) from found) as total, ${LISTED}
    from page join service_orders o on o.id = page.id ${NAMES} order by page.opened_at desc, page.id desc`,
    values,
  )
  return { total: rows[0]?.total ?? 0, rows }
}

const daysOpen = (row: Row) =>
  Math.max(0, dayOf(row.completed_at ?? row.cancelled_at ?? new Date()) - dayOf(row.opened_at))
const present = (row: Row) => ({
  id: row.id,
  os_number: row.os_number,
  brand_id: row.brand_id,
  brand: { id: row.brand_id, display_name: row.display_name },
  company_id: row.company_id,
  company: { id: row.company_id, trading_name: row.trading_name, company_name: row.legal_name },
  status: row.status,
  conversion_status: row.conversion_status,
  conversion_progress: row.conversion_progress,
  opened_at: row.opened_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
  days_open: daysOpen(row),
  // No visit of the data is linked to another.
  legal_days: daysOpen(row),
  legal_visits: 1,
  claim: row.claim,
  is_held: row.is_held,
  vehicle_model: row.vehicle_model,
  vehicle_year: row.vehicle_year,
  vehicle_plate: row.vehicle_plate,
  vehicle_chassis: row.vehicle_chassis,
  customer_name: row.customer_name,
  customer_phone: row.customer_phone,
  customer_document: row.customer_document,
  technician_name: row.technician_name,
  technician_user_id: row.technician_user_id,
  created_by: row.created_by,
  responsible_user_id: row.responsible_user_id,
  responsible_name: row.responsible_name,
  total_value: row.total_value,
})

const app = Fastify()

app.get('/api/v1/service-orders', async (request) => list(await personOf(request), request.query as Wanted))
/** With the cards above the list, and what the files of its orders wait for. */
app.get('/trpc/orderList.page', async (request) => {
  const [person, wanted] = [await personOf(request), inputOf(request) as Wanted]
  const [page, sums] = await Promise.all([list(person, wanted), sumsOf(person, wanted.brand_id)])
  const ids = page.items.filter(isOpenOrUnready).map(({ id }) => Number(id))
  const { rows } = await pool.query<FileGroup>({ name: 'files of a page', text: PAGE_FILES, values: [ids] })
  const files = new Map(ids.map((id) => [id, filesOf(id, rows)]))
  const items = page.items.map((item) => ({ ...item, files: files.get(Number(item.id)) ?? null }))
  return { result: { data: { ...page, items, summary: cardsOf(sums) } } }
})
const isOpenOrUnready = ({ status, conversion_status }: Pick<Row, 'status' | 'conversion_status'>) =>
  !['created', 'ready'].includes(String(status)) &&
  !(['completed', 'cancelled'].includes(String(status)) && conversion_status === 'available')
interface FileGroup {
  id: number
  required: { category: string; min: number }[]
  status: string | null
  category: string | null
  files: number
}
const PAGE_FILES = `
  select o.id, b.required_categories as required, f.status, f.evidence_category as category, count(f.id) as files
  from service_orders o join brands b on b.id = o.brand_id
  left join evidence_files f on f.order_id = o.id and f.deleted_at is null
  where o.id = any($1) group by o.id, b.required_categories, f.status, f.evidence_category`
function filesOf(id: number, groups: readonly FileGroup[]) {
  const own = groups.filter((group) => group.id === id)
  const sum = (key: 'status' | 'category', value: string) =>
    own.filter((group) => group[key] === value).reduce((n, { files }) => n + files, 0)
  return own[0]
    ? {
        pending: sum('status', 'pending'),
        converting: sum('status', 'converting'),
        converted: sum('status', 'converted'),
        failed: sum('status', 'failed'),
        missing: own[0].required.reduce(
          (n, { category, min }) => n + Math.max(0, min - sum('category', category)),
          0,
        ),
      }
    : null
}

function cardsOf(sums: { status: string; orders: number }[]) {
  const of = (...names: string[]) =>
    sums
      .filter(({ status }) => names.length === 0 || names.includes(status))
      .reduce((n, s) => n + s.orders, 0)
  return {
    total: of(),
    completed: of('completed'),
    in_analysis: of('in_analysis'),
    pending: of('pending', 'pending_upload'),
    under_way: of('created', 'in_progress', 'ready'),
    cancelled: of('cancelled'),
    is_exact: true,
  }
}

const ONE = `select ${LISTED}, o.version, o.vehicle_color, o.vehicle_mileage, o.vehicle_value, o.customer_email,
    o.problem_description, o.diagnosis, o.solution_applied, o.parts_replaced, o.service_value, o.parts_value
  from service_orders o ${NAMES}
  where o.id = $1 and o.deleted_at is null and ($2 or o.company_id = any($3))`
const FILES = `
  select status, count(*) as files from evidence_files where order_id = $1 and deleted_at is null group by status`
const MENU = ['pending_upload', 'in_progress', 'ready', 'pending', 'in_analysis', 'completed', 'cancelled']
app.get<{ Params: { id: string } }>('/api/v1/service-orders/:id', async (request) => {
  const { is_everywhere, companies } = await personOf(request)
  const id = Number(request.params.id)
  const [found, files] = await Promise.all([
    pool.query<Row>({ name: 'one', text: ONE, values: [id, is_everywhere, companies] }),
    pool.query({ name: 'files', text: FILES, values: [id] }),
  ])
  const [row] = found.rows
  if (!row) throw Object.assign(new Error('Not found'), { statusCode: 404 })
  const { version, vehicle_color, vehicle_mileage, vehicle_value, customer_email, ...rest } = row
  const { problem_description, diagnosis, solution_applied, parts_replaced, service_value, parts_value } =
    rest
  const is_allowed = files.rows.length > 0
  return {
    ...present(row),
    ...{ version, vehicle_color, vehicle_mileage, vehicle_value, customer_email, problem_description },
    ...{ diagnosis, solution_applied, parts_replaced, service_value, parts_value },
    allowed_transitions: MENU.map((status) => ({ status, label: status, is_allowed, reason: null })),
  }
})

const ME = `select u.*, c.trading_name, c.legal_name from users u left join companies c on c.id = u.company_id
  where u.id = $1`
app.get('/api/v1/users/me', async (request) => {
  const { id } = await personOf(request)
  const { password_hash, ...me } = (await pool.query({ name: 'me', text: ME, values: [id] })).rows[0]
  return me
})

await serve(app)
