import { createHash } from 'node:crypto'
import { type JudgedRemittanceLine, matchLines } from '@garantia/shared/claims/matching'
import { centsOf } from '@garantia/shared/claims/money'
import type { RemittanceMapping } from '@garantia/shared/claims/remittance'
import {
  type LineProblem,
  type RemittanceLine,
  readRemittanceLine,
} from '@garantia/shared/claims/remittance-line'
import { conflict, invalid } from '@garantia/shared/errors'
import type { Ctx } from '../../../kernel/context.ts'
import { REMOVED } from '../../orders/import/service.ts'
import {
  candidatesFor,
  type FoundClaim,
  type findWithRows,
  type RemittanceRow,
  repeatedAmong,
} from './queries.ts'

/** The lines of a file by its mapping. 409 when its content was removed; 422 for a column that it has not. */
export function linesOfFile(
  { rows, headings }: Awaited<ReturnType<typeof findWithRows>>,
  mapping: RemittanceMapping,
) {
  if (!rows) throw conflict(REMOVED)
  assertColumns(headings, mapping)
  const read = rows.slice(1).map((row) => readRemittanceLine(row, mapping))
  return {
    lines: read.filter((line): line is RemittanceLine => 'amount' in line),
    problems: read.filter((line): line is LineProblem => 'message' in line),
  }
}

/** 422 for a column that the file has not. */
export function assertColumns(headings: readonly string[], mapping: RemittanceMapping) {
  if (Object.values(mapping).some((column) => Number(column) >= headings.length))
    throw invalid('A coluna não existe neste arquivo', 'mapping')
}

type Owner = Pick<RemittanceRow, 'company_id' | 'brand_id'>
/** What makes a line the same line in another file, or twice in one. */
const fingerprintOf = ({ company_id, brand_id }: Owner, line: RemittanceLine) => {
  const { brand_number, os_number, chassis_end, document, amount } = line
  const told = [company_id, brand_id, brand_number, os_number, chassis_end, document, centsOf(amount)]
  return createHash('sha256').update(JSON.stringify(told)).digest('hex')
}

export type JudgedLine = RemittanceLine & JudgedRemittanceLine & { fingerprint: string }
/** Compares lines with the claims that they may mean; with `ids` only with these, which the caller has locked. */
export async function judge(
  ctx: Ctx,
  remittance: Owner,
  lines: readonly RemittanceLine[],
  ids?: readonly number[],
): Promise<{ lines: JudgedLine[]; claims: Map<number, FoundClaim> }> {
  const claims = await candidatesFor(ctx, remittance, lines, ids)
  const told = lines.map((line) => ({ ...line, fingerprint: fingerprintOf(remittance, line) }))
  const { payment_tolerance: tolerance } = await ctx.db
    .selectFrom('brands')
    .where('id', '=', remittance.brand_id)
    .select('payment_tolerance')
    .executeTakeFirstOrThrow()
  const repeated = await repeatedAmong(
    ctx,
    told.map(({ fingerprint }) => fingerprint),
  )
  const judged = matchLines(told, claims, { tolerance, repeated })
  return {
    lines: told.flatMap((line, index) => {
      const one = judged[index]
      return one ? [{ ...line, ...one }] : []
    }),
    claims: new Map(claims.map((claim) => [claim.id, claim])),
  }
}
