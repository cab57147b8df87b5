/** Attacks the product of attack.ts until it is told to stop, then reports what was answered how often. */
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { getPriority, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { creationHeaders } from '../support/tus.ts'

export interface AttackTarget {
  url: string
  orders: number[]
  /** The token of a technician who may work on these orders. */
  technician: string
}

/** Below the product by so much (nice): on machines of their own they would take no processor from it. */
const LOWER_BY = 10
const NETWORKS = 20
const BATCH = 20
const SLOW_SOCKETS = 400
const DRIP_MS = 1_000
const STREAMS = 60
const UPLOADS_AT_ONCE = 40
const DOSSIERS_AT_ONCE = 40

const { url, orders, technician } = JSON.parse(process.argv[2] ?? '{}') as AttackTarget
const { hostname, port } = new URL(url)
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
const counts: Record<string, number> = {}
const note = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1
}
let isOver = false

interface AttackRequest {
  method: string
  path: string
  from: string
  headers?: Record<string, string>
  body?: object
}
/** The status of the answer and its Location; 0 when the connection broke. */
const sendRequest = ({ method, path, from, headers = {}, body }: AttackRequest) =>
  new Promise<{ status: number; location: string; text: string }>((resolve) => {
    const content = body && JSON.stringify(body)
    const sent = request(
      {
        hostname,
        port,
        method,
        path,
        agent,
        headers: {
          'x-forwarded-for': from,
          ...(content && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(content),
          }),
          ...headers,
        },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? '', text }),
        )
      },
    )
    sent.on('error', () => resolve({ status: 0, location: '', text: '' }))
    sent.end(content)
  })
const bearer = { authorization: `Bearer ${technician}` }
const FROM_TECHNICIAN = '198.51.100.9'

/** Repeats until the end; a broken connection is not repeated at once. */
async function repeat(what: string, request: (n: number) => Promise<number>) {
  for (let n = 0; !isOver; n++) {
    const status = await request(n)
    note(`${what} ${status}`)
    if (status === 0) await sleep(100)
  }
}

/** Batches of sign-ins, each with accounts of its own; two at a time from every network. */
function floodSignIns() {
  for (let network = 0; network < NETWORKS * 2; network++)
    void repeat('sign-in batch', async (n) => {
      const body = Object.fromEntries(
        Array.from({ length: BATCH }, (_, place) => [
          place,
          { username: `conta${network}-${n}-${place}@exemplo.com.br`, password: 'senha-errada-mesmo' },
        ]),
      )
      const path = `/trpc/${Array(BATCH).fill('auth.login').join(',')}?batch=1`
      // A third of them from ever new networks.
      const third = network % 3 === 0 ? n % 250 : network % NETWORKS
      const from = `10.${network % NETWORKS}.${third}.${n % 250}`
      return (await sendRequest({ method: 'POST', path, from, body })).status
    })
}

const sockets = new Set<Socket>()
/** Requests whose headers never end; a socket that the server gives back is replaced. */
function dripHeaders() {
  const open = () => {
    if (isOver) return
    const socket = connect(Number(port), hostname)
    sockets.add(socket)
    socket.write('GET /api/v1/users/me HTTP/1.1\r\nHost: x\r\n')
    const drip = setInterval(() => socket.write('x-gota: 1\r\n'), DRIP_MS)
    socket.on('error', () => undefined).resume()
    socket.on('close', () => {
      clearInterval(drip)
      sockets.delete(socket)
      note('slow sockets given back')
      setTimeout(open, 100)
    })
  }
  for (let n = 0; n < SLOW_SOCKETS; n++) open()
}

/** Event streams of one order, more than a person may have. */
async function openStreams() {
  const [order_id = 0] = orders
  const input = encodeURIComponent(JSON.stringify({ order_id }))
  const path = `/trpc/live.address?input=${input}`
  const { text } = await sendRequest({ method: 'GET', path, from: FROM_TECHNICIAN, headers: bearer })
  const address = JSON.parse(text).result.data.url as string
  for (let n = 0; n < STREAMS; n++)
    request({ hostname, port, path: address, agent: false }, (answer) => {
      note(`event stream ${answer.statusCode}`)
      answer.resume().on('error', () => undefined)
    })
      .on('error', () => undefined)
      .end()
}

/** Files of 2 GB, announced and never sent; every tenth is cancelled, to begin anew. */
function announceUploads() {
  for (let sender = 0; sender < UPLOADS_AT_ONCE; sender++)
    void repeat('upload', async (n) => {
      const order_id = orders[n % orders.length] ?? 0
      const headers = { ...bearer, ...creationHeaders(2_000_000_000, { order_id, filename: 'filme.mp4' }) }
      const { status, location } = await sendRequest({
        method: 'POST',
        path: '/api/v1/uploads',
        from: FROM_TECHNICIAN,
        headers,
      })
      const cancel = { ...bearer, 'tus-resumable': '1.0.0' }
      if (location && n % 10 === 0)
        await sendRequest({ method: 'DELETE', path: location, from: FROM_TECHNICIAN, headers: cancel })
      return status
    })
}

function requestDossiers() {
  for (let sender = 0; sender < DOSSIERS_AT_ONCE; sender++)
    void repeat('dossier', async () => {
      const path = `/api/v1/service-orders/${orders[0]}/dossier`
      return (await sendRequest({ method: 'POST', path, from: FROM_TECHNICIAN, headers: bearer })).status
    })
}

setPriority(Math.min(19, getPriority() + LOWER_BY))
floodSignIns()
dripHeaders()
await openStreams()
announceUploads()
requestDossiers()
process.send?.('running')
process.once('message', () => {
  isOver = true
  process.send?.(counts, () => process.exit(0))
})
