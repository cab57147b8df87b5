import { readAccesses } from '@garantia/server/features/records/privacy'
import { type AccessFilter, accessFilter } from '@garantia/shared/privacy/access'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { make } = testApp

const company = await make.company()
const ana = await testApp.as(await make.user({ role: 'admin', full_name: 'Ána Lúcia Pires' }))
const rui = await testApp.as(
  await make.user({ role: 'manager', company_id: company.id, full_name: 'Rui Bastos' }),
)
const first = await make.order({ os_number: '000701', company_id: company.id })
const second = await make.order({ os_number: '000712', company_id: company.id })
const foreign = await make.order({ os_number: '000801' })

type Kind = Parameters<Caller['ctx']['securityLog']['note']>[1]['kind']
/** Notes an access as of this moment. */
const noted = ({ ctx }: Caller, kind: Kind, order_id: number, moment: string) =>
  ctx.securityLog.note({ ...ctx, clock: () => new Date(moment) }, { kind, order_id })

beforeAll(async () => {
  // Midnight in São Paulo is 3 h UTC.
  noted(ana, 'order.read', first.id, '2026-03-10T02:59:59Z')
  noted(rui, 'order.read', second.id, '2026-03-10T03:00:00Z')
  noted(rui, 'package.downloaded', first.id, '2026-03-11T02:59:59Z')
  noted(ana, 'order.revealed', foreign.id, '2026-03-11T03:00:00Z')
  noted(rui, 'refused.permission', first.id, '2026-03-10T12:00:00Z')
  await testApp.kernel.ctx.securityLog.flush()
})

/** Kind and order of the entries that were noted above, newest first. */
async function found(filter: AccessFilter, { ctx }: Caller = ana) {
  await ctx.securityLog.flush()
  const { entries } = await readAccesses(ctx, filter)
  return entries
    .filter(({ kind }) => kind !== 'access_log.read')
    .map(({ kind, os_number }) => `${kind} ${os_number}`)
}
const [A, B, C, D] = [
  'order.read 000701',
  'order.read 000712',
  'package.downloaded 000701',
  'order.revealed 000801',
]

test('the access log has every read, newest first, and no refusal (D-84)', async () => {
  expect(await found({})).toEqual([D, C, B, A])
})

test('by order, by the beginning of its number, by kind and by a part of the name without its accents (D-84)', async () => {
  expect(await found({ order_id: first.id })).toEqual([C, A])
  expect(await found({ os_number: '0007' })).toEqual([C, B, A])
  expect(await found({ os_number: '000712' })).toEqual([B])
  expect(await found({ os_number: '712' })).toEqual([])
  expect(await found({ kind: 'order.read' })).toEqual([B, A])
  expect(await found({ person: 'ana luc' })).toEqual([D, A])
  expect(await found({ person: 'BASTOS', kind: 'order.read' })).toEqual([B])
  expect(await found({ person: '%' })).toEqual([])
})

test('by days of São Paulo, both inclusive (D-84)', async () => {
  expect(await found({ start_date: '2026-03-10', end_date: '2026-03-10' })).toEqual([C, B])
  expect(await found({ end_date: '2026-03-09' })).toEqual([A])
  expect(await found({ start_date: '2026-03-11', kind: 'order.revealed' })).toEqual([D])
  const reversed = accessFilter.safeParse({ start_date: '2026-03-11', end_date: '2026-03-10' })
  expect(reversed.error?.issues).toMatchObject([
    { path: ['end_date'], message: 'O fim do período não pode vir antes do início' },
  ])
})

test('page by page nothing is read twice or left out (D-84)', async () => {
  const filter = { start_date: '2026-03-09', end_date: '2026-03-11', limit: 3 }
  const one = await readAccesses(ana.ctx, filter)
  expect(one.entries).toHaveLength(3)
  expect(one.next_cursor).toBe(one.entries.at(-1)?.id)
  const two = await readAccesses(ana.ctx, { ...filter, cursor: one.next_cursor })
  expect(two).toMatchObject({ entries: [{ kind: 'order.read', os_number: '000701' }], next_cursor: null })
})

test('who leads work reads those of one order in scope; the whole log, and a foreign order, are refused (D-84)', async () => {
  expect(await found({ order_id: second.id }, rui)).toEqual([B])
  await expect(found({}, rui)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(found({ order_id: foreign.id }, rui)).rejects.toMatchObject({ code: 'not_found' })
})
