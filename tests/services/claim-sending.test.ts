import { decideClaim, readClaim, submitClaim } from '@garantia/server/features/claims/claim'
import { recordEvent } from '@garantia/server/kernel'
import { afterAll, expect, test } from 'vitest'
import { eventKinds } from '../support/event-kinds.ts'
import { startTestApp } from '../support/test-app.ts'
import { claimFixture } from './claim-fixture.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx
const { make } = testApp
const { eventsOf } = claimFixture(testApp)

test('sending records channel, address, number and dossier, and again after a return (D-56)', async () => {
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

test('sending waits for a dossier with what the order has now, and requests it', async () => {
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
  expect((await eventKinds(db, 'order', order_id)).at(-1)).toBe('dossier.requested')
  await db
    .updateTable('dossiers')
    .set({ status: 'sealed', sealed_at: new Date(), chain_seq: 2, manifest: '{"files":[]}' })
    .where('order_id', '=', order_id)
    .where('n', '=', 2)
    .execute()
  expect((await submitClaim(ctx, id, {})).submissions).toMatchObject([{ dossier_n: 2 }])
})

test('sending is refused with problems in the package, unless they were accepted on completion (D-10)', async () => {
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

test('sending is of a day that has come', async () => {
  const { id } = await make.sendableClaim()
  const sent_at = new Date(Date.now() + 3_600_000).toISOString()
  await expect(submitClaim(ctx, id, { sent_at })).rejects.toMatchObject({ code: 'invalid' })
})
