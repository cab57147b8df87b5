import { payloadLimit, reservedBytesOf } from '@garantia/shared/evidence/budget'
import type { Ctx } from '../../../kernel/context.ts'
import type { BrandRow } from '../../catalogue/brands/service.ts'
import type { EvidenceRow } from '../files/service.ts'
import { findPlanned } from './lease-queries.ts'
import { packageItem } from './leased-file.ts'

/** Whether a copy of `size` bytes fits within what the order's other files neither use nor have reserved. */
export async function fitsPackage(ctx: Ctx, brand: BrandRow, file: EvidenceRow, size: number) {
  const others = (await findPlanned(ctx, file.order_id)).filter((other) => other.id !== file.id)
  const taken = others.reduce((sum, other) => sum + reservedBytesOf(packageItem(other)), 0)
  return taken + size <= payloadLimit(brand.max_file_size_mb, others.length + 1)
}
