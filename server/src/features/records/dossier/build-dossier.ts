import type { DossierPart } from '@garantia/shared/dossier/schema'
import { packageLimit } from '@garantia/shared/evidence/budget'
import type { Check } from '@garantia/shared/evidence/checks'
import { checkPackage } from '@garantia/shared/evidence/validation'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { readZip } from '../../../kernel/zip-read.ts'
import { type BrandRow, findBrand } from '../../catalogue/brands/service.ts'
import { type EvidenceRow, liveFiles } from '../../evidence/files/service.ts'
import {
  describeReadError,
  layOutFiles,
  type PackagedFile,
  packagedFiles,
  refuseLost,
  sha256Of,
  sumsOf,
} from '../../evidence/package/service.ts'
import { lockedOrder, readOrder } from '../../orders/order/service.ts'
import { type ChainHead, chainHead } from '../chain/service.ts'
import { type DossierOrder, dossierOrder, manifestOf } from './manifest.ts'
import { findDossier, findStranded } from './queries.ts'

/** The order as a dossier shows it: one moment, read while nobody can change a file. */
export interface DossierBuild {
  dossier_id: number
  order_id: number
  n: number
  actor: string
  order: DossierOrder
  brand: BrandRow
  files: PackagedFile[]
  left_out: EvidenceRow[]
  checks: Check[]
  head: ChainHead
}

/** Null when there is nothing left to build: sealed or given up already, or its order is gone. */
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
    const [order, brand, rows] = [
      await readOrder(ctx, order_id),
      await findBrand(ctx, brand_id),
      await liveFiles(ctx, order_id),
    ]
    const { tax_id } = await ctx.db
      .selectFrom('companies')
      .where('id', '=', company_id)
      .select('tax_id')
      .executeTakeFirstOrThrow()
    const files = packagedFiles(rows)
    return {
      dossier_id,
      order_id,
      n,
      actor,
      order: dossierOrder(order, tax_id),
      brand,
      files,
      left_out: rows.filter((row) => files.every((file) => file.row.id !== row.id)),
      // Photos of other orders (V13) and other doubts are the desk's own affair.
      checks: checkPackage(brand, order, rows, {
        purpose: order.status === 'completed' ? 'completion' : 'package',
      }),
      head: await chainHead(ctx, order_id),
    }
  })
  if (contents) await refuseLost(ctx, contents.files)
  else await failDossier(ctx, dossier_id, 'A OS foi excluída.')
  return contents
}

const isGone = async (ctx: Ctx, id: number) =>
  !(await ctx.db
    .selectFrom('service_orders')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .select('id')
    .executeTakeFirst())

export async function reportDossier(ctx: Ctx, dossier_id: number, percent: number) {
  await ctx.db
    .updateTable('dossiers')
    .set({ progress: Math.min(99, Math.max(0, Math.floor(percent))) })
    .where('id', '=', dossier_id)
    .where('status', '=', 'building')
    .execute()
}

/** A paper of the dossier as it lies in the storage. */
export interface MadePart {
  part: DossierPart
  name: string
  key: string
  size: number
  sha256: string
  crc32: number
}

/** The whole as a ZIP stream: media first, the reports, then the manifest and the sums that prove them. */
export function zipOf(ctx: Ctx, build: DossierBuild, reports: readonly MadePart[], sealed_at: Date) {
  const manifest = `${JSON.stringify(
    manifestOf({
      ...build,
      sealed_at,
      parts: reports.map(({ name, size, sha256 }) => ({ name, size, sha256 })),
      package_limit_bytes: packageLimit(build.brand.max_file_size_mb),
    }),
    null,
    2,
  )}\n`
  const sums = sumsOf([...build.files, ...reports, { name: 'manifesto.json', sha256: sha256Of(manifest) }])
  const layout = layOutFiles(
    [...build.files, ...reports.map((report) => ({ ...report, at: sealed_at }))],
    [
      { name: 'manifesto.json', chunks: [Buffer.from(manifest)] },
      { name: 'SHA256SUMS', chunks: [Buffer.from(sums)] },
    ],
  )
  return { manifest, stream: translateReadErrors(build, readZip(ctx.storage, layout)) }
}

async function* translateReadErrors({ files }: DossierBuild, zip: AsyncIterable<Buffer>) {
  try {
    yield* zip
  } catch (error) {
    throw describeReadError(error, files)
  }
}

/** Seals the version, once: a second worker on the same dossier finds it sealed and drops what it made. */
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

/** Says why a version could not be made; asking again makes the next one. */
export async function failDossier(ctx: Ctx, dossier_id: number, error: string) {
  await ctx.db
    .updateTable('dossiers')
    .set({ status: 'failed', error })
    .where('id', '=', dossier_id)
    .where('status', 'in', ['queued', 'building'])
    .execute()
}

const INTERRUPTED = 'A montagem do dossiê foi interrompida várias vezes. Gere-o de novo.'
/** A version whose job is gone for good is failed visibly: nothing stays under way for ever. */
export async function failStrandedDossiers(ctx: Ctx) {
  for (const { id } of await findStranded(ctx)) await failDossier(ctx, id, INTERRUPTED)
}
