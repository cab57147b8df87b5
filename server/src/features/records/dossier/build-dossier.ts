import { type HistoryLine, historyLines } from '@garantia/shared/dossier/history'
import type { Check } from '@garantia/shared/evidence/checks'
import { type OrderBesidePhoto, readingSentence } from '@garantia/shared/evidence/reading-warnings'
import { checkPackage } from '@garantia/shared/evidence/validation'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { type BrandRow, findBrand } from '../../catalogue/brands/service.ts'
import { findLogo } from '../../catalogue/companies/service.ts'
import { type EvidenceRow, liveFiles, readingBeside } from '../../evidence/files/service.ts'
import { type PackagedFile, packagedFiles, refuseLost } from '../../evidence/package/service.ts'
import { refuseFullDisk } from '../../evidence/quota/service.ts'
import { lockedOrder, readOrder } from '../../orders/order/service.ts'
import { type ChainHead, chainHead } from '../chain/service.ts'
import { type DossierOrder, dossierOrder } from './manifest.ts'
import { filesIn, type PreviousVersion } from './provenance.ts'
import {
  companyOf,
  type DossierCompany,
  eventsOf,
  findDossier,
  findStranded,
  guestLinksOf,
  lastSealed,
  uploadersOf,
} from './queries.ts'

/** A file with the sentence that its photo confirms the order; null where it does not. */
export interface DossierFile extends PackagedFile {
  confirmed?: string | null
}

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
  /** The dealership's logo as it is stored. */
  logo: { key: string; format: string; size: number } | null
  brand: BrandRow
  files: DossierFile[]
  /** Names by the id of who sent a file. */
  people: ReadonlyMap<number, string>
  /** For whom the links for photos were made, by their ids. */
  links: ReadonlyMap<number, string>
  history: HistoryLine[]
  left_out: EvidenceRow[]
  checks: Check[]
  head: ChainHead
  previous: PreviousVersion | null
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
    const locked = await lockedOrder(ctx, order_id)
    const { brand_id, company_id } = locked
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
    const files = packagedFiles(rows).map((file) => ({ ...file, confirmed: confirmedBy(ctx, file, locked) }))
    return {
      dossier_id,
      order_id,
      n,
      actor,
      order: dossierOrder(order, company.tax_id),
      company,
      logo: (await findLogo(ctx, company_id)) ?? null,
      brand,
      files,
      people: await uploadersOf(ctx, order_id),
      links: await guestLinksOf(ctx, order_id),
      history: historyLines(await eventsOf(ctx, order_id)),
      left_out: rows.filter((row) => files.every((file) => file.row.id !== row.id)),
      // Only V01 to V11: reused photos (V13) and the other warnings are internal.
      checks: checkPackage(brand, order, rows, {
        purpose: order.status === 'completed' ? 'completion' : 'package',
      }),
      head: await chainHead(ctx, order_id),
      previous: await previousVersion(ctx, order_id),
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

/** Only what is equal is said to others: what differs is for the house to look at. */
function confirmedBy(
  ctx: Ctx,
  { row }: PackagedFile,
  order: Parameters<typeof readingBeside>[2] & OrderBesidePhoto,
) {
  const reading = readingBeside(ctx, row, order)
  return reading?.verdict === 'match' ? readingSentence(reading, order) : null
}

async function previousVersion(ctx: Ctx, order_id: number): Promise<PreviousVersion | null> {
  const last = await lastSealed(ctx, order_id)
  if (!last) return null
  const { n, sealed_at, manifest, manifest_sha256 } = last
  return {
    about: { version: n, sealed_at: sealed_at?.toISOString() ?? '', manifest_sha256: manifest_sha256 ?? '' },
    files: filesIn(manifest ?? ''),
  }
}

/** Whether an order was deleted. */
export const isGone = async (ctx: Ctx, id: number) =>
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
