import { connect } from './load.ts'
import { rest } from './orders-scenarios.ts'
import { record } from './record.ts'
import { median, quantile } from './support.ts'

const CONNECTIONS = 8

interface Batch {
  /** Answers a second. */
  rate: number
  /** Milliseconds. */
  p99: number
}

/** Asks a warmed server for the first page of the list over eight connections, `ms` at a time. */
export async function openListLoad(url: string, token: string, ms: number) {
  const connections = connect(url, CONNECTIONS)
  const call = { path: rest({ limit: 10 }), token }
  await connections.load(call, ms)
  return {
    async batch(): Promise<Batch> {
      const { rate, times } = await connections.load(call, ms)
      return { rate, p99: quantile(times, 0.99) }
    },
    close: connections.close,
  }
}

/** Records what the list kept of its rate and delays while something else ran. Throws when nothing was measured then. */
export function recordBusy(name: string, busy: readonly Batch[], idle: readonly Batch[]) {
  if (busy.length === 0) throw new Error(`${name}: it was over too soon to measure`)
  const of = (batches: readonly Batch[], key: keyof Batch) => median(batches.map((one) => one[key]))
  const [product, reference] = [of(busy, 'rate'), of(idle, 'rate')]
  record(
    { name, unit: '1/s', product, reference, ratio: product / reference },
    { name: `${name}, p99 / idle`, unit: '', product: of(busy, 'p99') / of(idle, 'p99') },
  )
}
