import { apiAs } from './page-helpers.ts'
import type { Product } from './product.ts'

/** Thirteen valid tax ids with the same root. */
const TAX_IDS = [
  '11222333000181',
  '11222333000262',
  '11222333000343',
  '11222333000424',
  '11222333000505',
  '11222333000696',
  '11222333000777',
  '11222333000858',
  '11222333000939',
  '11222333001072',
  '11222333001153',
  '11222333001234',
  '11222333001315',
]
/** A matriz and its twelve filiais, the first of them inactive. */
export async function seedCompanyGroup(product: Product) {
  const { post } = await apiAs(product, product.firstSuperuser)
  const [first = '', ...rest] = TAX_IDS
  const matriz = { trading_name: 'Auto Sul', legal_name: 'Auto Sul Ltda', tax_id: first, type: 'matriz' }
  const { id } = await post('/companies', matriz)
  for (const [i, tax_id] of rest.entries())
    await post('/companies', {
      trading_name: `Filial ${String(i + 1).padStart(2, '0')}`,
      legal_name: 'Auto Sul Ltda',
      tax_id,
      type: 'filial',
      parent_id: id,
      is_active: i > 0,
    })
  return id
}
