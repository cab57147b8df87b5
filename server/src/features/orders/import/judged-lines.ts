import { setImmediate } from 'node:timers/promises'
import { conflict, invalid } from '@garantia/shared/errors'
import { counted } from '@garantia/shared/format'
import { type ImportMapping, type JudgedLine, lineJudge } from '@garantia/shared/orders/import-line'
import type { Ctx } from '../../../kernel/context.ts'
import { listBrandsServedBy } from '../../catalogue/companies/service.ts'
import { type ImportRow, type ImportWithRows, takenNumbers } from './queries.ts'

export const REMOVED = 'O conteúdo deste arquivo já foi eliminado. Envie-o de novo.'

/** Lines judged before other requests get their turn: some 20 ms. */
const AT_ONCE = 250

/** Why nothing of the lines is imported; null when their valid ones are. */
export function problemOf(mode: string | null, lines: readonly JudgedLine[]) {
  const refused = lines.filter((line) => 'problems' in line).length
  return mode === 'all' && refused > 0
    ? `Nada foi importado: ${counted(refused, 'linha tem', 'linhas têm')} problemas.`
    : null
}

/**
 * The brands that lines may name. 409 when no mapping was checked; 422 for a column that the file has not, or a brand
 * that the company does not serve.
 */
export async function brandsFor(ctx: Ctx, { headings, mapping, company_id, brand_id }: Target) {
  if (!mapping) throw conflict('Confira as colunas antes de importar.')
  if (Object.values(mapping).some((column) => Number(column) >= headings.length))
    throw invalid('A coluna não existe neste arquivo', 'mapping')
  const brands = await listBrandsServedBy(ctx, company_id)
  if (brand_id !== null && !brands.some(({ id }) => id === brand_id))
    throw invalid('Esta empresa não atende a marca escolhida', 'brand_id')
  return brands
}
type Target = Pick<ImportRow, 'headings' | 'mapping' | 'company_id' | 'brand_id'>

/**
 * The lines of an import by its mapping, and the numbers that the company has already. 409 when the content was
 * removed, and as `brandsFor`.
 */
export async function judgedLines(ctx: Ctx, found: ImportWithRows) {
  const { rows, mapping, company_id, brand_id } = found
  if (!rows) throw conflict(REMOVED)
  const brands = await brandsFor(ctx, found)
  const judge = lineJudge({ mapping: mapping as ImportMapping, company_id, brand_id, brands })
  const lines: JudgedLine[] = []
  for (const [index, row] of rows.slice(1).entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate()
    lines.push(judge(row))
  }
  const numbers = lines.flatMap((line) => ('order' in line ? line.order.os_number : []))
  return { lines, taken: await takenNumbers(ctx, company_id, numbers) }
}
