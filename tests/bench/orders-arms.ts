import { databaseCpu } from './database-cpu.ts'
import { type Call, type Connections, connect, type Load } from './load.ts'
import { isQuick } from './options.ts'
import type { OrdersDatabase } from './orders-database.ts'
import { type BenchContext, type Child, median, shuffled } from './support.ts'

const CONNECTIONS = 8
const BATCH_MS = isQuick ? 200 : 800
const WARM_MS = isQuick ? 200 : 12_000

/** One server with the connections to it. */
export interface Arm {
  child: Child
  connections: Connections
}
export interface Spent extends Load {
  /** Processor time a call. */
  server_ms: number
  database_ms: number
}

export async function startArm(db: OrdersDatabase, program: string): Promise<Arm> {
  const child = await db.start(program)
  return { child, connections: connect(child.url, CONNECTIONS) }
}

export async function stopArm({ child, connections }: Arm) {
  await connections.close()
  await child.stop()
}

/** A server that has run for a day has compiled its code. */
export async function warm({ connections }: Arm, calls: Call[]) {
  for (const call of shuffled(calls)) await connections.load(call, WARM_MS / calls.length)
}

/** Calls as fast as eight connections get answers, with what server and database spend on them. */
export async function batch(
  benchContext: BenchContext,
  { child, connections }: Arm,
  call: Call,
): Promise<Spent> {
  const spent = async () => [
    (await child.usage()).cpu_ms,
    (await databaseCpu(benchContext.postgres.pid)) ?? Number.NaN,
  ]
  const before = await spent()
  const load = await connections.load(call, BATCH_MS)
  const after = await spent()
  const [server_ms = 0, database_ms = 0] = after.map((ms, index) => (ms - (before[index] ?? 0)) / load.count)
  return { ...load, server_ms, database_ms }
}

export const medianOf = (list: Spent[], key: 'rate' | 'server_ms' | 'database_ms' | 'own_cpu_ms') =>
  median(list.map((spent) => spent[key]))
export const cpuOf = ({ server_ms, database_ms }: Spent) => server_ms + database_ms
