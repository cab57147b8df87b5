import { type HistoryLine, historyLines } from '@garantia/shared/dossier/history'
import type { DossierPart } from '@garantia/shared/dossier/schema'
import { packageLimit } from '@garantia/shared/evidence/budget'
import type { Check } from '@garantia/shared/evidence/checks'
import { checkPackage } from '@garantia/shared/evidence/validation'
import type { ToolVersions } from '@garantia/shared/tools'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { readRecorded } from '../../../kernel/storage/read-recorded.ts'
import { type BrandRow, findBrand } from '../../catalogue/brands/service.ts'
import { type EvidenceRow, liveFiles } from '../../evidence/files/service.ts'
import {
  type ArchiveEntry,
  describeReadError,
  type PackagedFile,
  packagedFiles,
  refuseLost,
  sha256Of,
  sumsOf,
} from '../../evidence/package/service.ts'
import { refuseFullDisk } from '../../evidence/quota/service.ts'
import { lockedOrder, readOrder } from '../../orders/order/service.ts'
import { type ChainHead, chainHead } from '../chain/service.ts'
import { type DossierOrder, dossierOrder, manifestOf } from './manifest.ts'
import {
  companyOf,
  type DossierCompany,
  eventsOf,
  findDossier,
  findStranded,
  uploadersOf,
} from './queries.ts'

/**
 * The contents of a dossier, read in one transaction under the order's lock, so that no file changes
 * meanwhile.
 */
export interface DossierBuild {
  dossier_id: number
  order_id: number
  n: number
  actor: string
  order: DossierOrder
  company: DossierCompany
  brand: BrandRow
  files: PackagedFile[]
  /** Names by the id of who sent a file. */
  people: ReadonlyMap<number, string>
  history: HistoryLine[]
  left_out: EvidenceRow[]
  checks: Check[]
  head: ChainHead
}

/**
 * Reads the contents of a dossier and marks it as being built. Null when there is nothing to build: it is
 * sealed or failed already, or its order was deleted, which fails it. 409 when files have expired or are
 * missing in the storage; 507 without space for the ZIP.
 */
export async function readContents(ctx: Ctx, dossier_id: number): Promise<DossierBuild | null> {
  const dossier = await findDossier(ctx, dossier_id)
  if (!dossier || dossier.status === 'sealed' || dossier.status === 'failed') return null
  const { order_id, n, actor_name: actor } = dossier
  const contents = await inTransaction(ctx, async (ctx) => {
    if (await isGone(ctx, order_id)) return null
    const { brand_id, company_id } = await lockedOrder(ctx, order_id)
    await ctx.db
      .updateTable('dossiers')
      .set({ status: 'building', progress: 0 })
      .where('id', '=', dossier_id)
      .execute()
    const [order, brand, company, rows] = [
      await readOrder(ctx, order_id),
      await findBrand(ctx, brand_id),
      await companyOf(ctx, company_id),
      await liveFiles(ctx, order_id),
    ]
    const files = packagedFiles(rows)
    return {
      dossier_id,
      order_id,
      n,
      actor,
      order: dossierOrder(order, company.tax_id),
      company,
      brand,
      files,
      people: await uploadersOf(ctx, order_id),
      history: historyLines(await eventsOf(ctx, order_id)),
      left_out: rows.filter((row) => files.every((file) => file.row.id !== row.id)),
      // Only V01 to V11: reused photos (V13) and the other warnings are internal.
      checks: checkPackage(brand, order, rows, {
        purpose: order.status === 'completed' ? 'completion' : 'package',
      }),
      head: await chainHead(ctx, order_id),
    }
  })
  if (contents) {
    await refuseLost(ctx, contents.files)
    await refuseFullDisk(
      ctx,
      contents.files.reduce((sum, file) => sum + file.size, 0),
    )
  } else await failDossier(ctx, dossier_id, 'A OS foi excluída.')
  return contents
}

const isGone = async (ctx: Ctx, id: number) =>
  !(await ctx.db
    .selectFrom('service_orders')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .select('id')
    .executeTakeFirst())

/** Records the progress of a build in percent, 0–99; ignored when it is not being built. */
export async function reportDossier(ctx: Ctx, dossier_id: number, percent: number) {
  await ctx.db
    .updateTable('dossiers')
    .set({ progress: Math.min(99, Math.max(0, Math.floor(percent))) })
    .where('id', '=', dossier_id)
    .where('status', '=', 'building')
    .execute()
}

/** A generated file of the dossier, as stored. */
export interface MadePart {
  part: DossierPart
  name: string
  key: string
  size: number
  sha256: string
  crc32: number
}

/** The manifest, and everything that the ZIP contains: media, reports, then the manifest and SHA256SUMS. */
export function archiveOf(
  ctx: Ctx,
  build: DossierBuild,
  reports: readonly MadePart[],
  sealed_at: Date,
  tools: ToolVersions,
) {
  const manifest = `${JSON.stringify(
    manifestOf({
      ...build,
      sealed_at,
      tools,
      reports: reports.map(({ name, size, sha256 }) => ({ name, size, sha256 })),
      package_limit_bytes: packageLimit(build.brand.max_file_size_mb),
    }),
    null,
    2,
  )}\n`
  const sums = sumsOf([...build.files, ...reports, { name: 'manifesto.json', sha256: sha256Of(manifest) }])
  const stored = [...build.files, ...reports.map((report) => ({ ...report, at: sealed_at }))]
  const generated = { 'manifesto.json': manifest, SHA256SUMS: sums }
  const entries: ArchiveEntry[] = [
    ...stored.map((file) => ({ ...file, read: () => readFile(ctx, build, file) })),
    ...Object.entries(generated).map(([name, text]) => ({ name, at: sealed_at, read: () => bytesOf(text) })),
  ]
  return { manifest, entries }
}

async function* readFile(ctx: Ctx, { files }: DossierBuild, file: Parameters<typeof readRecorded>[1]) {
  try {
    yield* readRecorded(ctx.storage, file)
  } catch (error) {
    throw describeReadError(error, files)
  }
}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

/**
 * Seals the version once and records its event. False when its order is deleted or another worker has sealed
 * it already; the generated files are then removed.
 */
export async function sealDossier(
  ctx: Ctx,
  { dossier_id, order_id, n, head }: DossierBuild,
  made: readonly MadePart[],
  manifest: string,
  sealed_at: Date,
): Promise<boolean> {
  const isSealed = await inTransaction(ctx, async (ctx) => {
    if (await isGone(ctx, order_id)) return false
    await lockedOrder(ctx, order_id)
    const { numUpdatedRows } = await ctx.db
      .updateTable('dossiers')
      .set({
        status: 'sealed',
        progress: 100,
        error: null,
        sealed_at,
        manifest,
        chain_seq: head.seq,
        chain_hash: head.hash,
      })
      .where('id', '=', dossier_id)
      .where('status', '=', 'building')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await ctx.db
      .insertInto('dossier_files')
      .values(made.map(({ part, key, size, sha256 }) => ({ dossier_id, part, key, size, sha256 })))
      .execute()
    const zip = made.find(({ part }) => part === 'zip')
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: 'dossier.sealed',
      changes: { n, sha256: zip?.sha256, size: zip?.size, manifest_sha256: sha256Of(manifest) },
    })
    return true
  })
  if (!isSealed) for (const { key } of made) await ctx.storage.remove(key)
  return isSealed
}

/** Marks a version as failed with its reason; a new request creates the next version. */
export async function failDossier(ctx: Ctx, dossier_id: number, error: string) {
  await ctx.db
    .updateTable('dossiers')
    .set({ status: 'failed', error })
    .where('id', '=', dossier_id)
    .where('status', 'in', ['queued', 'building'])
    .execute()
}

const INTERRUPTED = 'A montagem do dossiê foi interrompida várias vezes. Gere-o de novo.'
/** Fails the versions whose job no longer exists, so that none stays in preparation for ever. */
export async function failStrandedDossiers(ctx: Ctx) {
  for (const { id } of await findStranded(ctx)) await failDossier(ctx, id, INTERRUPTED)
}
