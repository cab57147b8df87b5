import { createHash } from 'node:crypto'
import type { EvidenceFiles, ServiceOrders } from '@garantia/migrations/schema'
import type { Check } from '@garantia/shared/evidence/checks'
import { checkPackage, type Findings } from '@garantia/shared/evidence/validation'
import { warnAbout } from '@garantia/shared/evidence/warnings'
import type { Selectable } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { findBrand } from '../../catalogue/brands/service.ts'
import { filesToCheck, findReuses, presentationSize } from './queries.ts'

type FileRow = Selectable<EvidenceFiles>

interface CheckOptions {
  purpose?: Findings['purpose']
  /** `bytes` reads every stored object again; `sizes` only checks that it exists with its recorded size. */
  integrity: 'bytes' | 'sizes'
}

/**
 * All checks of an order's package, V01 to V17 (D-23). Does not check permissions: the caller has done so.
 * 404 when the brand does not exist.
 */
export async function checksOf(
  ctx: Ctx,
  order: Selectable<ServiceOrders>,
  { purpose = 'package', integrity }: CheckOptions,
): Promise<Check[]> {
  const [brand, files] = [await findBrand(ctx, order.brand_id), await filesToCheck(ctx, order.id)]
  const damaged = await findDamage(ctx, files, integrity)
  const powerpoint_bytes = await presentationSize(ctx, order.id)
  const reuses = await findReuses(ctx, order)
  return [
    ...checkPackage(brand, order, files, { damaged, powerpoint_bytes, purpose }),
    ...warnAbout(brand, order, files, reuses),
  ]
}

/**
 * Files whose original or converted copy is missing, truncated or changed (V08). Read one at a time, as
 * parallel reads would slow each other on one disk.
 */
async function findDamage(ctx: Ctx, files: readonly FileRow[], integrity: CheckOptions['integrity']) {
  const damaged: { id: number; isOriginalLost: boolean }[] = []
  for (const { id, original_key, file_size, sha256, ...file } of files) {
    if (file.purged_at) continue
    const original = { key: original_key, size: file_size, sha256 }
    const isOriginalLost = !(await isSound(ctx, original, integrity))
    const isCopyLost = !(await isSound(ctx, copyOf(file), integrity))
    if (isOriginalLost || isCopyLost) damaged.push({ id, isOriginalLost })
  }
  return damaged
}

interface Recorded {
  key: string
  size: number
  sha256: string
}
type CopyColumns = Pick<FileRow, 'status' | 'converted_key' | 'converted_size' | 'converted_sha256'>
const copyOf = ({
  status,
  converted_key: key,
  converted_size: size,
  converted_sha256: sha256,
}: CopyColumns) => (status === 'converted' && key && size && sha256 ? { key, size, sha256 } : null)

async function isSound(ctx: Ctx, object: Recorded | null, integrity: CheckOptions['integrity']) {
  if (!object) return true
  if ((await ctx.storage.size(object.key)) !== object.size) return false
  if (integrity === 'sizes') return true
  const hash = createHash('sha256')
  for await (const chunk of await ctx.storage.read(object.key)) hash.update(chunk as Buffer)
  return hash.digest('hex') === object.sha256
}
