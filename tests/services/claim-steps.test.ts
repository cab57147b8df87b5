import {
  appealClaim,
  changeClaim,
  correctDecision,
  decideClaim,
  differenceSince,
  noteDueOfOrder,
  openClaim,
  readClaim,
  submitClaim,
  withdrawClaim,
} from '@garantia/server/features/claims/claim'
import { removeOrder, setStatus } from '@garantia/server/features/orders/order'
import { recordEvent } from '@garantia/server/kernel'
import { CLAIM_STATES, type ClaimState } from '@garantia/shared/claims/state'
import { type ClaimStep, stepRefusal } from '@garantia/shared/claims/steps'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx
const { make } = testApp
type Claim = Awaited<ReturnType<typeof make.claim>>

const authorising = ({ lines }: Pick<Claim, 'lines'>, ...amounts: number[]) =>
  lines.map(({ id: line_id }, index) => ({
    line_id,
    authorised: amounts[index] ?? 0,
    reason: 'not_covered' as const,
  }))
const decide = (claim: Claim, ...amounts: number[]) =>
  decideClaim(ctx, claim.id, { answer: 'decided', lines: authorising(claim, ...amounts) })
const rejected = async (amounts = [10, 20]) => {
  const claim = await make.sendableClaim({ state: 'sent', amounts })
  await decide(claim)
  return claim
}
const eventsOf = (order_id: number) =>
  db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', order_id)
    .where('kind', 'like', 'claim.%')
    .select(['kind', 'changes'])
    .orderBy('seq')
    .execute()

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

describe('sending', () => {
  test('records channel, address, number and dossier, and again after a return (D-56)', async () => {
    const brand = await make.brand({ submission_url: 'https://portal.exemplo.br', claim_answer_days: 10 })
    const order = await make.order({ brand_id: brand.id })
    const { id, order_id } = await make.sendableClaim({ order })
    const sent_at = new Date(Date.now() - 5 * 86_400_000).toISOString()
    const first = await submitClaim(ctx, id, { brand_number: 'GW.1', note: 'Primeiro', sent_at })
    expect(first).toMatchObject({
      state: 'sent',
      brand_number: 'GW.1',
      sent_at,
      age_days: 5,
      due_kind: 'answer',
    })
    expect(first.submissions).toMatchObject([
      {
        n: 1,
        channel: 'portal',
        address: 'https://portal.exemplo.br',
        brand_number: 'GW.1',
        dossier_n: 1,
        note: 'Primeiro',
        mail: null,
      },
    ])
    await decideClaim(ctx, id, { answer: 'returned', brand_words: 'Falta a foto do painel' })
    const again = await submitClaim(ctx, id, {})
    expect(again).toMatchObject({ state: 'sent', sent_at, answered_at: null, submissions: [{}, { n: 2 }] })
    // The brand's time runs from the newest sending.
    expect(again.due_on).not.toBe(first.due_on)
    expect((await eventsOf(order_id)).map(({ kind }) => kind)).toEqual([
      'claim.sent',
      'claim.returned',
      'claim.sent',
    ])
    expect((await eventsOf(order_id))[1]?.changes).toMatchObject({ reason: 'Falta a foto do painel' })
  })

  test('waits for a dossier with what the order has now, and requests it', async () => {
    const { id, order_id } = await make.sendableClaim()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: order_id,
      kind: 'changed',
      changes: { diagnosis: [1, 2] },
    })
    const refused = { code: 'conflict', detail: expect.stringMatching(/^O dossiê 2 está sendo selado/) }
    await expect(submitClaim(ctx, id, {})).rejects.toMatchObject(refused)
    // The same one.
    await expect(submitClaim(ctx, id, {})).rejects.toMatchObject(refused)
    const dossiers = db.selectFrom('dossiers').where('order_id', '=', order_id)
    expect(await dossiers.select(['n', 'status']).orderBy('n').execute()).toEqual([
      { n: 1, status: 'sealed' },
      { n: 2, status: 'queued' },
    ])
    expect(await readClaim(ctx, id)).toMatchObject({ state: 'draft', submissions: [] })
    await db
      .updateTable('dossiers')
      .set({ status: 'sealed', sealed_at: new Date(), chain_seq: 2, manifest: '{"files":[]}' })
      .where('order_id', '=', order_id)
      .where('n', '=', 2)
      .execute()
    expect((await submitClaim(ctx, id, {})).submissions).toMatchObject([{ dossier_n: 2 }])
  })

  test('is refused with problems in the package, unless they were accepted on completion (D-10)', async () => {
    const order = await make.order({ status: 'completed', completed_at: new Date() })
    const { id } = await make.claim({ order })
    await expect(submitClaim(ctx, id, {})).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringMatching(/^O pacote ainda tem problemas: /),
    })
    const changes = { status: ['ready', 'completed'], problems: ['Falta a foto'] }
    await recordEvent(ctx, { subject: 'order', subject_id: order.id, kind: 'status', changes })
    await make.dossier(order.id)
    await db.updateTable('dossiers').set({ chain_seq: 1 }).where('order_id', '=', order.id).execute()
    expect(await submitClaim(ctx, id, {})).toMatchObject({ state: 'sent' })
  })

  test('is of a day that has come', async () => {
    const { id } = await make.sendableClaim()
    const sent_at = new Date(Date.now() + 3_600_000).toISOString()
    await expect(submitClaim(ctx, id, { sent_at })).rejects.toMatchObject({ code: 'invalid' })
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

describe('an appeal', () => {
  test('without lines carries over what was refused, line by line (D-56)', async () => {
    const former = await make.claim({ state: 'sent', amounts: [10, 20, 30] })
    await decide(former, 10, 15)
    await db
      .insertInto('claim_entries')
      .values({
        claim_id: former.id,
        line_id: former.lines[0]?.id ?? 0,
        kind: 'payment',
        amount: 10,
        booked_on: '2026-11-24',
        actor_name: 'Teste',
      })
      .execute()
    const appeal = await appealClaim(ctx, former.id, { note: 'Com a foto' })
    expect(appeal).toMatchObject({ type: 'appeal', previous_id: former.id, state: 'draft', claimed: 50 })
    expect(appeal.lines.map((line) => [line.previous_line_id, line.claimed, line.description])).toEqual([
      [former.lines[1]?.id, 20, 'Guincho 2'],
      [former.lines[2]?.id, 30, 'Guincho 3'],
    ])
  })

  test('when it is sent, is no longer expected of the claim before; when withdrawn, it is again', async () => {
    const former = await rejected()
    const { order_id } = former
    const { id } = await appealClaim(ctx, former.id, {})
    expect((await readClaim(ctx, former.id)).open_amount).toBe(30)
    await submitClaim(ctx, id, {})
    const carried = await readClaim(ctx, former.id)
    expect(carried).toMatchObject({ carried: 30, open_amount: 0, state: 'rejected', due_kind: null })
    expect((await readClaim(ctx, id)).open_amount).toBe(30)
    await withdrawClaim(ctx, id, { reason: 'Sem novidade' })
    expect(await readClaim(ctx, former.id)).toMatchObject({
      carried: 0,
      open_amount: 30,
      version: carried.version + 1,
      entries: [{ amount: 10 }, { amount: 20 }, { amount: -10 }, { amount: -20, reason: 'Sem novidade' }],
    })
    const moved = (await eventsOf(order_id)).filter(({ kind }) => kind === 'claim.carried')
    expect(moved).toMatchObject([{ changes: { carried: 30 } }, { changes: { carried: -30 } }])
  })

  test('that is withdrawn opens the claim before that was reconciled with it', async () => {
    const former = await rejected()
    const { id } = await appealClaim(ctx, former.id, {})
    await submitClaim(ctx, id, {})
    const settled = { state: 'reconciled' as const, reconciled_at: new Date() }
    await db.updateTable('claims').set(settled).where('id', '=', former.id).execute()
    await withdrawClaim(ctx, id, { reason: 'Sem novidade' })
    expect(await readClaim(ctx, former.id)).toMatchObject({ state: 'rejected', open_amount: 30 })
  })

  test('that another one has overtaken is not sent', async () => {
    const former = await rejected([10])
    const [one, two] = [await appealClaim(ctx, former.id, {}), await appealClaim(ctx, former.id, {})]
    await submitClaim(ctx, one.id, {})
    await expect(submitClaim(ctx, two.id, {})).rejects.toMatchObject({ code: 'invalid' })
    await expect(appealClaim(ctx, former.id, {})).rejects.toMatchObject({ code: 'conflict' })
  })

  test('contests a debit once', async () => {
    const former = await make.sendableClaim({ state: 'sent', amounts: [10] })
    await decide(former, 10)
    const entry = {
      claim_id: former.id,
      line_id: former.lines[0]?.id ?? 0,
      booked_on: '2026-11-24',
      actor_name: 'Teste',
      reason: 'Auditoria',
    }
    await db
      .insertInto('claim_entries')
      .values({ ...entry, kind: 'payment', amount: 10 })
      .execute()
    await db
      .insertInto('claim_entries')
      .values({ ...entry, kind: 'debit', amount: 4 })
      .execute()
    await db.updateTable('claims').set({ state: 'debited' }).where('id', '=', former.id).execute()
    const appeal = await appealClaim(ctx, former.id, {})
    expect(appeal.claimed).toBe(4)
    await submitClaim(ctx, appeal.id, {})
    expect(await readClaim(ctx, former.id)).toMatchObject({ carried: 0, open_amount: 0 })
    await expect(appealClaim(ctx, former.id, {})).rejects.toMatchObject({ code: 'conflict' })
  })

  test('shows what is different since the dossier that went along', async () => {
    const former = await make.sendableClaim()
    await submitClaim(ctx, former.id, {})
    const file = await make.converted({ order_id: former.order_id })
    const found = await differenceSince(ctx, former.id)
    expect(found).toMatchObject({ dossier_n: 1, removed: [], changed: [] })
    expect(found.added).toContain(file.converted_filename)
    const unsent = await make.claim()
    await expect(differenceSince(ctx, unsent.id)).rejects.toMatchObject({ code: 'not_found' })
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
        select key from graphile_worker.jobs where key = ${`claims-due:${order.id}`}`.execute(db)
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
