import { readClaim } from '@garantia/server/features/claims/claim'
import { payClaim, reconcileClaim } from '@garantia/server/features/claims/entries'
import {
  bookRemittance,
  checkRemittance,
  checkTypedLines,
  listDifferences,
  listRemittances,
  resolveDifference,
  runRemittance,
  typeRemittance,
  undoRemittance,
} from '@garantia/server/features/claims/remittances'
import { verifyChains } from '@garantia/server/features/records/chain'
import type { RemittanceInput, RemittanceView } from '@garantia/shared/claims/remittance'
import { startWorker } from '@garantia/worker'
import { writeXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { eventKinds } from '../support/event-kinds.ts'
import { multipart, startTestApp } from '../support/test-app.ts'
import { waitsForLock } from '../support/waits-for-lock.ts'

const testApp = await startTestApp()
const { ctx } = testApp.kernel
const { make } = testApp
let worker: Awaited<ReturnType<typeof startWorker>>
beforeAll(async () => {
  worker = await startWorker(testApp.kernel)
})
afterAll(async () => {
  await worker.stop()
  await testApp[Symbol.asyncDispose]()
})

const company = await make.company()
const filial = await make.company({ parent_id: company.id })
const brand = await make.brand({ payment_tolerance: 0.05 })
const manager = await make.user({ role: 'manager', company_id: company.id })
const boss = await testApp.as(manager)
const PAID_ON = '2026-01-05'
const orderOf = (fields: object = {}) => make.order({ company_id: company.id, brand_id: brand.id, ...fields })
const claimOf = async (brand_number: string | undefined, fields: object = {}, order: object = {}) =>
  make.claim({
    order: await orderOf(order),
    state: 'accepted',
    ...(brand_number && { brand_number }),
    ...fields,
  })
const type = (lines: RemittanceInput['lines']) =>
  typeRemittance(boss.ctx, { company_id: company.id, brand_id: brand.id, paid_on: PAID_ON, lines })
const waiting = async (remittance_id: number) => (await listDifferences(boss.ctx, { remittance_id })).items

async function send(content: Buffer | string, filename = 'pago.csv'): Promise<RemittanceView> {
  const { body, headers } = multipart([{ name: 'file', filename, content }])
  const path = `/remittances?company_id=${company.id}&brand_id=${brand.id}`
  const answer = await boss.api('POST', path, body, headers)
  expect(answer.statusCode).toBe(201)
  return ended(answer.json().id)
}
const ended = (id: number) =>
  vi.waitUntil(
    async () => {
      const seen = (await boss.api('GET', `/remittances/${id}`)).json() as RemittanceView
      return ['reading', 'running'].includes(seen.status) ? false : seen
    },
    { timeout: 30_000 },
  )
const stateOf = (ids: readonly number[]) =>
  Promise.all(
    ids.map(async (id) => {
      const { state, paid, debited, written_off, open_amount, due_on, lines } = await readClaim(ctx, id)
      return { state, paid, debited, written_off, open_amount, due_on, lines }
    }),
  )

/** Orders that a test has made have no event of their own. */
const brokenChains = async () => (await verifyChains(ctx)).faults.filter(({ seq }) => seq > 0)

test('a file is read, simulated, booked once, and undone as if it had never come', async () => {
  const byNumber = await claimOf('SG1', { amounts: [60, 40] })
  const byOs = await claimOf(undefined, {}, { vehicle_chassis: '9BWZZZ377VT004251' })
  const order = await ctx.db
    .selectFrom('service_orders')
    .where('id', '=', byOs.order_id)
    .select('os_number')
    .executeTakeFirstOrThrow()
  const tolerated = await claimOf('SG2', { amounts: [10] })
  const less = await claimOf('SG3')
  const sent = await claimOf('SG4', { state: 'sent' })
  const ofFilial = await claimOf('SG5', {}, { company_id: filial.id })
  const ids = [byNumber, byOs, tolerated, less, sent, ofFilial].map(({ id }) => id)
  const before = await stateOf(ids)
  const file = [
    'Nº SG;OS;Final do chassi;Valor pago;NF',
    'SG1;;;100,00;1',
    `;${order.os_number};4251;100,00;2`,
    'SG2;;;9,97;3',
    'SG3;;;90,00;4',
    'SG4;;;100,00;5',
    'SG5;;;100,00;6',
    'SG9;;;1,00;7',
    'SG1;;;100,00;1',
    ';;;1.234,56;Total',
  ].join('\n')
  const read = await send(file)
  expect(read).toMatchObject({ status: 'read', lines: 9, has_content: true })
  expect(read.mapping).toEqual({ brand_number: 0, os_number: 1, chassis: 2, amount: 3, document: 4 })
  const mapping = { amount: 3, ...read.mapping }
  const report = await checkRemittance(boss.ctx, read.id, { mapping })
  const outcomes = { matched: 4, differing: 2, unknown: 1, duplicate: 1, already_paid: 0 }
  expect(report).toMatchObject({ lines: 8, refused: 1, total: 600.97, outcomes })
  expect(report.problems).toEqual([{ line: 10, value: '1.234,56', message: 'Sem número na marca nem da OS' }])
  expect(await stateOf(ids)).toEqual(before)

  await runRemittance(boss.ctx, read.id, { mapping, paid_on: PAID_ON, number: '2026-01' })
  const done = await ended(read.id)
  expect(done).toMatchObject({
    status: 'done',
    outcomes,
    refused: 1,
    total: 600.97,
    booked: 309.97,
    waiting: 4,
  })
  const booked = await stateOf(ids)
  expect(booked.map(({ state, paid, written_off }) => [state, paid, written_off])).toEqual([
    ['credited', 100, 0],
    ['credited', 100, 0],
    ['credited', 9.97, 0.03],
    ['accepted', 0, 0],
    ['sent', 0, 0],
    ['credited', 100, 0],
  ])
  expect((await waiting(read.id)).map((one) => [one.line, one.difference, one.expected])).toEqual([
    [5, 'paid_less', 100],
    [6, 'not_decided', 0],
    [8, 'unknown', null],
    [9, 'duplicate', 0],
  ])

  // The same file is the same remittance, under another name too; the same lines in another file are repeated.
  expect(await send(file, 'outro.csv')).toMatchObject({ id: read.id, status: 'done' })
  await expect(runRemittance(boss.ctx, read.id, { mapping, paid_on: PAID_ON })).rejects.toMatchObject({
    code: 'conflict',
  })
  const again = await send(`${file}\nSG8;;;5,00;8`)
  // Remembered for the headings of the brand.
  expect(again.mapping).toEqual(mapping)
  await runRemittance(boss.ctx, again.id, { mapping, paid_on: PAID_ON })
  expect(await ended(again.id)).toMatchObject({ outcomes: { matched: 0, duplicate: 8, unknown: 1 } })
  expect(await stateOf(ids)).toEqual(booked)

  const [first] = await waiting(read.id)
  await resolveDifference(boss.ctx, first?.id ?? 0, { resolution: 'booked', note: 'Marca avisada' })
  expect(await ended(read.id)).toMatchObject({ booked: 309.97 + (first?.amount ?? 0), waiting: 3 })
  expect((await readClaim(ctx, less.id)).paid).toBe(90)
  const undone = await undoRemittance(boss.ctx, read.id, { reason: 'Mês errado' })
  expect(undone).toMatchObject({ status: 'undone', undo_reason: 'Mês errado' })
  expect(await stateOf(ids)).toEqual(before)
  expect(await waiting(read.id)).toEqual([])
  await expect(undoRemittance(boss.ctx, read.id, { reason: 'x' })).rejects.toMatchObject({
    code: 'conflict',
  })
  // Undone, the file may come again, as another remittance.
  await undoRemittance(boss.ctx, again.id, { reason: 'Também' })
  const anew = await send(file)
  expect(anew.id).not.toBe(read.id)
  await runRemittance(boss.ctx, anew.id, { mapping, paid_on: PAID_ON })
  await ended(anew.id)
  expect(await stateOf(ids)).toEqual(booked)
  expect(await brokenChains()).toEqual([])
  expect(
    (await eventKinds(ctx.db, 'user', manager.id)).filter((kind) => kind.startsWith('remittance.')),
  ).toEqual([
    'remittance.booked',
    'remittance.booked',
    'remittance.resolved',
    'remittance.undone',
    'remittance.undone',
    'remittance.booked',
  ])
})

test('a workbook is read too, and nonsense fails with a reason', async () => {
  await claimOf('XL1')
  const rows = [
    ['Protocolo', 'Valor'],
    ['XL1', 100],
  ]
  const book = await writeXlsx({ sheets: [{ name: 'Pago', rows }] }).then(Buffer.from)
  const read = await send(book, 'pago.xlsx')
  expect(read).toMatchObject({ status: 'read', mapping: { brand_number: 0, amount: 1 } })
  const mapping = { brand_number: 0, amount: 1 }
  expect(await checkRemittance(boss.ctx, read.id, { mapping })).toMatchObject({
    outcomes: { matched: 1 },
  })
  await expect(
    checkRemittance(boss.ctx, read.id, { mapping: { brand_number: 0, amount: 7 } }),
  ).rejects.toMatchObject({ code: 'invalid' })
  expect(await send('Protocolo\n')).toMatchObject({ status: 'failed' })
})

test('a file is booked only while its person may import', async () => {
  const claim = await claimOf('P1')
  const { id } = await send('Protocolo;Valor\nP1;100,00\n')
  const mapping = JSON.stringify({ brand_number: 0, amount: 1 })
  for (const fields of [{}, { role: 'manager' as const, is_active: false }]) {
    const { id: user_id } = await make.user({ company_id: company.id, ...fields })
    const asked = { status: 'running', mapping, paid_on: PAID_ON, user_id }
    await ctx.db.updateTable('remittances').set(asked).where('id', '=', id).execute()
    await bookRemittance(ctx, id)
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      error: 'Quem pediu a importação não tem mais acesso.',
    })
    expect((await readClaim(ctx, claim.id)).paid).toBe(0)
  }
})

test('typed lines are compared without keeping anything, and booked as the comparison said', async () => {
  const claim = await claimOf('TYPED1')
  const lines = [
    { brand_number: 'TYPED1', amount: 100 },
    { brand_number: 'TYPED2', amount: 5 },
    { brand_number: 'TYPED1', amount: 100 },
  ]
  const kept = (await listRemittances(boss.ctx, {})).total
  const report = await checkTypedLines(boss.ctx, { company_id: company.id, brand_id: brand.id, lines })
  const outcomes = { matched: 1, differing: 0, unknown: 1, duplicate: 1, already_paid: 0 }
  expect(report).toMatchObject({ lines: 3, total: 205, outcomes, refused: 0 })
  expect(report.differences).toMatchObject([
    { line: 2, outcome: 'unknown', claim: null },
    { line: 3, outcome: 'duplicate', claim_id: claim.id },
  ])
  expect((await listRemittances(boss.ctx, {})).total).toBe(kept)
  expect((await readClaim(ctx, claim.id)).paid).toBe(0)
  expect(await type(lines)).toMatchObject({ status: 'done', outcomes })
  expect((await readClaim(ctx, claim.id)).paid).toBe(100)
})

test('differences are booked, booked and written off, debited or left, once, with who and why', async () => {
  const limited = await make.company({ write_off_limit: 5 })
  const lead = await testApp.as(await make.user({ role: 'manager', company_id: limited.id }))
  const claim = async (brand_number: string, fields: object = {}) =>
    make.claim({
      order: await orderOf({ company_id: limited.id }),
      state: 'accepted',
      brand_number,
      ...fields,
    })
  const [less, much, rejected, target] = [
    await claim('DIF1'),
    await claim('DIF2'),
    await claim('DIF3', { state: 'rejected' }),
    await claim('DIF4'),
  ]
  const { id } = await typeRemittance(lead.ctx, {
    company_id: limited.id,
    brand_id: brand.id,
    paid_on: PAID_ON,
    lines: [
      { brand_number: 'DIF1', amount: 97 },
      { brand_number: 'DIF2', amount: 50 },
      { brand_number: 'DIF3', amount: 20 },
      { brand_number: 'DIF5', amount: 100 },
      { brand_number: 'DIF6', amount: -30 },
    ],
  })
  const lines = (await listDifferences(lead.ctx, { remittance_id: id })).items
  const resolve = (n: number, given: object) =>
    resolveDifference(lead.ctx, lines[n]?.id ?? 0, { resolution: 'booked', note: 'Conferido', ...given })
  const off = { resolution: 'written_off' as const }
  expect(await resolve(0, off)).toMatchObject({ resolution: 'written_off', resolution_note: 'Conferido' })
  expect(await readClaim(ctx, less.id)).toMatchObject({ paid: 97, written_off: 3, open_amount: 0 })
  await expect(resolve(0, off)).rejects.toMatchObject({ code: 'conflict' })
  await expect(resolve(1, off)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await readClaim(ctx, much.id)).toMatchObject({ paid: 0 })
  await resolve(2, {})
  expect(await readClaim(ctx, rejected.id)).toMatchObject({ paid: 20, state: 'credited' })
  await expect(resolve(3, {})).rejects.toMatchObject({ code: 'invalid' })
  const stranger = await make.claim({ state: 'accepted' })
  await expect(resolve(3, { claim_id: stranger.id })).rejects.toMatchObject({ code: 'not_found' })
  expect(await resolve(3, { claim_id: target.id })).toMatchObject({ claim_id: target.id })
  expect(await readClaim(ctx, target.id)).toMatchObject({ paid: 100 })
  await resolve(4, { claim_id: target.id })
  expect(await readClaim(ctx, target.id)).toMatchObject({ debited: 30, state: 'debited' })
  expect(await resolve(1, { resolution: 'ignored' })).toMatchObject({ resolution: 'ignored' })
  expect((await listDifferences(lead.ctx, { remittance_id: id })).total).toBe(0)

  await undoRemittance(lead.ctx, id, { reason: 'Tudo errado' })
  for (const one of [less, much, rejected, target])
    expect(await readClaim(ctx, one.id)).toMatchObject({ paid: 0, debited: 0, written_off: 0 })
})

test('a payment that was debited since is not undone, and a reconciled claim opens again', async () => {
  const { id: claim_id, lines } = await claimOf('U1')
  const { id } = await type([{ brand_number: 'U1', amount: 100 }])
  const debit = await boss.api('POST', `/claims/${claim_id}/debit`, {
    booked_on: PAID_ON,
    reason: 'Auditoria',
    lines: [{ line_id: lines[0]?.id, amount: 1 }],
  })
  await expect(undoRemittance(boss.ctx, id, { reason: 'x' })).rejects.toMatchObject({
    code: 'conflict',
    detail: expect.stringMatching(/^Há um estorno posterior em SG /),
  })
  const entry_id = debit.json().entries.at(-1).id
  await boss.api('POST', `/claims/${claim_id}/correct-entry`, { entry_id, reason: 'Engano' })
  await reconcileClaim(boss.ctx, claim_id, { reason: 'Pago' })
  await undoRemittance(boss.ctx, id, { reason: 'Arquivo errado' })
  expect(await readClaim(ctx, claim_id)).toMatchObject({ state: 'accepted', paid: 0, open_amount: 100 })
})

test('an undo leaves money, days and deadlines as before; a claim that was reconciled before is left to be reconciled again', async () => {
  const paidBefore = await claimOf('U2')
  await payClaim(boss.ctx, paidBefore.id, { booked_on: '2026-01-02', amount: 100 })
  await reconcileClaim(boss.ctx, paidBefore.id, { reason: 'Pago' })
  const partly = await claimOf('U3')
  await payClaim(boss.ctx, partly.id, { booked_on: '2026-01-02', amount: 40 })
  const fresh = await claimOf('U4')
  const ids = [paidBefore.id, partly.id, fresh.id]
  const facts = async () =>
    (
      await ctx.db
        .selectFrom('claims')
        .where('id', 'in', ids)
        .select([
          'id',
          'state',
          'paid',
          'written_off',
          'open_amount',
          'credited_at',
          'due_on',
          'reconciled_at',
        ])
        .orderBy('id')
        .execute()
    ).map(({ reconciled_at, ...one }) => ({ ...one, isReconciled: reconciled_at !== null }))
  const before = await facts()
  const { id } = await type([
    { brand_number: 'U2', amount: 5 },
    { brand_number: 'U3', amount: 60 },
    { brand_number: 'U4', amount: 100 },
  ])
  const [again] = await waiting(id)
  await resolveDifference(boss.ctx, again?.id ?? 0, { resolution: 'booked', note: 'Pago a mais' })
  expect((await facts()).map(({ state, paid }) => [state, paid])).toEqual([
    ['credited', 105],
    ['credited', 100],
    ['credited', 100],
  ])
  await undoRemittance(boss.ctx, id, { reason: 'Mês errado' })
  const [reconciled, ...others] = before
  expect(await facts()).toEqual([{ ...reconciled, state: 'credited', isReconciled: false }, ...others])
  await reconcileClaim(boss.ctx, paidBefore.id, { reason: 'Pago' })
  expect(await facts()).toEqual(before)
})

test('two imports at once do not pay a claim twice', async () => {
  const { id } = await claimOf('C1')
  const paying = [1, 2, 3].map((n) =>
    type([
      { brand_number: 'C1', amount: 100 },
      { brand_number: `N-${n}`, amount: 1 },
    ]),
  )
  const done = await Promise.all(paying)
  expect(done.map(({ outcomes }) => outcomes.matched).sort()).toEqual([0, 0, 1])
  expect(await readClaim(ctx, id)).toMatchObject({ paid: 100 })
})

test('two imports of a company follow each other, so that a line of no claim is told from its repetition', async () => {
  let isBooked = false
  await ctx.db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(7201019, ${company.id}::int)`.execute(db)
    const typing = type([{ brand_number: 'H0001', amount: 1 }])
    void typing.then(() => {
      isBooked = true
    })
    await expect.poll(async () => isBooked || (await waitsForLock(ctx.db))).toBe(true)
    expect(isBooked).toBe(false)
  })
  await expect.poll(() => isBooked).toBe(true)
})

test('no remittance, line or claim of another company is seen or matched (D-39)', async () => {
  const stranger = await testApp.as(await make.user({ role: 'manager' }))
  const technician = await testApp.as(await make.user({ company_id: company.id }))
  const foreign = await make.claim({
    order: await make.order({ brand_id: brand.id }),
    state: 'accepted',
    brand_number: 'F1',
  })
  const { id, outcomes } = await type([{ brand_number: 'F1', amount: 100 }])
  expect(outcomes).toMatchObject({ matched: 0, unknown: 1 })
  expect(await readClaim(ctx, foreign.id)).toMatchObject({ paid: 0 })
  expect((await listRemittances(stranger.ctx, {})).items).toEqual([])
  expect((await listDifferences(stranger.ctx, {})).items).toEqual([])
  await expect(undoRemittance(stranger.ctx, id, { reason: 'x' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(listRemittances(technician.ctx, {})).rejects.toMatchObject({ code: 'forbidden' })
  await expect(payClaim(technician.ctx, foreign.id, { booked_on: PAID_ON, amount: 1 })).rejects.toMatchObject(
    {
      code: 'forbidden',
    },
  )
})
