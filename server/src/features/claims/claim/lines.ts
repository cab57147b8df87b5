import { centsOf } from '@garantia/shared/claims/money'
import type { ClaimInput, ClaimLineInput } from '@garantia/shared/claims/schema'
import { stepRefusal } from '@garantia/shared/claims/steps'
import { appealableOf } from '@garantia/shared/claims/sums'
import { conflict, invalid } from '@garantia/shared/errors'
import type { Ctx } from '../../../kernel/context.ts'
import { type ClaimLine, contestedOf, findClaim, linesOf } from './queries.ts'

/**
 * Refuses lines that are not those of a claim of this type: an appeal names lines of the claim before, each once, and
 * claims at most what is missing of them or was taken back, less what sent appeals contest. 409 when the claim before
 * allows no appeal or supplement in its state; 422 for the rest.
 */
export async function checkPrevious(
  ctx: Ctx,
  order_id: number,
  { type, previous_id, lines }: Pick<ClaimInput, 'type' | 'previous_id' | 'lines'>,
) {
  const foreign = lines.findIndex((line) => type !== 'appeal' && line.previous_line_id != null)
  if (foreign >= 0) throw invalid('Só a reconsideração nomeia itens anteriores', 'lines', foreign)
  if (type === 'normal' || previous_id == null) return
  const previous = await findClaim(ctx, previous_id).executeTakeFirst()
  if (previous?.order_id !== order_id) throw invalid('Escolha uma solicitação desta OS', 'previous_id')
  const refusal = stepRefusal(previous, type)
  if (refusal) throw conflict(refusal)
  if (type !== 'appeal') return
  const former = new Map((await linesOf(ctx, [previous_id])).map((line) => [line.id, line]))
  const contested = await contestedOf(ctx, previous_id)
  for (const [index, { previous_line_id, claimed }] of lines.entries()) {
    const line = former.get(previous_line_id ?? 0)
    if (!line) throw invalid('Escolha um item da solicitação anterior, cada um uma vez', 'lines', index)
    former.delete(line.id)
    if (centsOf(claimed) > centsOf(appealableOf(line, contested.get(line.id))))
      throw invalid('O valor passa do que falta deste item', 'lines', index, 'claimed')
  }
}

/** The lines of an appeal that contests all that it may of the claim before. 409 when there is nothing. */
export async function carriedLines(ctx: Ctx, previous_id: number): Promise<ClaimLineInput[]> {
  const contested = await contestedOf(ctx, previous_id)
  const lines = (await linesOf(ctx, [previous_id])).flatMap((line) => {
    const claimed = appealableOf(line, contested.get(line.id))
    return centsOf(claimed) > 0 ? [inputOf(line, claimed, line.id)] : []
  })
  if (lines.length === 0) throw conflict('Não há valor recusado ou estornado a reconsiderar.')
  return lines
}

/** A line as it may be claimed anew. The database keeps a part's and a labour's own columns filled. */
function inputOf(line: ClaimLine, claimed: number, previous_line_id: number | null): ClaimLineInput {
  const common = { description: line.description, claimed, previous_line_id }
  if (line.kind === 'part')
    return {
      kind: 'part',
      ...common,
      part_number: line.part_number ?? '',
      quantity: line.quantity ?? 1,
      is_causal: line.is_causal,
    }
  if (line.kind === 'labour')
    return { kind: 'labour', ...common, labour_code: line.labour_code ?? '', hours: line.hours ?? 0 }
  return { kind: 'third_party', ...common, supplier: line.supplier, document: line.document }
}

/** The lines of a claim as they were entered. */
export const linesAsInput = async (ctx: Ctx, claim_id: number) =>
  (await linesOf(ctx, [claim_id])).map((line) => inputOf(line, line.claimed, line.previous_id))

/** Adds lines to a draft, numbered from 1. */
export const addLines = async (ctx: Ctx, claim_id: number, lines: readonly ClaimLineInput[]) => {
  if (lines.length === 0) return
  const rows = lines.map((line, index) => ({
    claim_id,
    n: index + 1,
    kind: line.kind,
    previous_id: line.previous_line_id ?? null,
    description: line.description,
    claimed: line.claimed,
    part_number: line.kind === 'part' ? line.part_number : null,
    quantity: line.kind === 'part' ? line.quantity : null,
    is_causal: line.kind === 'part' && (line.is_causal ?? false),
    labour_code: line.kind === 'labour' ? line.labour_code : null,
    hours: line.kind === 'labour' ? line.hours : null,
    supplier: line.kind === 'third_party' ? (line.supplier ?? null) : null,
    document: line.kind === 'third_party' ? (line.document ?? null) : null,
  }))
  await ctx.db.insertInto('claim_lines').values(rows).execute()
}
