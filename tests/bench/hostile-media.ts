/**
 * Sends mutated files through the running product and reads what became of each: `npm run bench --
 * hostile-media [jpg heic mp4 pdf docx xlsx csv nfe]`. No process may crash, no file stay without an answer.
 */
import { readFile, rm } from 'node:fs/promises'
import { zipSync } from 'fflate'
import { iphoneHeic, pdf, photo, video } from '../support/media.ts'
import { startProduct } from '../support/product.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { filesOf, IMPORT_KINDS, personsFor, sendImports } from './hostile-imports.ts'
import { mutated, numbers } from './mutations.ts'
import { isQuick, isWanted, options } from './options.ts'
import { record } from './record.ts'

const COUNT = isQuick ? 20 : 200 * (options.rounds ?? 5)
const PER_ORDER = 50

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

// Before the product starts: while they are made no connection is kept alive.
const imports = await Promise.all(
  IMPORT_KINDS.filter(isWanted).map(async (kind) => ({ kind, fileOf: await filesOf(kind) })),
)
const product = await startProduct({ LOG_LEVEL: 'warn' })
const { url, firstSuperuser } = product
const before = { server: product.serverPid(), worker: product.workerPid() }
let token = ''
const jsonOf = (text: string) => {
  try {
    return JSON.parse(text || 'null')
  } catch {
    return text
  }
}
async function api(token: string, method: string, path: string, body?: BodyInit | object) {
  const isForm = body instanceof FormData || body instanceof URLSearchParams
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, json: jsonOf(await answer.text()) }
}
async function call(method: string, path: string, body?: BodyInit | object) {
  const answer = await api(token, method, `/api/v1${path}`, body)
  if (answer.status >= 400 && !(body instanceof FormData))
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`)
  return answer
}
async function procedure(token: string, name: string, input: object) {
  const isQuery = name === 'one'
  const { status, json } = await api(
    token,
    isQuery ? 'GET' : 'POST',
    `/trpc/orderImports.${name}${isQuery ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''}`,
    isQuery ? undefined : input,
  )
  return { status, json: json?.result?.data }
}
const signIn = async (username: string, password: string) =>
  (await call('POST', '/login/access-token', new URLSearchParams({ username, password }))).json.access_token
const { email: username, password } = firstSuperuser
token = await signIn(username, password)
await call('POST', '/brands/initialize')
const brand_id = (await call('GET', '/brands')).json.data[0].id
const company_id = (await call('GET', '/companies')).json.data[0].id
/** Persons of their own for what is limited per person; made while the sign-in is young. */
const tokens = [token]
for (let n = 1; isWanted('nfe') && n < personsFor(COUNT); n++) {
  const person = { email: `prova${n}@exemplo.com.br`, full_name: `Prova ${n}`, password: `${password}-${n}` }
  await call('POST', '/users', { ...person, role: 'manager', company_id })
  tokens.push(await signIn(person.email, person.password))
}
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
for (const { kind, fileOf } of imports) {
  const targets = { tokens, company_id, brand_id }
  const importing = {
    api: (...[by, method, path, body]: Parameters<typeof api>) => api(by, method, `/api/v1${path}`, body),
    procedure,
  }
  const { became, failures: lost, slowest } = await sendImports(importing, kind, fileOf, COUNT, targets)
  failures += lost
  console.log(kind, Object.fromEntries(became), `slowest ${Math.round(slowest)} ms`)
}
const peakOf = async (pid: number | undefined) =>
  /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))?.[1]
console.log(
  `most memory (kB): server ${await peakOf(product.serverPid())}, worker ${await peakOf(product.workerPid())}`,
)
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
