import {
  appealClaim,
  changeClaim,
  correctDecision,
  decideClaim,
  noteDueOfOrder,
  openClaim,
  readClaim,
  submitClaim,
  withdrawClaim,
} from '@garantia/server/features/claims/claim'
import { removeOrder, setStatus } from '@garantia/server/features/orders/order'
import { CLAIM_STATES, type ClaimState } from '@garantia/shared/claims/state'
import { type ClaimStep, stepRefusal } from '@garantia/shared/claims/steps'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import { authorising, type Claim, claimFixture } from './claim-fixture.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx
const { make } = testApp
const { decide, eventsOf } = claimFixture(testApp)

const STEPS: Partial<Record<ClaimStep, (claim: Claim) => Promise<unknown>>> = {
  change: ({ id }) => changeClaim(ctx, { id, change: { note: 'Urgente' } }),
  send: ({ id }) => submitClaim(ctx, id, {}),
  resend: ({ id }) => submitClaim(ctx, id, {}),
  review: ({ id }) => decideClaim(ctx, id, { answer: 'in_review' }),
  return: ({ id }) => decideClaim(ctx, id, { answer: 'returned', brand_words: 'Falta a foto' }),
  decide: (claim) => decide(claim, 60),
  correct_decision: (claim) =>
    correctDecision(ctx, claim.id, { reason: 'Digitado errado', lines: authorising(claim, 60) }),
  withdraw: ({ id }) => withdrawClaim(ctx, id, { reason: 'Errada' }),
  appeal: ({ id }) => appealClaim(ctx, id, {}),
  supplement: ({ id, order_id }) =>
    openClaim(ctx, order_id, { type: 'supplement', previous_id: id, lines: [] }),
}
/** Sending and sending again are one call. */
const SAME: Partial<Record<ClaimStep, ClaimStep>> = { send: 'resend', resend: 'send' }

describe.each(CLAIM_STATES)('a claim that is %s', (state: ClaimState) => {
  test.each(Object.keys(STEPS) as ClaimStep[])(
    'allows or refuses «%s» by the table of steps (D-56)',
    async (step) => {
      const isDecided = !['draft', 'sent', 'in_review', 'returned', 'withdrawn'].includes(state)
      const claim = await make.sendableClaim({ state: isDecided ? 'sent' : state })
      if (isDecided) {
        await decide(claim, 40)
        const reconciled_at = state === 'reconciled' ? new Date() : null
        await db.updateTable('claims').set({ state, reconciled_at }).where('id', '=', claim.id).execute()
      }
      const row = await db
        .selectFrom('claims')
        .where('id', '=', claim.id)
        .selectAll()
        .executeTakeFirstOrThrow()
      const other = SAME[step]
      const isAllowed =
        stepRefusal(row, step) === null || (other !== undefined && stepRefusal(row, other) === null)
      const take = STEPS[step]?.(claim)
      if (isAllowed) await take
      else await expect(take).rejects.toMatchObject({ code: 'conflict' })
      const after = await db
        .selectFrom('claims')
        .where('id', '=', claim.id)
        .selectAll()
        .executeTakeFirstOrThrow()
      if (!isAllowed) expect(after).toEqual(row)
    },
  )
})

describe('a draft', () => {
  test('is changed with its lines, by the version that was read (D-49)', async () => {
    const { id, order_id } = await make.claim({ amounts: [10, 20] })
    const line = { kind: 'third_party', description: 'Reboque', claimed: 7.5 } as const
    const view = await changeClaim(ctx, { id, version: 1, change: { lines: [line] } })
    expect(view).toMatchObject({ version: 2, claimed: 7.5, lines: [{ n: 1, description: 'Reboque' }] })
    await expect(changeClaim(ctx, { id, version: 1, change: { note: 'x' } })).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringMatching(/^Esta solicitação foi alterada por Sistema às/),
    })
    expect(await eventsOf(order_id)).toMatchObject([
      { kind: 'claim.changed', changes: { claimed: [30, 7.5] } },
    ])
    // Nothing changed, nothing written.
    expect((await changeClaim(ctx, { id, change: {} })).version).toBe(2)
  })

  test('without lines is not sent', async () => {
    const { id } = await make.sendableClaim()
    await changeClaim(ctx, { id, change: { lines: [] } })
    await expect(submitClaim(ctx, id, {})).rejects.toMatchObject({ code: 'conflict' })
  })
})

describe("the brand's answer", () => {
  test('makes the state of its lines, and is kept with reasons and words (D-56)', async () => {
    const { id, lines, order_id } = await make.claim({ state: 'sent', amounts: [10, 20] })
    const [one, two] = lines.map((line) => line.id)
    const view = await decideClaim(ctx, id, {
      answer: 'decided',
      brand_number: 'GW.7',
      lines: [
        { line_id: one ?? 0, authorised: 10, reason: 'other' },
        {
          line_id: two ?? 0,
          authorised: 5.5,
          reason: 'part_not_returned',
          brand_code: '77',
          brand_words: 'Sem peça',
        },
      ],
    })
    expect(view).toMatchObject({ state: 'partial', authorised: 15.5, brand_number: 'GW.7', version: 2 })
    expect(view.answered_at).not.toBeNull()
    expect(view.lines).toMatchObject([{ reason: null }, { reason: 'part_not_returned', authorised: 5.5 }])
    expect(view.decisions).toMatchObject([
      {
        outcome: 'partial',
        // A reason says which evidence it speaks of; what was authorised whole has none.
        lines: [{ reason: null }, { evidence_category: 'pecas', brand_code: '77', brand_words: 'Sem peça' }],
      },
    ])
    expect(await eventsOf(order_id)).toMatchObject([
      { kind: 'claim.decided', changes: { outcome: 'partial', authorised: 15.5 } },
    ])
  })

  test.each([
    ['more than was claimed', [10.01, 20]],
    ['a part without a reason', [9, 20]],
  ])('with %s is refused at its line', async (_, amounts) => {
    const { id, lines } = await make.claim({ state: 'sent', amounts: [10, 20] })
    const answers = lines.map((line, index) => ({ line_id: line.id, authorised: amounts[index] ?? 0 }))
    await expect(decideClaim(ctx, id, { answer: 'decided', lines: answers })).rejects.toMatchObject({
      code: 'invalid',
      detail: [{ loc: ['lines', 0, expect.stringMatching(/authorised|reason/)] }],
    })
  })

  test('is not before the day of the sending, nor to come', async () => {
    const { id } = await make.claim({ state: 'sent' })
    for (const hours of [-48, 1]) {
      const decided_at = new Date(Date.now() + hours * 3_600_000).toISOString()
      await expect(decideClaim(ctx, id, { answer: 'in_review', decided_at })).rejects.toMatchObject({
        code: 'invalid',
        detail: [{ loc: ['decided_at'] }],
      })
    }
  })

  test('and a withdrawal are on record, also when it is that the brand looks at it', async () => {
    const { id, order_id } = await make.claim({ state: 'sent' })
    await decideClaim(ctx, id, { answer: 'in_review', brand_words: 'Com o analista' })
    await withdrawClaim(ctx, id, { reason: 'Errada' })
    expect(await eventsOf(order_id)).toMatchObject([
      { kind: 'claim.in_review', changes: { reason: 'Com o analista' } },
      { kind: 'claim.withdrawn', changes: { reason: 'Errada' } },
    ])
  })

  test('of two recorded at once, one stays', async () => {
    const claim = await make.claim({ state: 'sent' })
    const results = await Promise.allSettled([decide(claim, 100), decide(claim, 40), decide(claim)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await readClaim(ctx, claim.id)).decisions).toHaveLength(1)
  })

  test('is corrected by another one, which keeps what was paid', async () => {
    const claim = await make.claim({ state: 'sent', amounts: [10, 20] })
    await decide(claim)
    const booked = { booked_on: '2026-11-24', actor_name: 'Teste', line_id: claim.lines[0]?.id ?? 0 }
    await db
      .insertInto('claim_entries')
      .values({ ...booked, claim_id: claim.id, kind: 'payment', amount: 4 })
      .execute()
    await db.updateTable('claims').set({ state: 'credited' }).where('id', '=', claim.id).execute()
    const correction = { reason: 'Era parcial', lines: authorising(claim, 4) }
    const view = await correctDecision(ctx, claim.id, correction)
    expect(view).toMatchObject({ state: 'credited', authorised: 4, paid: 4, open_amount: 26 })
    const [first, second] = view.decisions
    expect(second).toMatchObject({ outcome: 'partial', corrects_id: first?.id, reason: 'Era parcial' })
    expect(second?.decided_at).toBe(first?.decided_at)
    expect((await eventsOf(claim.order_id)).at(-1)).toMatchObject({
      kind: 'claim.corrected',
      changes: { outcome: ['rejected', 'partial'], authorised: [0, 4], reason: 'Era parcial' },
    })
  })
})

describe('the order of a claim', () => {
  test('is not deleted once a claim was sent, withdrawn since or not', async () => {
    const draft = await make.claim()
    await removeOrder(ctx, draft.order_id)
    const { id, order_id } = await make.claim({ state: 'sent' })
    await withdrawClaim(ctx, id, { reason: 'Errada' })
    await expect(removeOrder(ctx, order_id)).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('enviada à marca'),
    })
  })

  test('that is completed or reopened has the days of its claims counted anew', async () => {
    const brand = await make.brand({ claim_send_days: 10, completion_policy: 'avisar' })
    const order = await make.order({ brand_id: brand.id, status: 'ready' })
    const { id } = await make.sendableClaim({ order })
    const jobs = async () => {
      const { rows } = await sql<{ key: string }>`
        select key from graphile_worker.jobs where key = ${`due-of-order:${order.id}`}`.execute(db)
      return rows.length
    }
    await setStatus(ctx, order.id, { status: 'completed', accepts_problems: true })
    expect(await jobs()).toBe(1)
    await noteDueOfOrder(ctx, order.id)
    expect((await readClaim(ctx, id)).due_kind).toBe('send')
    await setStatus(ctx, order.id, { status: 'in_analysis', reason: 'Voltou' })
    await noteDueOfOrder(ctx, order.id)
    expect((await readClaim(ctx, id)).due_kind).toBeNull()
  })
})
