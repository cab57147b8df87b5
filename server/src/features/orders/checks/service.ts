import { createHash } from 'node:crypto'
import type { ServiceOrders } from '@garantia/migrations/schema'
import { ruleViolation } from '@garantia/shared/errors'
import type { Check } from '@garantia/shared/evidence/checks'
import { readingOf, storedReadingOf } from '@garantia/shared/evidence/reading'
import { warnAboutReadings } from '@garantia/shared/evidence/reading-warnings'
import { checkPackage, type Findings } from '@garantia/shared/evidence/validation'
import { warnAbout } from '@garantia/shared/evidence/warnings'
import type { Selectable } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { inParallel } from '../../../kernel/parallel.ts'
import { findBrand } from '../../catalogue/brands/service.ts'
import { type FileRow, filesToCheck, findRepeats, findReuses, presentationSize } from './queries.ts'

interface CheckOptions {
  purpose?: Findings['purpose']
  /** `bytes` reads every stored object again; `sizes` only checks that it exists with its recorded size. */
  integrity: 'bytes' | 'sizes'
}

/**
 * All checks of an order's package, V01 to V20 (D-23). Does not check permissions: the caller has done so.
 * 404 when the brand does not exist; 400 when the caller is gone before all bytes are read.
 */
export async function checksOf(
  ctx: Ctx,
  order: Selectable<ServiceOrders>,
  { purpose = 'package', integrity }: CheckOptions,
): Promise<Check[]> {
  const [brand, files, powerpoint_bytes] = await Promise.all([
    findBrand(ctx, order.brand_id),
    filesToCheck(ctx, order.id),
    presentationSize(ctx, order.id),
  ])
  const readings = readingsIn(ctx, files, order)
  const [reuses, damaged, repeats] = await Promise.all([
    findReuses(ctx, order, files.length),
    findDamage(ctx, files, integrity),
    readings.length > 0 ? findRepeats(ctx, order) : [],
  ])
  return [
    ...checkPackage(brand, order, files, { damaged, powerpoint_bytes, purpose }),
    ...warnAbout(brand, order, files, reuses),
    ...warnAboutReadings(order, readings, repeats),
  ]
}

/** What was read in the order's photos, where the house has it on. */
const readingsIn = (ctx: Ctx, files: readonly FileRow[], order: Selectable<ServiceOrders>) =>
  files.flatMap((file) => {
    const reading = ctx.config.PHOTO_READING && readingOf(storedReadingOf(file.reading), file, order)
    return reading ? [{ id: file.id, reading }] : []
  })

/** Objects whose sizes are asked at a time. */
const SIZES_AT_ONCE = 8
/** Up to this size an object is read whole into memory. */
const SMALL_BYTES = 1_000_000
/** Small objects at a time; a caller who is gone is noticed between them. */
const HASHES_AT_ONCE = 64

/** Files whose original or converted copy is missing, truncated or changed (V08). */
async function findDamage(ctx: Ctx, files: readonly FileRow[], integrity: CheckOptions['integrity']) {
  const objects = files.filter(({ purged_at }) => !purged_at).flatMap(objectsOf)
  const lost = integrity === 'sizes' ? await ofOtherSize(ctx, objects) : await changed(ctx, objects)
  const damaged = new Map<number, { id: number; isOriginalLost: boolean }>()
  for (const { id, isOriginal } of lost) {
    const isOriginalLost = isOriginal || damaged.get(id)?.isOriginalLost === true
    damaged.set(id, { id, isOriginalLost })
  }
  return [...damaged.values()]
}

interface Recorded {
  id: number
  isOriginal: boolean
  key: string
  size: number
  sha256: string
}

/** The original, and the converted copy if there is one. */
function objectsOf({ id, original_key, file_size, sha256, ...copy }: FileRow): Recorded[] {
  const original = { id, isOriginal: true, key: original_key, size: file_size, sha256 }
  const { status, converted_key, converted_size, converted_sha256 } = copy
  if (status !== 'converted' || !converted_key || !converted_size || !converted_sha256) return [original]
  return [
    original,
    { id, isOriginal: false, key: converted_key, size: converted_size, sha256: converted_sha256 },
  ]
}

async function ofOtherSize(ctx: Ctx, objects: readonly Recorded[]) {
  const isSame = await inParallel(objects, SIZES_AT_ONCE, async ({ key, size }) => {
    refuseIfGone(ctx)
    return (await ctx.storage.size(key)) === size
  })
  return objects.filter((_, place) => !isSame[place])
}

/** Large objects are read one after the other: they would slow each other on one disk. */
async function changed(ctx: Ctx, objects: readonly Recorded[]) {
  const { small = [], large = [] } = Object.groupBy(objects, ({ size }) =>
    size <= SMALL_BYTES ? 'small' : 'large',
  )
  const lost: Recorded[] = []
  for (let from = 0; from < small.length; from += HASHES_AT_ONCE) {
    refuseIfGone(ctx)
    const some = small.slice(from, from + HASHES_AT_ONCE)
    const hashes = await ctx.storage.hashes(some)
    lost.push(...some.filter(({ sha256 }, place) => hashes[place] !== sha256))
  }
  for (const object of large) if (!(await isWhole(ctx, object))) lost.push(object)
  return lost
}

async function isWhole(ctx: Ctx, { key, size, sha256 }: Recorded) {
  const { storage } = ctx
  if ((await storage.size(key)) !== size) return false
  const digest = createHash('sha256')
  for await (const chunk of await storage.read(key)) {
    refuseIfGone(ctx)
    digest.update(chunk as Buffer)
  }
  return digest.digest('hex') === sha256
}

function refuseIfGone({ isGone }: Ctx) {
  if (isGone?.()) throw ruleViolation('A conferência foi interrompida.')
}
