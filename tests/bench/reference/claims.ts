import Fastify from 'fastify'
import { dayOf, digest, inputOf, type Person, personOf, plain, pool, serve } from './minimal.ts'

/**
 * A minimal server for claims: own statements with names, own session check, the same rows as JSON. It knows the
 * tables, and nothing of the product's code.
 */
interface Wanted {
  skip?: number | string
  limit?: number | string
  state?: string
  brand_id?: number | string
  search?: string
}
type Row = Record<string, unknown> &
  Record<'sent_at' | 'answered_at' | 'mail_failed_at', Date | null> & {
    created_at: Date
  }

/** The conditions of a list with their values; texts differ by form alone, so that names can be reused. */
function conditions(person: Person, { state, brand_id, search }: Wanted) {
  const values: unknown[] = []
  const texts: string[] = []
  const add = (text: string, value: unknown) => texts.push(text.replace('?', `$${values.push(value)}`))
  if (!person.is_everywhere) add('s.company_id = any(?)', person.companies)
  if (state) add('s.state = ?', state)
  if (brand_id) add('s.brand_id = ?', Number(brand_id))
  for (const word of search?.split(' ') ?? []) add('s.search like ?', `%${plain(word)}%`)
  return { where: texts.length > 0 ? texts.join(' and ') : 'true', values }
}

const LISTED = `s.id, s.order_id, o.os_number, s.n, s.type, s.state, s.previous_id, s.brand_number, s.brand_id,
  b.display_name, s.company_id, c.trading_name, s.claimed, s.authorised, s.paid, s.debited, s.written_off, s.carried,
  s.open_amount, s.sent_at, s.answered_at, s.due_on::text as due_on, s.due_kind, s.due_awaits,
  s.credit_note_on::text as credit_note_on, s.created_at, s.version,
  case when s.state in ('sent', 'in_review') then (
    select u.mail_failed_at from claim_submissions u left join mails m on m.id = u.mail_id
    where u.claim_id = s.id and m.sent_at is null
      and u.n = (select max(n) from claim_submissions where claim_id = s.id)) end as mail_failed_at`
const NAMES = `join service_orders o on o.id = s.order_id join brands b on b.id = s.brand_id
  join companies c on c.id = s.company_id`

async function totalOf(person: Person, { state, brand_id }: Wanted) {
  const { is_everywhere, companies } = person
  const values = [is_everywhere ? [0] : companies, is_everywhere, companies, state ?? null, brand_id ?? null]
  return (await pool.query<{ total: number }>({ name: 'total', text: TOTAL, values })).rows[0]?.total ?? 0
}
const OF_WANTED = '($4::text is null or state = $4::claim_state) and ($5::bigint is null or brand_id = $5)'
const TOTAL = `select coalesce(sum(claims), 0)::int as total from (
  select claims from claim_sums where scope_id = any($1::bigint[]) and ${OF_WANTED}
  union all
  select claims from claim_deltas where ($2 or company_id = any($3::bigint[])) and ${OF_WANTED}) noted`

/** The page is cut on the index before the names are joined; the second half is read from the other end. */
async function paged(person: Person, wanted: Wanted, skip: number, limit: number) {
  const { where, values } = conditions(person, wanted)
  const cut = async (way: string, size: number, offset: number) => {
    const text = `select ${LISTED} from (
      select s.id, s.created_at from claims s where s.deleted_at is null and ${where}
      order by s.created_at ${way}, s.id ${way} limit ${size} offset ${offset}) found
      join claims s on s.id = found.id ${NAMES} order by found.created_at desc, found.id desc`
    return (await pool.query<Row>({ text, values, name: digest(text) })).rows
  }
  if (skip === 0) {
    const [total, rows] = await Promise.all([totalOf(person, wanted), cut('desc', limit, 0)])
    return { total, rows }
  }
  const total = await totalOf(person, wanted)
  const size = Math.min(limit, total - skip)
  const isNear = skip <= total / 2
  return { total, rows: await (isNear ? cut('desc', limit, skip) : cut('asc', size, total - skip - size)) }
}

/** Without a name: a plan that is made before the pattern is known does not fit it. */
async function searched(person: Person, wanted: Wanted, skip: number, limit: number) {
  const { where, values } = conditions(person, wanted)
  const { rows } = await pool.query<Row & { total: number }>(
    `with found as materialized (
        select s.id, s.created_at from claims s where s.deleted_at is null and ${where}),
      page as (select id, created_at from found order by created_at desc, id desc limit ${limit} offset ${skip})
    select (select count(*)::int from found) as total, ${LISTED}
    from page join claims s on s.id = page.id ${NAMES} order by page.created_at desc, page.id desc`,
    values,
  )
  return { total: rows[0]?.total ?? 0, rows }
}

async function list(person: Person, wanted: Wanted) {
  const [skip, limit] = [Number(wanted.skip ?? 0), Number(wanted.limit ?? 20)]
  const { total, rows } = await (wanted.search ? searched : paged)(person, wanted, skip, limit)
  return { items: rows.map(present), total, total_is_exact: true, skip, limit }
}

const present = ({ display_name, trading_name, total: _, ...row }: Row) => ({
  ...row,
  brand: { id: row.brand_id, display_name },
  company: { id: row.company_id, trading_name },
  sent_at: row.sent_at?.toISOString() ?? null,
  answered_at: row.answered_at?.toISOString() ?? null,
  mail_failed_at: row.mail_failed_at?.toISOString() ?? null,
  age_days: row.sent_at && Math.max(0, dayOf(new Date()) - dayOf(row.sent_at)),
  created_at: row.created_at.toISOString(),
})

const app = Fastify()
app.get('/api/v1/claims', async (request) => list(await personOf(request), request.query as Wanted))
app.get('/trpc/claimList.page', async (request) => {
  const person = await personOf(request)
  return { result: { data: await list(person, inputOf(request) as Wanted) } }
})

await serve(app)
