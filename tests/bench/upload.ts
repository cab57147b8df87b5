import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { migrateToLatest } from '@garantia/migrations'
import sharp from 'sharp'
import { CHUNK_CONTENT_TYPE, chunkHeaders, creationHeaders } from '../support/tus.ts'
import {
  type BenchContext,
  bench,
  type Child,
  isQuick,
  MB,
  median,
  reference,
  rounds,
  SERVER,
  table,
  timed,
} from './support.ts'

/** Uploads over a real socket, to durable evidence rows (goal P6). */
const ROUNDS = isQuick ? 2 : 7
const ONE_LARGE = isQuick ? 50 : 200
const MANY = isQuick ? 20 : 200
const SMALL = 2
/** A photo as a phone sends it to a messenger, three of them at a time. */
const TINY = 0.2
const CLIENTS = 3
const HUGE = 2_000

interface File {
  name: string
  size: number
  read: () => Readable
  /** Its path on disk; generated content has none. */
  path?: string
}
interface Workload {
  name: string
  /** Each element is one request. */
  requests: File[][]
  /** Requests at a time; one after the other unless given. */
  clients?: number
}

async function work(lab: BenchContext) {
  await migrateToLatest(lab.kernel.pool)
  const head = await sharp({ create: { width: 4_000, height: 3_000, channels: 3, background: '#777' } })
    .jpeg()
    .toBuffer()
  const sources = join(lab.dir, 'sources')
  await mkdir(sources)
  const [large] = await write(sources, 'large', head, 1, ONE_LARGE)
  const small = await write(sources, 'small', head, MANY, SMALL)
  const tinies = await write(sources, 'tiny', head, MANY, TINY)
  const oneEach = (files: File[]) => files.map((file) => [file])
  const workloads: Workload[] = [
    { name: `1 × ${ONE_LARGE} MB`, requests: [large ? [large] : []] },
    { name: `${MANY} × ${SMALL} MB, one request`, requests: [small] },
    { name: `${MANY} × ${SMALL} MB, a request each`, requests: oneEach(small) },
    { name: `the same, ${CLIENTS} at a time`, requests: oneEach(small), clients: CLIENTS },
    { name: `${MANY} × ${TINY} MB, ${CLIENTS} at a time`, requests: oneEach(tinies), clients: CLIENTS },
  ]
  const user = await lab.make.user({ role: 'admin', is_superuser: true })
  const token = await lab.kernel.ctx.sessions.open(user.id, { ip: null, user_agent: null })
  const brand = await lab.make.brand({ max_evidence_count: 1_000 })
  const company = await lab.make.company()
  const [ours, minimal] = await Promise.all([lab.start(SERVER), lab.start(reference('upload'))])
  const stored = join(lab.dir, 'data')

  /** A new order each time, because the same bytes twice in one order are one file. */
  const toUs = async (workload: Workload) => {
    const order = await lab.make.order({ brand_id: brand.id, company_id: company.id })
    const address = `${ours.url}/api/v1/evidence/${order.id}/upload`
    const ms = await sendAll(workload, (files) => send(address, files, token))
    await rm(join(stored, 'files'), { recursive: true, force: true })
    return ms
  }
  /** The same files by tus, each an upload of its own. */
  const toUsByTus = async ({ name, requests, clients = 1 }: Workload) => {
    const order = await lab.make.order({ brand_id: brand.id, company_id: company.id })
    const ms = await sendAll({ name, requests: oneEach(requests.flat()), clients }, async (files) => {
      for (const file of files) await sendByTus(ours.url, order.id, file, token)
    })
    await rm(join(stored, 'files'), { recursive: true, force: true })
    return ms
  }
  const toReference = async (workload: Workload, query = '') => {
    const ms = await sendAll(workload, (files) => send(`${minimal.url}/${query}`, files, token))
    await rm(join(stored, 'reference'), { recursive: true, force: true })
    await mkdir(join(stored, 'reference'))
    return ms
  }
  const copies = join(lab.dir, 'copies')
  const copy = async ({ requests }: Workload) => {
    await mkdir(copies)
    const ms = await timed(async () => {
      for (const { path, name } of requests.flat()) if (path) await copyFile(path, join(copies, name))
    })
    await rm(copies, { recursive: true })
    return ms
  }

  const tiny: Workload = { name: 'tiny', requests: [small.slice(0, 1)] }
  await toUs(tiny)
  await toUsByTus(tiny)
  await toReference(tiny)
  // The baseline after a first small upload: the difference is what an upload adds.
  const [idle, plain] = [(await ours.usage()).rss, (await minimal.usage()).rss]
  const rows = []
  for (const workload of workloads) {
    await Promise.all([ours.resetPeak(), minimal.resetPeak()])
    const cpu: Record<'ours' | 'tus' | 'minimal', number[]> = { ours: [], tus: [], minimal: [] }
    const samples = await rounds(ROUNDS, {
      ours: () => spending(ours, cpu.ours, () => toUs(workload)),
      tus: () => spending(ours, cpu.tus, () => toUsByTus(workload)),
      minimal: () => spending(minimal, cpu.minimal, () => toReference(workload)),
      synced: () => toReference(workload, '?sync'),
      copy: () => copy(workload),
    })
    const ms = {
      ours: median(samples.ours),
      tus: median(samples.tus),
      minimal: median(samples.minimal),
      synced: median(samples.synced),
      copy: median(samples.copy),
    }
    const bytes = workload.requests.flat().reduce((sum, { size }) => sum + size, 0)
    rows.push([
      ...[workload.name, ms.ours, ms.tus, bytes / MB / (ms.ours / 1000), ms.minimal, ms.synced, ms.copy],
      ...[ms.minimal / ms.ours, ms.minimal / ms.tus, ms.synced / ms.ours, ms.synced / ms.tus],
      ...[ms.copy / ms.ours, median(cpu.ours), median(cpu.tus), median(cpu.minimal)],
      ...[await riseOf(ours, idle), await riseOf(minimal, plain)],
    ])
  }
  if (!isQuick) {
    const byTus = { name: `1 × ${HUGE} MB by tus`, requests: [[generatedFile(head, HUGE)]] }
    await ours.resetPeak()
    const spent: number[] = []
    const slow = await spending(ours, spent, () => toUsByTus(byTus))
    rows.push([
      ...[byTus.name, null, slow, HUGE / (slow / 1000), ...Array(9).fill(null), median(spent), null],
      ...[await riseOf(ours, idle), null],
    ])
    const huge = { name: `1 × ${HUGE} MB`, requests: [[generatedFile(head, HUGE)]] }
    await ours.resetPeak()
    const cpu: number[] = []
    const ms = await spending(ours, cpu, () => toUs(huge))
    const speed = HUGE / (ms / 1000)
    rows.push([
      ...[huge.name, ms, null, speed, ...Array(8).fill(null), median(cpu), null, null],
      ...[await riseOf(ours, idle), null],
    ])
  }
  console.log(
    `\nmedians of ${ROUNDS} rounds; «synced» is the minimal server with an fsync a file, as ours does`,
  )
  table(
    [
      ...['workload', 'ours ms', 'tus ms', 'MB/s', 'minimal ms', 'synced ms', 'copy ms'],
      ...[
        'minimal/ours',
        'minimal/tus',
        'synced/ours',
        'synced/tus',
        'copy/ours',
        'our CPU ms',
        'tus CPU ms',
        'its CPU ms',
        'our rise MB',
        'its rise MB',
      ],
    ],
    rows,
  )
}

/** Milliseconds from the first request to the last answer. */
const sendAll = ({ requests, clients = 1 }: Workload, sendOne: (files: File[]) => Promise<unknown>) =>
  timed(async () => {
    const left = requests.values()
    const client = async () => {
      for (const files of left) await sendOne(files)
    }
    await Promise.all(Array.from({ length: clients }, client))
  })

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
    files.push({ name: `${name}-${i}.jpg`, size, path, read })
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
