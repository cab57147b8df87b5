import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import pg from 'pg'

/** What the minimal servers share: own session check, names of statements, days. Nothing of the product's code. */
export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 8 })
pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1700, Number)

export interface Person {
  id: number
  is_everywhere: boolean
  company_id: number
  companies: number[]
}
const PERSON = `
  select u.id, u.is_superuser or u.role = 'admin' as is_everywhere, u.company_id,
    to_json(array(select c.id from companies c
      where c.id = u.company_id or (u.role = 'manager' and c.parent_id = u.company_id))) as companies
  from sessions s join users u on u.id = s.user_id
  where s.id = $1 and s.expires_at > now() and u.is_active`
export async function personOf({ headers }: FastifyRequest) {
  const id = createHash('sha256')
    .update(headers.authorization?.slice(7) ?? '')
    .digest('hex')
  const { rows } = await pool.query<Person>({ name: 'person', text: PERSON, values: [id] })
  if (!rows[0]) throw Object.assign(new Error('Not authenticated'), { statusCode: 401 })
  return rows[0]
}

export const plain = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const digests = new Map<string, string>()
export function digest(text: string) {
  const known = digests.get(text) ?? createHash('md5').update(text).digest('hex')
  digests.set(text, known)
  return known
}

const DAY_MS = 86_400_000
/** São Paulo is three hours behind UTC, without daylight saving time in the years of the data. */
export const dayOf = (date: Date) => Math.floor((date.getTime() - 3 * 3_600_000) / DAY_MS)

export const inputOf = ({ query }: FastifyRequest) => JSON.parse((query as { input: string }).input)

/** Listens, tells the bench the address, and ends with it. */
export async function serve(app: FastifyInstance) {
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  process.send?.({ type: 'ready', url })
  for (const name of ['SIGTERM', 'disconnect']) process.on(name, () => process.exit())
}
