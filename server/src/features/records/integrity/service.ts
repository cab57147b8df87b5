import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Ctx } from '../../../kernel/context.ts'
import { JOURNAL } from '../../../kernel/event-keys.ts'
import { digestOf, writeDigested } from '../../../kernel/storage/digest.ts'
import { nullIfMissing } from '../../../kernel/storage/disk.ts'
import type { StoredEntry } from '../../../kernel/storage/storage.ts'
import { keptLogos } from '../../catalogue/companies/service.ts'
import { keptArchives } from '../../evidence/archives/service.ts'
import { faultyParts, removeParts } from '../../evidence/uploads/service.ts'
import { keptExports } from '../privacy/service.ts'
import { type Expected, expectedObjects, foldersOfUploads, ordersWithObjects } from './queries.ts'

export type FaultKind = 'missing' | 'mismatch' | 'orphan'
/** What is wrong with a stored file, in one word. */
export const FILE_FAULT: Record<FaultKind, string> = {
  missing: 'ausente',
  mismatch: 'alterado',
  orphan: 'órfão',
}
export interface Fault {
  kind: FaultKind
  key: string
  /** Null for an object outside every order. */
  order_id: number | null
  size: number | null
}
export interface Rescued {
  key: string
  /** The order in whose folder it lay, which the database may not have. */
  order_id: number | null
  size: number
  sha256: string
}
export interface IntegrityReport {
  orders: number
  objects: number
  bytes: number
  faults: Fault[]
}

/** Objects are written before their row: younger ones may still get one. */
const GRACE_PERIOD_MS = 3_600_000

/**
 * Compares the rows with the storage and reports missing objects, objects with other bytes than recorded, and
 * objects without a row. `deep` reads every byte; otherwise sizes are compared.
 */
export async function verifyStorage(ctx: Ctx, { deep = true } = {}): Promise<IntegrityReport> {
  const report: IntegrityReport = { orders: 0, objects: 0, bytes: 0, faults: [] }
  const seen = new Set<number>()
  for await (const order_id of ordersWithObjects(ctx)) {
    seen.add(order_id)
    report.orders++
    const first = await lookAt(ctx, order_id, deep)
    report.objects += first.objects
    report.bytes += first.bytes
    // A file may have been replaced or deleted between the two reads; a real fault is found again.
    if (first.faults.length > 0) {
      const before = new Set(first.faults.map(({ key }) => key))
      const { faults } = await lookAt(ctx, order_id, deep)
      report.faults.push(...faults.filter(({ key }) => before.has(key)))
    }
  }
  const outsideOrders = new Set([...(await keptArchives(ctx)), ...(await keptExports(ctx))])
  const logos = await keptLogos(ctx)
  report.faults.push(...(await logoFaults(ctx, logos, deep)))
  for (const { key } of logos) outsideOrders.add(key)
  for await (const entry of ctx.storage.list()) {
    if (outsideOrders.has(entry.key)) continue
    const order_id = orderOf(entry.key)
    if (entry.key.startsWith(`${JOURNAL}/`)) continue
    if (order_id !== null && seen.has(order_id)) continue
    if (isPastGracePeriod(ctx, entry))
      report.faults.push({ kind: 'orphan', key: entry.key, order_id: null, size: entry.size })
  }
  report.faults.push(...(await faultyParts(ctx, GRACE_PERIOD_MS)))
  return report
}

const orderOf = (key: string) => {
  const id = /^os\/(\d+)\//.exec(key)?.[1]
  return id === undefined ? null : Number(id)
}
const isPastGracePeriod = (ctx: Ctx, { modified_at }: StoredEntry) =>
  ctx.clock().getTime() - modified_at.getTime() > GRACE_PERIOD_MS

async function lookAt(ctx: Ctx, order_id: number, deep: boolean) {
  const expected = await expectedObjects(ctx, order_id)
  const stored = new Map<string, StoredEntry>()
  for await (const entry of ctx.storage.list(`os/${order_id}`)) stored.set(entry.key, entry)
  const faults: Fault[] = []
  let bytes = 0
  for (const object of expected) {
    const entry = stored.get(object.key)
    bytes += entry?.size ?? 0
    if (!entry) faults.push({ kind: 'missing', key: object.key, order_id, size: object.size })
    else if (!(await isAsRecorded(ctx, object, entry, deep)))
      faults.push({ kind: 'mismatch', key: object.key, order_id, size: entry.size })
  }
  const known = new Set(expected.map(({ key }) => key))
  const unfinished = await foldersOfUploads(ctx, order_id)
  const isNamed = (key: string) => known.has(key) || unfinished.some((folder) => key.startsWith(folder))
  for (const entry of stored.values())
    if (!isNamed(entry.key) && isPastGracePeriod(ctx, entry))
      faults.push({ kind: 'orphan', key: entry.key, order_id, size: entry.size })
  return { objects: expected.length, bytes, faults }
}

/** Logos of companies that are missing or changed; one that was replaced meanwhile is neither. */
async function logoFaults(ctx: Ctx, logos: readonly Expected[], deep: boolean) {
  const faults: Fault[] = []
  for (const logo of logos) {
    const size = await ctx.storage.size(logo.key)
    const fault = { key: logo.key, order_id: null, size: size ?? logo.size }
    if (size === null) faults.push({ kind: 'missing', ...fault })
    else if (!(await isAsRecorded(ctx, logo, { size }, deep))) faults.push({ kind: 'mismatch', ...fault })
  }
  if (faults.length === 0) return faults
  const now = new Set((await keptLogos(ctx)).map(({ key }) => key))
  return faults.filter(({ key }) => now.has(key))
}

async function isAsRecorded(
  ctx: Ctx,
  { key, size, sha256 }: Expected,
  entry: { size: number },
  deep: boolean,
) {
  if (size !== null && entry.size !== size) return false
  if (!deep || sha256 === null) return true
  return (await digestOf(await ctx.storage.read(key))).sha256 === sha256
}

/**
 * Copies objects that no row names, as those of a newer time than a restored database, into a folder under their keys;
 * deletes none and replaces no file. Returns what was copied.
 */
export async function rescueOrphans(ctx: Ctx, folder: string): Promise<Rescued[]> {
  const { faults } = await verifyStorage(ctx, { deep: false })
  const rescued: Rescued[] = []
  for (const { kind, key } of faults) {
    if (kind !== 'orphan') continue
    const body = await ctx.storage.read(key).catch(nullIfMissing)
    // A part of an upload, or removed since it was listed.
    if (!body) continue
    const path = join(folder, key)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    rescued.push({ key, order_id: orderOf(key), ...(await writeDigested(body, path)) })
  }
  return rescued
}

/**
 * Deletes objects that no row names and that are older than an hour; returns their number and size in bytes.
 */
export async function removeOrphans(ctx: Ctx) {
  const { faults } = await verifyStorage(ctx, { deep: false })
  const orphans = faults.filter(({ kind }) => kind === 'orphan')
  const parts = await removeParts(
    ctx,
    orphans.map(({ key }) => key),
  )
  for (const { key } of orphans) if (!parts.has(key)) await ctx.storage.remove(key)
  return { objects: orphans.length, bytes: orphans.reduce((sum, { size }) => sum + (size ?? 0), 0) }
}
