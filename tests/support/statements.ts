import type { Kernel } from '@garantia/server/kernel'
import type pg from 'pg'

/** The statements of one use case: those of a group run in parallel, the groups in sequence. */
export type Plan = Statement[][]
export interface Statement {
  text: string
  values: unknown[]
  name?: string
}

/** Records the SQL that the work sends, so that its plans can be read. */
export async function recordStatements(kernel: Kernel, work: () => Promise<unknown>): Promise<Plan> {
  const plan: Plan = []
  let running = 0
  const { pool } = kernel
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  const watched = async () => {
    const client = await connect()
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>
    const release = client.release.bind(client)
    Object.assign(client, {
      async query(...given: unknown[]) {
        if (running++ === 0) plan.push([])
        plan.at(-1)?.push(statementFrom(given))
        return query(...given).finally(() => running--)
      },
      release(error?: Error) {
        // Restores the client before its release.
        Object.assign(client, { query, release })
        release(error)
      },
    })
    return client
  }
  Object.assign(pool, { connect: watched })
  try {
    await work()
  } finally {
    Object.assign(pool, { connect })
  }
  return plan
}

function statementFrom([query, values]: unknown[]): Statement {
  if (typeof query === 'string') return { text: query, values: (values as unknown[] | undefined) ?? [] }
  const { text, values: own = [], name } = query as Statement
  return { text, values: own, ...(name && { name }) }
}
