import {
  type DecisionCorrection,
  type DecisionInput,
  type DecisionLine,
  decisionIssue,
} from '@garantia/shared/claims/answers'
import { centsOf } from '@garantia/shared/claims/money'
import { aboutOf } from '@garantia/shared/claims/reasons'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { claimName } from '@garantia/shared/claims/state'
import { decidedState, moneyState } from '@garantia/shared/claims/steps'
import { conflict, invalid } from '@garantia/shared/errors'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { lockedClaim } from './access.ts'
import { noteDue } from './due.ts'
import { type Claim, decisionsOf, linesOf } from './queries.ts'
import { viewOf } from './reading.ts'
import { checkStep, checkVersion, momentOf, personOf, writeStep } from './step.ts'

const STEP_OF = { in_review: 'review', returned: 'return', decided: 'decide' } as const

/**
 * Records what the brand says: in review, returned, or its decision on all lines, of which the state follows. 404
 * outside the caller's scope; 403 without permission; 409 when the state does not allow it or `version` is outdated;
 * 422 when lines are missing, exceed what was claimed or lack a reason, or the date cannot be.
 */
export function decideClaim(ctx: Ctx, id: number, input: Omit<DecisionInput, 'payment'>): Promise<ClaimView> {
  authorizeSome(ctx.actor, 'claim.decide')
  return inTransaction(ctx, async (ctx) => {
    const { claim, order } = await lockedClaim(ctx, id)
    authorize(ctx.actor, 'claim.decide', claim)
    await checkVersion(ctx, claim, input.version)
    checkStep(claim, STEP_OF[input.answer])
    const decided_at = momentOf(ctx, input.decided_at, 'decided_at', claim.sent_at)
    const { answer, lines = [] } = input
    const outcome = answer === 'decided' ? await outcomeOf(ctx, id, lines) : answer
    await addDecision(ctx, claim, { ...input, lines, outcome, decided_at })
    await writeStep(ctx, id, {
      state: outcome,
      ...(input.brand_number && { brand_number: input.brand_number }),
      // In review is no answer yet.
      ...(answer !== 'in_review' && { answered_at: decided_at }),
    })
    await noteDue(ctx, id)
    const view = await viewOf(ctx, id)
    const facts = { claim: claimName(view), brand_number: view.brand_number }
    // Under a name of which the customer's mentions are removed with the customer.
    const words = input.brand_words ? { reason: input.brand_words } : {}
    if (outcome === 'in_review')
      await recordEvent(ctx, {
        subject: 'order',
        subject_id: order.id,
        kind: 'claim.in_review',
        changes: { ...facts, ...words },
      })
    else if (outcome === 'returned')
      await recordEvent(ctx, {
        subject: 'order',
        subject_id: order.id,
        kind: 'claim.returned',
        changes: { ...facts, ...words },
      })
    else
      await recordEvent(ctx, {
        subject: 'order',
        subject_id: order.id,
        kind: 'claim.decided',
        changes: { ...facts, outcome, authorised: view.authorised, ...words },
      })
    return view
  })
}

/**
 * Corrects the brand's decision by another one with a reason; the state follows from it and from what was paid. 404
 * outside the caller's scope; 403 without permission; 409 when there is no decision to correct or `version` is
 * outdated; 422 as `decideClaim`.
 */
export function correctDecision(ctx: Ctx, id: number, input: DecisionCorrection): Promise<ClaimView> {
  authorizeSome(ctx.actor, 'claim.correct')
  return inTransaction(ctx, async (ctx) => {
    const { claim, order } = await lockedClaim(ctx, id)
    authorize(ctx.actor, 'claim.correct', claim)
    await checkVersion(ctx, claim, input.version)
    checkStep(claim, 'correct_decision')
    const former = (await decisionsOf(ctx, [id])).at(-1)
    if (!former) throw conflict('Não há resposta da marca a corrigir.')
    const decided_at = input.decided_at
      ? momentOf(ctx, input.decided_at, 'decided_at', claim.sent_at)
      : former.decided_at
    const outcome = await outcomeOf(ctx, id, input.lines)
    await addDecision(ctx, claim, { ...input, outcome, decided_at, corrects_id: former.id })
    await writeStep(ctx, id, { state: moneyState(outcome, claim), answered_at: decided_at })
    await noteDue(ctx, id)
    const view = await viewOf(ctx, id)
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order.id,
      kind: 'claim.corrected',
      changes: {
        claim: claimName(view),
        outcome: [former.outcome, outcome],
        authorised: [claim.authorised, view.authorised],
        reason: input.reason,
      },
    })
    return view
  })
}

async function outcomeOf(ctx: Ctx, claim_id: number, answers: readonly DecisionLine[]) {
  const lines = await linesOf(ctx, [claim_id])
  const issue = decisionIssue(answers, lines)
  if (issue) throw invalid(issue.message, 'lines', issue.index, issue.field)
  const claimed = new Map(lines.map((line) => [line.id, line.claimed]))
  return decidedState(
    answers.map(({ line_id, authorised }) => ({ claimed: claimed.get(line_id) ?? 0, authorised })),
  )
}

interface NewDecision {
  outcome: 'in_review' | 'returned' | 'accepted' | 'partial' | 'rejected'
  decided_at: Date
  brand_code?: string | null | undefined
  brand_words?: string | null | undefined
  corrects_id?: number
  reason?: string
  lines: readonly DecisionLine[]
}
/** Adds a decision and, when it has lines, writes to those of the claim what is authorised of them. */
async function addDecision(ctx: Ctx, claim: Claim, { lines, ...decision }: NewDecision) {
  const { outcome, decided_at, brand_code, brand_words, corrects_id, reason } = decision
  const before = await decisionsOf(ctx, [claim.id])
  const { id } = await ctx.db
    .insertInto('claim_decisions')
    .values({
      claim_id: claim.id,
      n: before.length + 1,
      outcome,
      decided_at,
      brand_code: brand_code ?? null,
      brand_words: brand_words ?? null,
      corrects_id: corrects_id ?? null,
      reason: reason ?? null,
      ...personOf(ctx.actor),
      created_at: ctx.clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (lines.length === 0) return
  const claimed = new Map((await linesOf(ctx, [claim.id])).map((line) => [line.id, line.claimed]))
  const rows = lines.map((line) => {
    const isWhole = centsOf(line.authorised) === centsOf(claimed.get(line.line_id) ?? 0)
    const refused = !isWhole && line.reason ? line.reason : null
    const about = refused ? aboutOf(refused) : undefined
    return {
      decision_id: id,
      line_id: line.line_id,
      authorised: line.authorised,
      reason: refused,
      evidence_category: refused && (line.evidence_category ?? about?.category ?? null),
      field: about?.field ?? null,
      brand_code: line.brand_code ?? null,
      brand_words: line.brand_words ?? null,
    }
  })
  await ctx.db.insertInto('claim_decision_lines').values(rows).execute()
  await sql`
    update claim_lines line set authorised = decided.authorised, reason = decided.reason
    from claim_decision_lines decided
    where decided.decision_id = ${id} and line.id = decided.line_id`.execute(ctx.db)
}
