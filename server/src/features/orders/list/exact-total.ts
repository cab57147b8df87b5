import { AppError } from '@garantia/shared/errors'
import type { OrderCriteria } from '@garantia/shared/orders/criteria'
import type { Ctx } from '../../../kernel/context.ts'
import { countMatches } from './queries.ts'

/** At a million orders a broad word takes about half a second alone, and several at once share the processors. */
const LIMIT_MS = 2_000
const TOO_LONG =
  'A contagem exata desta busca demorou demais. Refine a busca ou repita sem exact_total, com o total até 1.000.'

/**
 * The number of all matches of a search. 503 when it takes more than 2 s, or when `gone` is aborted; either ends the
 * query in the database.
 */
export async function countSearch(ctx: Ctx, criteria: OrderCriteria, gone?: AbortSignal) {
  const limit = AbortSignal.timeout(LIMIT_MS)
  const signal = gone ? AbortSignal.any([gone, limit]) : limit
  try {
    return await countMatches(ctx, criteria, { signal, inflightQueryAbortStrategy: 'cancel query' })
  } catch (error) {
    if (signal.aborted) throw new AppError('unavailable', TOO_LONG)
    throw error
  }
}
