import {
  appealClaim,
  differenceSince,
  readClaim,
  submitClaim,
  withdrawClaim,
} from '@garantia/server/features/claims/claim'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import { claimFixture } from './claim-fixture.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx
const { make } = testApp
const { decide, rejected, eventsOf } = claimFixture(testApp)

test('an appeal without lines carries over what was refused, line by line (D-56)', async () => {
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

test('an appeal when it is sent, is no longer expected of the claim before; when withdrawn, it is again', async () => {
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

test('an appeal that is withdrawn opens the claim before that was reconciled with it', async () => {
  const former = await rejected()
  const { id } = await appealClaim(ctx, former.id, {})
  await submitClaim(ctx, id, {})
  const settled = { state: 'reconciled' as const, reconciled_at: new Date() }
  await db.updateTable('claims').set(settled).where('id', '=', former.id).execute()
  await withdrawClaim(ctx, id, { reason: 'Sem novidade' })
  expect(await readClaim(ctx, former.id)).toMatchObject({ state: 'rejected', open_amount: 30 })
})

test('an appeal that another one has overtaken is not sent', async () => {
  const former = await rejected([10])
  const [one, two] = [await appealClaim(ctx, former.id, {}), await appealClaim(ctx, former.id, {})]
  await submitClaim(ctx, one.id, {})
  await expect(submitClaim(ctx, two.id, {})).rejects.toMatchObject({ code: 'invalid' })
  await expect(appealClaim(ctx, former.id, {})).rejects.toMatchObject({ code: 'conflict' })
})

test('of two appeals of one claim that are sent at once, one is', async () => {
  const former = await rejected([10])
  const [one, two] = [await appealClaim(ctx, former.id, {}), await appealClaim(ctx, former.id, {})]
  const sent = await Promise.allSettled([submitClaim(ctx, one.id, {}), submitClaim(ctx, two.id, {})])
  expect(sent.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await readClaim(ctx, former.id)).toMatchObject({ carried: 10, open_amount: 0 })
})

test('an appeal contests a debit once', async () => {
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

test('an appeal shows what is different since the dossier that went along', async () => {
  const former = await make.sendableClaim()
  await submitClaim(ctx, former.id, {})
  const file = await make.converted({ order_id: former.order_id })
  const found = await differenceSince(ctx, former.id)
  expect(found).toMatchObject({ dossier_n: 1, removed: [], changed: [] })
  expect(found.added).toContain(file.converted_filename)
  const unsent = await make.claim()
  await expect(differenceSince(ctx, unsent.id)).rejects.toMatchObject({ code: 'not_found' })
})
