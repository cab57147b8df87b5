/**
 * Sends mutated files through the running product and reads what became of each: `npm run bench --
 * hostile-media [jpg heic mp4 pdf docx]`. No process may crash, no file stay without an answer.
 */
import { readFile, rm } from 'node:fs/promises'
import { zipSync } from 'fflate'
import { iphoneHeic, pdf, photo, video } from '../support/media.ts'
import { startProduct } from '../support/product.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isQuick, isWanted, options } from './options.ts'
import { record } from './record.ts'

const COUNT = isQuick ? 20 : 200 * (options.rounds ?? 5)
const PER_ORDER = 50

/** A generator that gives the same numbers in each run (mulberry32). */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** One to forty bytes changed, a part cut out, doubled or filled, or the end cut off; the head mostly stays. */
function mutated(original: Buffer, random: (below: number) => number) {
  const bytes = Buffer.from(original)
  const from = 16 + random(Math.max(1, bytes.length - 32))
  const length = 1 + random(2_000)
  const part = bytes.subarray(from, from + length)
  const kind = random(6)
  if (kind === 0) return bytes.subarray(0, from)
  if (kind === 1) return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)])
  if (kind === 2) return Buffer.concat([bytes.subarray(0, from), part, part, bytes.subarray(from)])
  if (kind === 3) part.fill(random(2) * 255)
  else
    for (let n = 1 + random(40); n > 0; n--)
      bytes[kind === 4 ? random(Math.min(bytes.length, 600)) : random(bytes.length)] = random(256)
  return bytes
}

const dir = temporaryFolder('hostis')
const TYPES =
  '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>'
const office = Buffer.from(
  zipSync({
    '[Content_Types].xml': Buffer.from(TYPES.repeat(5)),
    'word/document.xml': Buffer.from('<w/>'),
  }),
)
const KINDS: [name: string, originals: Buffer[]][] = [
  [
    'jpg',
    await Promise.all(
      (['jpeg', 'png', 'webp', 'avif', 'tiff'] as const).map(async (format) =>
        readFile(await photo(dir, { name: format, format, width: 400, height: 300, gps: true })),
      ),
    ),
  ],
  ['heic', [await readFile(await iphoneHeic(dir))]],
  [
    'mp4',
    await Promise.all(
      (['h264', 'mpeg4', 'mjpeg', 'vp9'] as const).map(async (codec, n) => {
        const container = (['mp4', 'mov', 'avi', 'webm'] as const)[n] ?? 'mp4'
        return readFile(
          await video(dir, { name: codec, codec, container, width: 160, height: 120, seconds: 1 }),
        )
      }),
    ),
  ],
  ['pdf', [await readFile(await pdf(dir, { photo: { width: 300, height: 200 } }))]],
  ['docx', [office]],
]

const product = await startProduct({ LOG_LEVEL: 'warn' })
const { url, firstSuperuser } = product
const before = { server: product.serverPid(), worker: product.workerPid() }
let token = ''
async function call(method: string, path: string, body?: BodyInit | object) {
  const isForm = body instanceof FormData || body instanceof URLSearchParams
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (answer.status >= 400 && !isForm) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return { status: answer.status, json: JSON.parse(text || 'null') }
}
const { email: username, password } = firstSuperuser
token = (await call('POST', '/login/access-token', new URLSearchParams({ username, password }))).json
  .access_token
await call('POST', '/brands/initialize')
const brand_id = (await call('GET', '/brands')).json.data[0].id
const company_id = (await call('GET', '/companies')).json.data[0].id
let worst = 0
let failures = 0
let os = 0
for (const [name, originals] of KINDS) {
  if (!isWanted(name)) continue
  const random = numbers(name.length * 7_919 + COUNT)
  const became = new Map<string, number>()
  const note = (what: string) => became.set(what, (became.get(what) ?? 0) + 1)
  for (let sent = 0; sent < COUNT; ) {
    const order = (
      await call('POST', '/service-orders', {
        os_number: String(100_000 + os++),
        brand_id,
        company_id,
        customer_name: 'Prova',
      })
    ).json
    for (let n = 0; n < PER_ORDER && sent < COUNT; n++, sent++) {
      const form = new FormData()
      const content = mutated(originals[sent % originals.length] ?? office, random)
      form.append('files', new Blob([content]), `prova-${sent}`)
      const { status } = await call('POST', `/evidence/${order.id}/upload`, form)
      if (status !== 201) note(`upload ${status}`)
      if (status >= 500) failures++
    }
    await call('POST', `/evidence-conversion/${order.id}/convert-all`)
    for (const until = Date.now() + 600_000; ; ) {
      const began = performance.now()
      const { evidence_files } = (await call('GET', `/evidence/${order.id}/evidence`)).json
      worst = Math.max(worst, performance.now() - began)
      const open = evidence_files.filter((file: { status: string }) =>
        ['converting', 'pending'].includes(file.status),
      )
      if (open.length === 0 || Date.now() > until) {
        for (const { status } of evidence_files) note(status)
        failures += open.length
        break
      }
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  console.log(name, Object.fromEntries(became))
}
const after = { server: product.serverPid(), worker: product.workerPid() }
const crashed = Number(before.server !== after.server) + Number(before.worker !== after.worker)
record(
  { name: 'hostile media, without an answer', unit: '', product: failures },
  { name: 'hostile media, crashed processes', unit: '', product: crashed },
  { name: 'hostile media, slowest list', unit: 'ms', product: worst },
)
console.log(
  product
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":50'))
    .slice(0, 20)
    .join('\n'),
)
await product.stop()
await rm(dir, { recursive: true, force: true })
process.exit(failures === 0 && crashed === 0 ? 0 : 1)
