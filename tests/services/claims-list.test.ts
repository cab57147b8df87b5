import { appealClaim, submitClaim } from '@garantia/server/features/claims/claim'
import { decideMany, exportClaims, listClaims, submitMany } from '@garantia/server/features/claims/list'
import { CLAIM_SORTS, type ClaimFilter } from '@garantia/shared/claims/criteria'
import { CLAIM_STATES } from '@garantia/shared/claims/state'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx
const { make } = testApp

const matriz = await make.company()
const filial = await make.company({ parent_id: matriz.id })
const brands = [await make.brand(), await make.brand()]
const manager = await testApp.as(await make.user({ role: 'manager', company_id: matriz.id }))
const technician = await testApp.as(await make.user({ company_id: matriz.id }))

/** Claims of two companies and brands, in all states, with and without days. */
for (let n = 0; n < 44; n++) {
  const order = await make.order({
    company_id: (n % 3 ? matriz : filial).id,
    brand_id: brands[n % 2]?.id ?? 0,
    vehicle_chassis: '9BWZZZ377VT004251',
    customer_name: n % 5 ? 'Outra Pessoa' : 'Maria Conceição',
  })
  const { id } = await make.claim({
    order,
    state: CLAIM_STATES[n % CLAIM_STATES.length],
    amounts: [(n % 7) + 1],
  })
  if (n % 2)
    await db
      .updateTable('claims')
      .set({ due_on: '2026-12-01', due_kind: 'answer' })
      .where('id', '=', id)
      .execute()
}
const foreign = await make.claim({ state: 'sent' })

/** Every claim of the manager, read without the list. */
const all = await db
  .selectFrom('claims')
  .where('company_id', 'in', [matriz.id, filial.id])
  .selectAll()
  .execute()

const sorting = fc.record({
  sort: fc.constantFrom(...CLAIM_SORTS),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
  state: fc.option(fc.subarray([...CLAIM_STATES], { minLength: 1 }), { nil: undefined }),
  is_open: fc.option(fc.boolean(), { nil: undefined }),
  skip: fc.nat(50),
  limit: fc.integer({ min: 1, max: 20 }),
})

test('each page, from either end, is that slice of the matches in their order (D-56)', async () => {
  const keyOf = (row: (typeof all)[number], sort: (typeof CLAIM_SORTS)[number]) => {
    const value = row[sort]
    return value instanceof Date ? value.getTime() : value
  }
  await fc.assert(
    fc.asyncProperty(sorting, async ({ skip, limit, ...filter }) => {
      const { sort, direction, state, is_open } = filter
      const way = direction === 'asc' ? 1 : -1
      const expected = all
        .filter((row) => !state || state.includes(row.state))
        .filter((row) => is_open === undefined || row.open_amount > 0 === is_open)
        .sort((a, b) => {
          const [x, y] = [keyOf(a, sort), keyOf(b, sort)]
          if (x === null || y === null) return x === y ? way * (a.id - b.id) : x === null ? 1 : -1
          return x === y ? way * (a.id - b.id) : x < y ? -way : way
        })
      const page = await listClaims(manager.ctx, { ...filter, skip, limit })
      expect(page.total).toBe(expected.length)
      expect(page.total_is_exact).toBe(true)
      expect(page.items.map(({ id }) => id)).toEqual(expected.slice(skip, skip + limit).map(({ id }) => id))
    }),
    { numRuns: 60 },
  )
})

test('criteria find what they say', async () => {
  const found = async (filter: ClaimFilter) => {
    const { items, total } = await listClaims(manager.ctx, { limit: 100, ...filter })
    expect(total).toBe(items.length)
    return items
  }
  expect(await found({ search: 'conceicao' })).toHaveLength(9)
  expect(await found({ brand_id: [brands[0]?.id ?? 0], state: ['sent'] })).toHaveLength(
    all.filter((row) => row.brand_id === brands[0]?.id && row.state === 'sent').length,
  )
  expect(await found({ company_id: [filial.id] })).toHaveLength(15)
  expect(await found({ due_until: '2026-12-01' })).toHaveLength(22)
  expect(await found({ due_until: '2026-11-30' })).toHaveLength(0)
  expect(await found({ sent_from: '2030-01-01' })).toHaveLength(0)
  const unappealed = await found({ is_unappealed: true })
  expect(new Set(unappealed.map(({ state }) => state))).toEqual(new Set(['rejected', 'partial']))
  const [first] = unappealed
  await appealClaim(ctx, first?.id ?? 0, {})
  expect(await found({ is_unappealed: true })).toHaveLength(unappealed.length - 1)
  expect((await found({ is_unappealed: false })).map(({ id }) => id)).toEqual([first?.id])
  // Found by the brand's number too, which came later than the order's words.
  await db
    .updateTable('claims')
    .set({ brand_number: 'GW.98/7-X' })
    .where('id', '=', first?.id ?? 0)
    .execute()
  for (const search of ['gw.98/7-x', 'GW987X', 'gw98'])
    expect((await found({ search })).map(({ id }) => id)).toEqual([first?.id])
})

test('the total stops at 1 000 where no totals are kept (D-55)', async () => {
  const order = await make.order()
  await db
    .insertInto('claims')
    .values(
      Array.from({ length: 1_005 }, (_, n) => ({
        order_id: order.id,
        n: n + 1,
        type: 'supplement' as const,
        previous_id: foreign.id,
        company_id: order.company_id,
        brand_id: order.brand_id,
        actor_name: 'Teste',
      })),
    )
    .execute()
  const boss = { ...ctx, actor: { kind: 'system' as const } }
  const search = order.os_number
  const page = await listClaims(boss, { search, company_id: [order.company_id], skip: 990, limit: 20 })
  expect(page).toMatchObject({ total: 1_000, total_is_exact: false })
  expect(page.items).toHaveLength(15)
  const exact = await listClaims(boss, { company_id: [order.company_id], skip: 1_000, limit: 20 })
  expect(exact).toMatchObject({ total: 1_005, total_is_exact: true })
  expect(exact.items).toHaveLength(5)
  // From whichever end a page is read, and whether or not the length of the list is known by then.
  const all = await db
    .selectFrom('claims')
    .where('company_id', '=', order.company_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .select('id')
    .execute()
  for (const skip of [510, 500, 502, 503, 990, 502, 510])
    expect(
      (await listClaims(boss, { company_id: [order.company_id], skip, limit: 20 })).items.map(({ id }) => id),
    ).toEqual(all.slice(skip, skip + 20).map(({ id }) => id))
})

describe('the export', () => {
  const origin = { ip: null, user_agent: null }
  const text = async (who: typeof manager, filter: Partial<Parameters<typeof exportClaims>[1]> = {}) => {
    const { body } = await exportClaims(who.ctx, { format: 'csv', ...filter }, origin)
    const chunks: Buffer[] = []
    for await (const chunk of body) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks).toString('utf8').replace(/^﻿/, '')
  }

  test('has the claims of the list in its order, with the sums of their lines (D-56)', async () => {
    const rows = (await text(manager, { sort: 'claimed', direction: 'desc' })).trim().split(/\r?\n/)
    const { items } = await listClaims(manager.ctx, { sort: 'claimed', direction: 'desc', limit: 100 })
    expect(rows.slice(1).map((row) => row.split(';')[0])).toEqual(
      items.map((one) => `SG ${one.os_number}-${one.n}`),
    )
    const heads = rows[0]?.split(';') ?? []
    const column = heads.indexOf('Solicitado')
    expect(rows.slice(1).map((row) => Number(row.split(';')[column]?.replace(',', '.')))).toEqual(
      items.map(({ claimed }) => claimed),
    )
    expect(rows.length).toBeGreaterThan(20)
  })

  test('has the chassis whole for managers alone (D-86)', async () => {
    expect(await text(manager)).toContain('9BWZZZ377VT004251')
    const masked = await text(technician)
    expect(masked).not.toContain('9BWZZZ377VT004251')
    expect(masked).toContain('4251')
  })

  test('of selected claims is recorded, without the words of a search', async () => {
    const ids = [all[0]?.id ?? 0]
    expect((await text(manager, { ids, search: 'Maria Conceição' })).trim().split(/\r?\n/)).toHaveLength(2)
    const event = await db
      .selectFrom('events')
      .where('kind', '=', 'claims.exported')
      .select('changes')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(event.changes).toEqual({ format: 'csv', ids })
  })
})

describe('several claims at once', () => {
  const [one] = brands
  const claims = async (state: 'draft' | 'sent') => {
    const make_one = async () =>
      make.sendableClaim({
        state,
        order: await make.order({ company_id: matriz.id, brand_id: one?.id ?? 0 }),
      })
    return [await make_one(), await make_one()] as const
  }

  test('are sent, and what is refused says why (D-56)', async () => {
    const [ready, other] = await claims('draft')
    const unready = await make.claim({
      order: await make.order({ company_id: matriz.id, brand_id: one?.id ?? 0 }),
    })
    await submitClaim(ctx, other.id, {})
    const result = await submitMany(manager.ctx, { ids: [ready.id, other.id, unready.id, foreign.id] })
    expect(result.done.map(({ id }) => id)).toEqual([ready.id])
    expect(result.refused).toMatchObject([
      { id: other.id, detail: expect.stringContaining('está enviada') },
      { id: unready.id, detail: expect.stringContaining('problemas') },
      { id: foreign.id, os_number: null, detail: 'Solicitação não encontrada' },
    ])
  })

  test('are accepted or rejected whole, or returned', async () => {
    const [first, second] = await claims('sent')
    const ids = [first.id, second.id]
    expect(await decideMany(manager.ctx, { ids, answer: 'returned', brand_words: 'Foto' })).toMatchObject({
      refused: [],
    })
    await decideMany(manager.ctx, { ids: [first.id], answer: 'accepted' })
    await decideMany(manager.ctx, { ids: [second.id], answer: 'rejected', reason: 'late' })
    const rows = await db
      .selectFrom('claims')
      .where('id', 'in', ids)
      .select(['state', 'authorised'])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { state: 'accepted', authorised: 100 },
      { state: 'rejected', authorised: 0 },
    ])
  })

  test('are of one brand, and for managers', async () => {
    const [first] = await claims('draft')
    const order = await make.order({ company_id: matriz.id, brand_id: brands[1]?.id ?? 0 })
    const second = await make.sendableClaim({ order })
    await expect(submitMany(manager.ctx, { ids: [first.id, second.id] })).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(() => submitMany(technician.ctx, { ids: [first.id] })).toThrow(/permissão/)
  })
})
