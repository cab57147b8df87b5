import { createHash, hash } from 'node:crypto'
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
import { nullIfMissing } from '../../../kernel/storage/disk.ts'
import type { Storage } from '../../../kernel/storage/storage.ts'
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

/**
 * Small objects at a time; large ones are read one after the other, or they would slow each other on one
 * disk.
 */
const AT_ONCE = 8
const SMALL_BYTES = 1_000_000

/** Files whose original or converted copy is missing, truncated or changed (V08). */
async function findDamage(ctx: Ctx, files: readonly FileRow[], integrity: CheckOptions['integrity']) {
  const objects = files.filter(({ purged_at }) => !purged_at).flatMap(objectsOf)
  const lost = new Set<Recorded>()
  const lookAt = async (object: Recorded) => {
    if (!(await isSound(ctx, object, integrity))) lost.add(object)
  }
  const isSmall = ({ size }: Recorded) => integrity === 'sizes' || size <= SMALL_BYTES
  await inParallel(objects.filter(isSmall), AT_ONCE, lookAt)
  for (const object of objects.filter((one) => !isSmall(one))) await lookAt(object)
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

async function isSound(ctx: Ctx, { key, size, sha256 }: Recorded, integrity: CheckOptions['integrity']) {
  const { storage } = ctx
  refuseIfGone(ctx)
  if (integrity === 'sizes') return (await storage.size(key)) === size
  if (size <= SMALL_BYTES) return (await readWhole(storage, key, size)) === sha256
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

/** SHA-256 of a small object; null when it is missing or has another size. */
async function readWhole(storage: Storage, key: string, size: number) {
  const file = await storage.open(key).catch(nullIfMissing)
  if (!file) return null
  try {
    const bytes = Buffer.allocUnsafe(size + 1)
    return (await file.read(bytes, 0)) === size ? hash('sha256', bytes.subarray(0, size)) : null
  } finally {
    await file.close()
  }
}
