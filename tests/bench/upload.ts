import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { migrateToLatest } from '@garantia/migrations'
import sharp from 'sharp'
import { CHUNK_CONTENT_TYPE, chunkHeaders, creationHeaders } from '../support/tus.ts'
import { isQuick, isWanted, options } from './options.ts'
import { record } from './record.ts'
import {
  type BenchContext,
  bench,
  type Child,
  MB,
  median,
  note,
  reference,
  rounds,
  SERVER,
  timed,
} from './support.ts'

/** Uploads over a real socket, to durable evidence rows (goal P6). */
const ROUNDS = options.rounds ?? (isQuick ? 2 : 7)
const ONE_LARGE = isQuick ? 50 : 200
const MANY = isQuick ? 20 : 200
const SMALL = 2
const HUGE = 2_000

interface File {
  name: string
  size: number
  read: () => Readable
}
interface Workload {
  name: string
  /** Each element is one request. */
  requests: File[][]
  /** Requests at a time. */
  at_once: number
  /** Whether the reference writes as durably as the product: an fsync a file. */
  isSynced: boolean
}

async function work(benchContext: BenchContext) {
  await migrateToLatest(benchContext.kernel.pool)
  const head = await sharp({ create: { width: 4_000, height: 3_000, channels: 3, background: '#777' } })
    .jpeg()
    .toBuffer()
  const sources = join(benchContext.dir, 'sources')
  await mkdir(sources)
  const [large] = await write(sources, 'large', head, 1, ONE_LARGE)
  const small = await write(sources, 'small', head, MANY, SMALL)
  const workloads: Workload[] = [
    { name: 'upload, 1 large file', requests: [large ? [large] : []], at_once: 1, isSynced: false },
    { name: 'upload, many files, one request', requests: [small], at_once: 1, isSynced: false },
    {
      name: 'upload, small files, three at a time',
      requests: small.map((file) => [file]),
      at_once: 3,
      isSynced: true,
    },
  ]
  const user = await benchContext.make.user({ role: 'admin', is_superuser: true })
  const token = await benchContext.kernel.ctx.sessions.open(user.id, { ip: null, user_agent: null })
  const brand = await benchContext.make.brand({ max_evidence_count: 1_000 })
  const company = await benchContext.make.company()
  const [ours, minimal] = await Promise.all([
    benchContext.start(SERVER),
    benchContext.start(reference('upload')),
  ])
  const stored = join(benchContext.dir, 'data')

  /** A new order each time, because the same bytes twice in one order are one file. */
  const toUs = async (workload: Workload, sendOne: (order_id: number, files: File[]) => Promise<unknown>) => {
    const order = await benchContext.make.order({ brand_id: brand.id, company_id: company.id })
    const ms = await timed(() => atOnce(workload, (files) => sendOne(order.id, files)))
    await rm(join(stored, 'files'), { recursive: true, force: true })
    return ms
  }
  const byForm = (order_id: number, files: File[]) =>
    send(`${ours.url}/api/v1/evidence/${order_id}/upload`, files, token)
  const byTus = async (order_id: number, files: File[]) => {
    for (const file of files) await sendByTus(ours.url, order_id, file, token)
  }
  const toReference = async (workload: Workload) => {
    const address = `${minimal.url}/${workload.isSynced ? '?sync' : ''}`
    const ms = await timed(() => atOnce(workload, (files) => send(address, files, token)))
    await rm(join(stored, 'reference'), { recursive: true, force: true })
    await mkdir(join(stored, 'reference'))
    return ms
  }

  const first = { name: 'first', requests: [small.slice(0, 1)], at_once: 1, isSynced: true }
  await toUs(first, byForm)
  await toUs(first, byTus)
  await toReference(first)
  // The baseline after a first small upload: the difference is what an upload adds.
  const idle = (await ours.usage()).rss
  let rise = 0
  for (const workload of workloads) {
    const { name } = workload
    if (!isWanted(name)) continue
    await ours.resetPeak()
    const cpu = { form: [] as number[], tus: [] as number[], minimal: [] as number[] }
    const samples = await rounds(ROUNDS, {
      form: () => spending(ours, cpu.form, () => toUs(workload, byForm)),
      tus: () => spending(ours, cpu.tus, () => toUs(workload, byTus)),
      minimal: () => spending(minimal, cpu.minimal, () => toReference(workload)),
    })
    const reference = median(samples.minimal)
    for (const [way, title] of [
      ['form', name],
      ['tus', `${name}, tus`],
    ] as const) {
      const product = median(samples[way])
      record(
        { name: title, unit: 'ms', product, reference, ratio: reference / product },
        { name: `${title}: CPU`, unit: 'ms', product: median(cpu[way]), reference: median(cpu.minimal) },
      )
    }
    rise = Math.max(rise, await riseOf(ours, idle))
    record({ name: 'upload, memory rise', unit: 'MB', product: rise })
    note(name)
  }
  if (isQuick || !isWanted('upload, 2 GB')) return
  const huge = { ...first, requests: [[generatedFile(head, HUGE)]] }
  await ours.resetPeak()
  for (const way of [byForm, byTus]) await toUs(huge, way)
  record({ name: 'upload, 2 GB, memory rise', unit: 'MB', product: await riseOf(ours, idle) })
}

async function atOnce({ requests, at_once }: Workload, sendOne: (files: File[]) => Promise<unknown>) {
  const queue = [...requests]
  const one = async () => {
    for (let files = queue.shift(); files; files = queue.shift()) await sendOne(files)
  }
  await Promise.all(Array.from({ length: at_once }, one))
}

async function spending(child: Child, spent: number[], work: () => Promise<number>) {
  const before = (await child.usage()).cpu_ms
  const ms = await work()
  spent.push((await child.usage()).cpu_ms - before)
  return ms
}
const riseOf = async (child: Child, before: number) => ((await child.usage()).peak - before) / MB

/** Unique files with the header of a JPEG; only a conversion would read further. */
async function write(
  dir: string,
  name: string,
  head: Buffer,
  count: number,
  megabytes: number,
): Promise<File[]> {
  const files: File[] = []
  for (let i = 0; i < count; i++) {
    const path = join(dir, `${name}-${i}.jpg`)
    await writeFile(path, Buffer.concat([head, randomBytes(megabytes * MB - head.length)]))
    const { size } = await stat(path)
    const read = () => createReadStream(path, { highWaterMark: 1 << 20 })
    files.push({ name: `${name}-${i}.jpg`, size, read })
  }
  return files
}

function generatedFile(head: Buffer, megabytes: number): File {
  const block = randomBytes(MB)
  const read = () =>
    Readable.from(
      (function* () {
        yield head
        for (let i = 0; i < megabytes; i++) yield block
      })(),
    )
  return { name: 'huge.jpg', size: head.length + megabytes * MB, read }
}

const BOUNDARY = '----garantia'
const END = `--${BOUNDARY}--\r\n`
const headOf = ({ name }: File) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: image/jpeg\r\n\r\n`

async function send(url: string, files: File[], token: string) {
  const length = files.reduce((sum, file) => sum + headOf(file).length + file.size + 2, END.length)
  const call = request(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': length,
    },
  })
  const answered = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    call.once('error', reject)
    call.once('response', async (response) => {
      try {
        resolve({ status: response.statusCode, text: Buffer.concat(await response.toArray()).toString() })
      } catch (error) {
        reject(error)
      }
    })
  })
  await pipeline(bodyOf(files), call)
  const { status, text } = await answered
  const taken = status === 201 ? (JSON.parse(text) as { uploaded: unknown[] }).uploaded.length : 0
  if (taken !== files.length) throw new Error(`${url} answered ${status} ${text.slice(0, 300)}`)
}

/** As the client does: so many bytes go with the first request. */
const FIRST_CHUNK_BYTES = 2 * 1024 * 1024
async function sendByTus(url: string, order_id: number, { name, size, read }: File, token: string) {
  const authorization = `Bearer ${token}`
  const about = { authorization, ...creationHeaders(size, { order_id, filename: name }) }
  const api = `${url}/api/v1/uploads`
  if (size <= FIRST_CHUNK_BYTES)
    return sendPiece(api, 'POST', { ...about, 'content-type': CHUNK_CONTENT_TYPE }, size, read())
  const begun = await fetch(api, { method: 'POST', headers: about })
  if (begun.status !== 201) throw new Error(`${begun.status} ${await begun.text()}`)
  const address = `${url}${begun.headers.get('location')}`
  return sendPiece(address, 'PATCH', { authorization, ...chunkHeaders(0) }, size, read())
}
async function sendPiece(
  url: string,
  method: string,
  headers: Record<string, string>,
  size: number,
  body: Readable,
) {
  const call = request(url, { method, headers: { ...headers, 'content-length': size } })
  const answered = once(call, 'response') as Promise<[IncomingMessage]>
  await Promise.all([pipeline(body, call), answered])
  const [response] = await answered
  const text = Buffer.concat(await response.toArray()).toString()
  if (!text.includes('"uploaded":[{')) throw new Error(`${response.statusCode} ${text.slice(0, 300)}`)
}

async function* bodyOf(files: File[]) {
  for (const file of files) {
    yield headOf(file)
    yield* file.read()
    yield '\r\n'
  }
  yield END
}

await bench('Upload', work)
