import { setTimeout as sleep } from 'node:timers/promises'
import type { ImportView } from '@garantia/shared/orders/import'
import { csvSeeds, hostileCsv, hostileNfe, hostileXlsx, nfeSeeds, xlsxSeeds } from './hostile-sheets.ts'
import { mutated, mutatedInside, numbers, type Random, withTokens } from './mutations.ts'

/** The running product, as a person with that token calls it. */
export interface Product {
  api(
    token: string,
    method: string,
    path: string,
    body?: FormData,
  ): Promise<{ status: number; json: unknown }>
  procedure(token: string, name: string, input: object): Promise<{ status: number; json: unknown }>
}
export interface Outcome {
  /** How often each answer was given. */
  became: Map<string, number>
  /** Answers of 500 and above, and files without any. */
  failures: number
  /** Milliseconds. */
  slowest: number
}

const AT_ONCE = 10
/** Documents that a person may have read in five minutes. */
const PER_PERSON = 55
const LONGEST_MS = 300_000

type Kind = 'xlsx' | 'csv' | 'nfe'
/** The content of the file with that number. */
type FileOf = (n: number, random: Random) => Buffer
export const IMPORT_KINDS: readonly Kind[] = ['xlsx', 'csv', 'nfe']
export const personsFor = (count: number) => Math.ceil(count / PER_PERSON)

/** The hostile files made by hand, then mutations of valid ones. */
export async function filesOf(kind: Kind): Promise<FileOf> {
  const [seeds, hostile] =
    kind === 'xlsx'
      ? [await xlsxSeeds(), hostileXlsx()]
      : kind === 'csv'
        ? [csvSeeds(), hostileCsv()]
        : [nfeSeeds(), hostileNfe()]
  return (n: number, random: Random) => {
    const made = hostile[n]
    if (made) return made
    const seed = seeds[n % seeds.length] ?? Buffer.alloc(0)
    if (random(3) === 0) return mutated(seed, random)
    return kind === 'xlsx' ? mutatedInside(seed, random) : withTokens(seed, random)
  }
}

/** Sends that many files of a kind, ten at a time, and follows each to its end. */
export async function sendImports(
  product: Product,
  kind: Kind,
  fileOf: FileOf,
  count: number,
  { tokens, company_id, brand_id }: { tokens: readonly string[]; company_id: number; brand_id: number },
): Promise<Outcome> {
  const outcome: Outcome = { became: new Map(), failures: 0, slowest: 0 }
  const random = numbers(count + kind.charCodeAt(0))
  const note = (what: string) => outcome.became.set(what, (outcome.became.get(what) ?? 0) + 1)
  const one = async (n: number, content: Buffer) => {
    const token = tokens[Math.floor(n / PER_PERSON)] ?? tokens[0] ?? ''
    const began = performance.now()
    const what = await (kind === 'nfe'
      ? readInvoice(product, token, content)
      : importFile(product, token, { content, n, company_id, brand_id })
    ).catch((error: unknown) => `lost: ${error}`)
    outcome.slowest = Math.max(outcome.slowest, performance.now() - began)
    if (/^lost|\b5\d\d$/.test(what)) {
      outcome.failures++
      console.log(kind, n, what)
    }
    note(what)
  }
  for (let n = 0; n < count; n += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - n) }, (_, index) => n + index)
    await Promise.all(batch.map((n) => one(n, fileOf(n, random))))
  }
  return outcome
}

async function readInvoice({ procedure }: Product, token: string, content: Buffer) {
  const xml = content.toString(content.length % 5 === 0 ? 'latin1' : 'utf8')
  const { status } = await procedure(token, 'invoice', { xml })
  return `invoice ${status}`
}

interface ImportFile {
  content: Buffer
  n: number
  company_id: number
  brand_id: number
}
/** From the upload to the last order, with the dry run between. */
async function importFile(product: Product, token: string, { content, n, company_id, brand_id }: ImportFile) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(content)]), `prova-${n}`)
  const sent = await product.api(token, 'POST', `/service-orders/imports?company_id=${company_id}`, form)
  if (sent.status !== 201) return `upload ${sent.status}`
  const { id } = sent.json as ImportView
  const ended = async () => {
    for (const until = Date.now() + LONGEST_MS; Date.now() < until; await sleep(300)) {
      const { status, json } = await product.procedure(token, 'one', { id })
      if (status !== 200) throw new Error(`one ${status}`)
      const view = json as ImportView
      if (view.status !== 'reading' && view.status !== 'running') return view
    }
    throw new Error('no end')
  }
  const read = await ended()
  if (read.status === 'failed') return `failed: ${read.error}`
  const mapping = { os_number: 0, ...read.mapping }
  const check = await product.procedure(token, 'check', { id, mapping, brand_id })
  if (check.status !== 200) return `check ${check.status}`
  const run = await product.procedure(token, 'run', { id, mapping, brand_id, mode: 'valid' })
  if (run.status !== 200) return `run ${run.status}`
  return (await ended()).status
}
