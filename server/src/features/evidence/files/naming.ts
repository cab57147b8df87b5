import type { ServiceOrders } from '@garantia/migrations/schema'
import { uniqueFileName } from '@garantia/shared/brands/naming'
import type { Selectable } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import type { BrandRow } from '../../catalogue/brands/service.ts'
import { type EvidenceRow, takenNames } from './queries.ts'

type NamedFile = Pick<
  EvidenceRow,
  'id' | 'evidence_category' | 'category_seq' | 'captured_at' | 'uploaded_at'
>

export interface OrderOfBrand {
  order: Selectable<ServiceOrders>
  brand: BrandRow
}

/**
 * The file name in the package: by the brand's template, unique within the order (D-25). To be called under
 * the order's lock.
 */
export async function nameInPackage(ctx: Ctx, known: OrderOfBrand, file: NamedFile, ext: string) {
  const name = await namerOf(ctx, known)
  return name(file, ext, await takenNames(ctx, known.order.id, file.id))
}

/** The same for many files of an order: a function of a file, its extension and the names of the others. */
export async function namerOf(ctx: Ctx, { order, brand }: OrderOfBrand) {
  const { tax_id } = await ctx.db
    .selectFrom('companies')
    .where('id', '=', order.company_id)
    .select('tax_id')
    .executeTakeFirstOrThrow()
  return (file: NamedFile, ext: string, taken: Iterable<string>) => {
    const facts = {
      os_number: order.os_number,
      chassis: order.vehicle_chassis,
      plate: order.vehicle_plate,
      category: file.evidence_category,
      brand: brand.display_name,
      company_tax_id: tax_id,
      at: file.captured_at ?? file.uploaded_at,
    }
    return uniqueFileName(brand.naming_template, facts, file.category_seq, ext, taken)
  }
}
