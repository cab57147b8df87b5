import { createHash } from 'node:crypto'
import { orderRow } from '@garantia/shared/orders/schema'
import Fastify from 'fastify'
import pg from 'pg'
import { type Plan, replay, type Statement } from '../statements.ts'

/**
 * A minimal server for the order list: the same SQL, the same session check, the same fields, and nothing
 * else. It gets its statements in its environment.
 */
const { session, scenarios } = JSON.parse(process.env.PLAN ?? '') as {
  session: Statement
  scenarios: Record<string, Plan>
}
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 12 })
const FACE = Object.keys(orderRow.shape)

const app = Fastify()
app.get<{ Params: { scenario: string } }>('/:scenario', async (request, reply) => {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const hash = createHash('sha256').update(token).digest('hex')
  const { rows } = await pool.query({ ...session, values: [hash, ...session.values.slice(1)] })
  if (rows.length === 0) return reply.code(401).send({ detail: 'Not authenticated' })
  const [found = [], ...before] = (await replay(pool, scenarios[request.params.scenario] ?? [])).reverse()
  const counted = before.flat().find((row) => 'total' in row)
  const summed = before.flat().reduce((sum, { orders }) => sum + Number(orders ?? 0), 0)
  return {
    items: found.map((row) => ({
      ...Object.fromEntries(FACE.map((name) => [name, row[name]])),
      brand: { id: row.brand_id, display_name: row.display_name },
      company: { id: row.company_id, trading_name: row.trading_name, company_name: row.legal_name },
    })),
    total: Number(counted?.total ?? summed),
  }
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ type: 'ready', url })
for (const name of ['SIGTERM', 'disconnect']) process.on(name, () => process.exit())
