import { changeBrand, importBrands, openBrand, readBrand } from '@garantia/server/features/catalogue/brands'
import { changeCompany } from '@garantia/server/features/catalogue/companies'
import {
  noteDue,
  noteDueOfBrand,
  noteDueOfOrder,
  openClaim,
  readClaim,
} from '@garantia/server/features/claims/claim'
import { countDeadlines, linkVisits, listDeadlines } from '@garantia/server/features/claims/deadlines'
import {
  answerClaim,
  correctEntry,
  payClaim,
  recordCreditNote,
} from '@garantia/server/features/claims/entries'
import { changePart, partsOfClaim } from '@garantia/server/features/claims/parts'
import { brandFile, brandFileOf } from '@garantia/shared/brands/file'
import type { DeadlineFilter } from '@garantia/shared/claims/deadlines'
import { partChange } from '@garantia/shared/claims/parts'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { keptPart } from '../api/deadline-rows.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { make } = testApp
const { ctx } = testApp.kernel
const { db } = ctx

const NOW = new Date('2026-11-24T15:00:00Z')
const at = (now: Date) => ({ ...ctx, clock: () => now })
const now = at(NOW)
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000)
const dayAgo = (days: number) => daysAgo(days).toISOString().slice(0, 10)
const closed = (days: number) => ({
  status: 'completed' as const,
  completed_at: daysAgo(days),
  opened_at: daysAgo(days + 2),
})
const listed = async (filter: DeadlineFilter, who = now) =>
  (await listDeadlines(who, filter)).items.map(({ kind, due_on, is_overdue, order_id }) => [
    kind,
    due_on,
    is_overdue,
    order_id,
  ])
const noted = (id: number) =>
  db
    .selectFrom('claims')
    .where('id', '=', id)
    .select(['due_kind', sql<string | null>`due_on::text`.as('due_on')])
    .executeTakeFirstOrThrow()
const setDue = (id: number, due_kind: string, due_on: string) =>
  sql`update claims set due_kind = ${due_kind}, due_on = ${due_on}::date where id = ${id}`.execute(db)

test('one list has what claims, orders, visits and parts wait for, overdue first, each once', async () => {
  const brand = await make.brand({ claim_send_days: 10, display_name: 'Fiat' })
  const company = await make.company({ trading_name: 'Auto Sul' })
  const place = { brand_id: brand.id, company_id: company.id }
  const responsible = await make.user({ company_id: company.id, full_name: 'Rui Lima' })
  const unsent = await make.order({ ...place, ...closed(12), responsible_user_id: responsible.id })
  await make.order({ ...place, ...closed(71 + 1) })
  const open = await make.order({ ...place, opened_at: daysAgo(30) })
  const fresh = await make.order({ ...place, opened_at: daysAgo(1) })
  const sent = await make.order({ ...place, ...closed(40) })
  const claim = await make.claim({ order: sent, state: 'sent' })
  await setDue(claim.id, 'answer', dayAgo(0))
  const part = await keptPart(testApp, place)
  await db.updateTable('service_orders').set(closed(80)).where('id', '=', part.order_id).execute()
  await sql`update part_returns set due_on = ${dayAgo(-3)}::date where id = ${part.id}`.execute(db)
  const withdrawn = await make.claim({
    order: await make.order({ ...place, ...closed(9) }),
    state: 'withdrawn',
  })
  expect(withdrawn.id).toBeGreaterThan(0)
  const company_id = [company.id]
  const all = [
    ['send', dayAgo(2), true, unsent.id],
    ['legal', dayAgo(0), true, open.id],
    ['answer', dayAgo(0), false, sent.id],
    ['part', dayAgo(-3), false, part.order_id],
    ['legal', dayAgo(-29), false, fresh.id],
  ]
  expect(await listed({ company_id })).toEqual(all)
  const page = await listDeadlines(now, { company_id, skip: 1, limit: 2 })
  expect(page).toMatchObject({ total: 5, total_is_exact: true, overdue: 2 })
  expect(page.items.map(({ order_id }) => order_id)).toEqual([open.id, sent.id])
  expect((await listDeadlines(now, { company_id })).items[0]).toMatchObject({
    company: { trading_name: 'Auto Sul' },
    brand: { display_name: 'Fiat' },
    responsible_name: 'Rui Lima',
    claim_id: null,
  })
  expect(await listed({ company_id, kind: ['legal', 'part'] })).toEqual([all[1], all[3], all[4]])
  expect(await listed({ company_id, until: dayAgo(0) })).toEqual(all.slice(0, 3))
  expect(await listed({ company_id, responsible_user_id: [responsible.id] })).toEqual([all[0]])
  expect(await listed({ company_id, brand_id: [brand.id + 1_000] })).toEqual([])
  expect(await listDeadlines(now, { company_id, skip: 9 })).toMatchObject({ items: [], total: 5, overdue: 2 })
  expect(await countDeadlines(now, { company_id })).toEqual({
    kinds: [
      { kind: 'send', overdue: 1, soon: 0 },
      { kind: 'answer', overdue: 0, soon: 1 },
      { kind: 'part', overdue: 0, soon: 1 },
      { kind: 'legal', overdue: 1, soon: 0 },
    ],
    overdue: 2,
    soon: 2,
  })
})

test('an order that was deleted, and one of another company, are in no list and no number', async () => {
  const brand = await make.brand({ claim_send_days: 1 })
  const [own, foreign] = [await make.company(), await make.company()]
  const user = await make.user({ company_id: own.id, role: 'manager' })
  const person = { ...(await testApp.as(user)).ctx, clock: () => NOW }
  for (const company_id of [own.id, foreign.id]) {
    const place = { company_id, brand_id: brand.id }
    await make.order({ ...place, ...closed(3) })
    await make.order({ ...place, opened_at: daysAgo(31) })
    const claim = await make.claim({ order: await make.order({ ...place, ...closed(3) }), state: 'sent' })
    await setDue(claim.id, 'answer', dayAgo(1))
    await sql`update part_returns set due_on = ${dayAgo(1)}::date
      where id = ${(await keptPart(testApp, place)).id}`.execute(db)
    const [one, two] = [
      await make.order({ ...place, vehicle_chassis: '9BWZZZ377VT999999', opened_at: daysAgo(40) }),
      await make.order({ ...place, vehicle_chassis: '9BWZZZ377VT999999', opened_at: daysAgo(35) }),
    ]
    await linkVisits(ctx, { order_id: one.id, with_order_id: two.id })
  }
  const before = await countDeadlines(person)
  const { items, total, overdue } = await listDeadlines(person, {})
  expect(new Set(items.map(({ company }) => company.id))).toEqual(new Set([own.id]))
  expect([total, overdue]).toEqual([items.length, before.overdue])
  expect(items.map(({ kind }) => kind).sort()).toEqual(['answer', 'legal', 'legal', 'legal', 'part', 'send'])
  expect(await listDeadlines(person, { company_id: [foreign.id] })).toMatchObject({ items: [], total: 0 })
  await db.updateTable('service_orders').set({ deleted_at: NOW }).where('company_id', '=', own.id).execute()
  expect(await listDeadlines(person, {})).toMatchObject({ items: [], total: 0, overdue: 0 })
  expect(await countDeadlines(person)).toEqual({ kinds: [], overdue: 0, soon: 0 })
})

test('a change of a window notes anew what claims of the brand wait for, and not those of another', async () => {
  const [brand, other] = [
    await make.brand({ claim_answer_days: 5 }),
    await make.brand({ claim_answer_days: 5 }),
  ]
  const claimOf = async (brand_id: number) => {
    const { id } = await make.claim({ order: await make.order({ brand_id }), state: 'sent' })
    await noteDue(ctx, id)
    return id
  }
  const [mine, theirs] = [await claimOf(brand.id), await claimOf(other.id)]
  const [first, same] = [await noted(mine), await noted(theirs)]
  expect(first.due_kind).toBe('answer')
  const change = { claim_answer_days: 15 }
  await changeBrand(ctx, { id: brand.id, change })
  const job = await sql`select key from graphile_worker.jobs
    where key = ${`due-of-brand:${brand.id}`}`.execute(db)
  expect(job.rows).toHaveLength(1)
  await noteDueOfBrand(ctx, brand.id)
  const later = await noted(mine)
  expect(Date.parse(later.due_on ?? '') - Date.parse(first.due_on ?? '')).toBe(10 * 86_400_000)
  expect(await noted(theirs)).toEqual(same)
  await changeBrand(ctx, { id: brand.id, change: { claim_answer_days: null } })
  await noteDueOfBrand(ctx, brand.id)
  expect(await noted(mine)).toEqual({ due_kind: null, due_on: null })
})

test('a draft is due from the completion of its order on, and not after it was reopened', async () => {
  const brand = await make.brand({ claim_send_days: 10 })
  const order = await make.order({ brand_id: brand.id })
  const { id } = await openClaim(ctx, order.id, { type: 'normal', lines: [] })
  const jobs = async () =>
    (await sql`select key from graphile_worker.jobs where key = ${`due-of-order:${order.id}`}`.execute(db))
      .rows.length
  const end = (fields: object) =>
    db.updateTable('service_orders').set(fields).where('id', '=', order.id).execute()
  await end({ problem_description: 'Outra' })
  expect(await jobs()).toBe(0)
  await end({ status: 'completed', completed_at: NOW })
  expect(await jobs()).toBe(1)
  await noteDueOfOrder(ctx, order.id)
  expect(await noted(id)).toEqual({ due_kind: 'send', due_on: '2026-12-04' })
  await end({ status: 'created', completed_at: null })
  await noteDueOfOrder(ctx, order.id)
  expect(await noted(id)).toEqual({ due_kind: null, due_on: null })
})

test('a replaced part is kept from the first sending on, until a day that somebody typed', async () => {
  const brand = await make.brand({ claim_part_days: 90 })
  const part = await keptPart(testApp, { brand_id: brand.id })
  const read = async () => (await partsOfClaim(ctx, part.claim_id)).data[0]
  const sent = await read()
  expect(sent).toMatchObject({ state: 'held', part_number: '5Q0614517', place: null })
  expect(sent?.label).toMatch(new RegExp(`/os/${part.order_id}\\?tab=garantia&peca=${part.id}$`))
  await changeBrand(ctx, { id: brand.id, change: { claim_part_days: 91 } })
  await noteDueOfBrand(ctx, brand.id)
  expect(Date.parse((await read())?.due_on ?? '') - Date.parse(sent?.due_on ?? '')).toBe(86_400_000)
  await changePart(ctx, { id: part.id, place: 'Prateleira B3', due_on: '2027-01-15' })
  await changeBrand(ctx, { id: brand.id, change: { claim_part_days: 30 } })
  await noteDueOfBrand(ctx, brand.id)
  expect(await read()).toMatchObject({ place: 'Prateleira B3', due_on: '2027-01-15', version: 2 })
})

test('days of parts and appeals run from the event that the brand says, and wait for it', async () => {
  const brand = await make.brand({
    claim_part_days: 60,
    claim_part_from: 'credit_note',
    claim_appeal_days: 20,
    claim_appeal_from: 'paid',
  })
  const { claim_id } = await keptPart(testApp, { brand_id: brand.id })
  const sentAt = new Date('2026-11-02T12:00:00Z')
  await db.updateTable('claims').set({ sent_at: sentAt }).where('id', '=', claim_id).execute()
  const lines = await db
    .selectFrom('claim_lines')
    .where('claim_id', '=', claim_id)
    .select(['id', 'claimed'])
    .orderBy('n')
    .execute()
  const part = async () => (await partsOfClaim(ctx, claim_id)).data[0]
  const claim = () => readClaim(ctx, claim_id)
  await noteDue(now, claim_id)
  expect(await part()).toMatchObject({ due_on: null, due_awaits: 'credit_note' })
  expect(await claim()).toMatchObject({ due_awaits: null, credit_note_on: null })
  await expect(recordCreditNote(now, claim_id, { credit_note_on: '2026-11-10' })).rejects.toMatchObject({
    code: 'conflict',
  })
  const decided_at = '2026-11-05T12:00:00Z'
  const answers = lines.map(({ id, claimed }, index) =>
    index === 0
      ? { line_id: id, authorised: claimed }
      : { line_id: id, authorised: 0, reason: 'not_covered' as const },
  )
  await answerClaim(now, claim_id, { answer: 'decided', decided_at, lines: answers })
  expect(await claim()).toMatchObject({ state: 'partial', due_on: null, due_awaits: 'paid' })
  for (const credit_note_on of ['2026-11-01', '2026-11-25'])
    await expect(recordCreditNote(now, claim_id, { credit_note_on })).rejects.toMatchObject({
      code: 'invalid',
    })
  const { version } = await claim()
  expect(await recordCreditNote(now, claim_id, { credit_note_on: '2026-11-10', version })).toMatchObject({
    credit_note_on: '2026-11-10',
    version: version + 1,
    due_awaits: 'paid',
  })
  expect(await part()).toMatchObject({ due_on: '2027-01-09', due_awaits: null })
  const paid = await payClaim(now, claim_id, { booked_on: '2026-11-20', amount: lines[0]?.claimed ?? 0 })
  expect(paid).toMatchObject({
    state: 'credited',
    due_kind: 'appeal',
    due_on: '2026-12-10',
    due_awaits: null,
  })
  const entry_id = paid.entries[0]?.id ?? 0
  expect(await correctEntry(now, claim_id, { entry_id, reason: 'Outra OS' })).toMatchObject({
    due_on: null,
    due_awaits: 'paid',
  })
  await recordCreditNote(now, claim_id, { credit_note_on: null })
  expect(await part()).toMatchObject({ due_on: null, due_awaits: 'credit_note' })
  const change = { claim_part_from: 'answered', claim_appeal_from: 'answered' } as const
  await changeBrand(ctx, { id: brand.id, change })
  const job = await sql`select key from graphile_worker.jobs
    where key = ${`due-of-brand:${brand.id}`}`.execute(db)
  expect(job.rows).toHaveLength(1)
  await noteDueOfBrand(now, brand.id)
  expect(await part()).toMatchObject({ due_on: '2027-01-04', due_awaits: null })
  expect(await claim()).toMatchObject({ due_kind: 'appeal', due_on: '2026-11-25', due_awaits: null })
})

test('a part is sent with its day, has what the invoice needs, and is in the history of the order', async () => {
  const part = await keptPart(testApp)
  await expect(changePart(ctx, { id: part.id, state: 'sent' })).rejects.toMatchObject({ code: 'invalid' })
  await expect(
    changePart(ctx, { id: part.id, state: 'received', sent_on: '2026-11-20' }),
  ).rejects.toMatchObject({ code: 'invalid' })
  await expect(
    changePart(ctx, { id: part.id, state: 'received', sent_on: '2026-11-20', received_on: '2026-11-19' }),
  ).rejects.toMatchObject({ code: 'invalid' })
  const facts = {
    state: 'sent' as const,
    sent_on: '2026-11-20',
    attributed_value: 189.05,
    certificate_number: '7744',
    certificate_issued_on: '2025-01-10',
    certificate_until: '2028-01-10',
    invoice_number: '4711',
    invoice_key: '35261112ABC34501DE35550010000012341000012346',
    carrier: 'Transportes Sul',
  }
  expect(await changePart(ctx, { id: part.id, version: 1, ...facts })).toMatchObject({ ...facts, version: 2 })
  expect(
    partChange.safeParse({ id: part.id, invoice_key: `${facts.invoice_key.slice(0, -1)}5` }).success,
  ).toBe(false)
  const wrong = `${facts.invoice_key.slice(0, 20)}A${facts.invoice_key.slice(21)}`
  await expect(
    db.updateTable('part_returns').set({ invoice_key: wrong }).where('id', '=', part.id).execute(),
  ).rejects.toThrow(/invoice_key/)
  await expect(changePart(ctx, { id: part.id, version: 1, place: 'A1' })).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(await changePart(ctx, { id: part.id, sent_on: '2026-11-20' })).toMatchObject({ version: 2 })
  const event = await db
    .selectFrom('events')
    .where('subject_id', '=', part.order_id)
    .where('kind', '=', 'claim.part')
    .select('changes')
    .execute()
  expect(event.map(({ changes }) => changes)).toMatchObject([
    {
      part: '5Q0614517',
      part_state: ['held', 'sent'],
      sent_on: [null, '2026-11-20'],
      carrier: [null, 'Transportes Sul'],
    },
  ])
})

test('what a brand has of claims is changed, copied, written to a file and read from one; older files change none of it', async () => {
  const { id } = await make.brand()
  const rules = {
    claim_send_days: 30,
    claim_part_from: 'credit_note',
    payment_tolerance: 0.05,
    submission_channel: 'email',
    submission_email: 'analista@exemplo.com.br',
    submission_fields: ['os_number', 'vehicle_chassis'],
  } as const
  const mail = { submission_channel: 'email' } as const
  await expect(changeBrand(ctx, { id, change: mail })).rejects.toMatchObject({ code: 'invalid' })
  const changed = await changeBrand(ctx, {
    id,
    change: { ...rules, submission_fields: [...rules.submission_fields] },
  })
  expect(changed).toMatchObject(rules)
  await expect(changeBrand(ctx, { id, change: { submission_email: null } })).rejects.toMatchObject({
    code: 'invalid',
  })
  expect(await openBrand(ctx, { display_name: 'Cópia', slug: 'copia', copy_from: id })).toMatchObject(rules)
  const file = brandFile.parse(JSON.parse(JSON.stringify(brandFileOf([changed]))))
  expect(file.brands[0]).toMatchObject(rules)
  await changeBrand(ctx, { id, change: { submission_channel: 'portal', claim_send_days: null } })
  await importBrands(ctx, { dry_run: false, file })
  expect(await readBrand(ctx, id)).toMatchObject(rules)
  const older = file.brands.map((brand) =>
    Object.fromEntries(
      Object.entries(brand).filter(([field]) => !/^(claim_|payment_|submission_(?!system|url))/.test(field)),
    ),
  )
  const parsed = brandFile.parse({ ...file, brands: older })
  const { lines } = await importBrands(ctx, { dry_run: false, file: parsed })
  expect(lines).toMatchObject([{ outcome: 'same' }])
  const [first] = parsed.brands
  if (!first) throw new Error('the file has a brand')
  await importBrands(ctx, { dry_run: false, file: { ...parsed, brands: [{ ...first, code: 'antiga' }] } })
  const { id: old } = await db
    .selectFrom('brands')
    .where('slug', '=', 'antiga')
    .select('id')
    .executeTakeFirstOrThrow()
  expect(await readBrand(ctx, old)).toMatchObject({ claim_send_days: null, submission_channel: 'portal' })
})

test('the limit of write-offs is set by administrators only, who have signed in', async () => {
  const company = await make.company()
  const as = async (fields: object) =>
    (await testApp.as(await make.user({ company_id: company.id, ...fields }))).ctx
  const limit = { write_off_limit: 50.5 }
  await expect(changeCompany(await as({ role: 'manager' }), company.id, limit)).rejects.toMatchObject({
    code: 'forbidden',
  })
  const admin = await as({ role: 'admin' })
  expect(await changeCompany(admin, company.id, limit)).toMatchObject(limit)
  expect(
    await changeCompany(await as({ role: 'manager' }), company.id, { ...limit, city: 'Lages' }),
  ).toMatchObject({
    ...limit,
    city: 'Lages',
  })
  if (admin.actor.kind !== 'user') throw new Error('an admin is a person')
  const byToken = { ...admin, actor: { ...admin.actor, token_scope: 'all' as const } }
  await expect(changeCompany(byToken, company.id, { write_off_limit: 60 })).rejects.toMatchObject({
    code: 'forbidden',
  })
})
