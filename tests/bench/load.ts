import { Client } from 'undici'

/** A GET as a signed-in client sends it. */
export interface Call {
  path: string
  token: string
  /** Sent as `If-None-Match`. */
  etag?: string | undefined
}
export interface Answer {
  status: number
  etag: string | undefined
  body: Buffer
}
export interface Load {
  /** Answers a second. */
  rate: number
  count: number
  /** Milliseconds of each call. */
  times: number[]
  /** Processor time of this load generator a call. */
  own_cpu_ms: number
}
export interface Connections {
  ask(call: Call): Promise<Answer>
  /** Calls on all connections, each after the answer to the one before, for so many milliseconds. */
  load(call: Call, ms: number): Promise<Load>
  close(): Promise<void>
}

/** Connections that are kept alive. An answer other than 200 and 304 throws. */
export function connect(origin: string, count: number): Connections {
  const clients = Array.from({ length: count }, () => new Client(origin, { pipelining: 1 }))
  let turn = 0
  const next = () => clients[turn++ % clients.length] as Client
  return {
    ask: (call) => askOn(next(), call),
    async load(call, ms) {
      const times: number[] = []
      const start = performance.now()
      const before = process.cpuUsage()
      const end = start + ms
      await Promise.all(
        clients.map(async (client) => {
          for (let now = start; now < end; ) {
            await askOn(client, call)
            const after = performance.now()
            times.push(after - now)
            now = after
          }
        }),
      )
      const { user, system } = process.cpuUsage(before)
      return {
        rate: (times.length / (performance.now() - start)) * 1_000,
        count: times.length,
        times,
        own_cpu_ms: (user + system) / 1_000 / times.length,
      }
    },
    close: async () => void (await Promise.all(clients.map((client) => client.destroy()))),
  }
}

const askOn = (client: Client, { path, token, etag }: Call) =>
  new Promise<Answer>((resolve, reject) => {
    const chunks: Buffer[] = []
    let status = 0
    let found: string | undefined
    client.dispatch(
      {
        method: 'GET',
        path,
        headers: { authorization: `Bearer ${token}`, ...(etag && { 'if-none-match': etag }) },
      },
      {
        onRequestStart: () => undefined,
        onResponseStart(_, code, headers) {
          status = code
          found = headers.etag as string | undefined
        },
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd() {
          if (status === 200 || status === 304) resolve({ status, etag: found, body: Buffer.concat(chunks) })
          else
            reject(new Error(`${path} answered ${status} ${Buffer.concat(chunks).toString().slice(0, 300)}`))
        },
        onResponseError: (_, error) => reject(error),
      },
    )
  })
