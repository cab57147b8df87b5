import {
  differencePage,
  remittanceLineView,
  remittancePage,
  remittanceReport,
  remittanceView,
} from '@garantia/shared/claims/remittance'
import { answersReport, receivableReport, ruleProposals } from '@garantia/shared/claims/reports'
import { claimView } from '@garantia/shared/claims/schema'
import { IMPORT_LIMITS } from '@garantia/shared/orders/import'
import { multipart, type TestApp } from '../support/test-app.ts'
import {
  type CompanyRelation,
  type Expected,
  ledWriting,
  type MatrixFixture,
  next,
  type Row,
  same,
} from './matrix-fixture.ts'
import type { Row as Contract } from './people-rows.ts'
import { type Attempt, withTooManyOpen } from './upload-rows.ts'

const PAID_ON = '2026-01-05'
const PERIOD = { from: '2026-01', until: '2026-03' }
const mapping = { brand_number: 0, amount: 1 }
const reason = { reason: 'Conferido' }
const ROWS = [
  { line: 1, cells: ['SG', 'Valor'] },
  { line: 2, cells: ['nenhuma', '12,34'] },
]

/** A claim of which everything was paid, and the entry. */
export async function paidClaim(
  { kernel, make }: TestApp,
  order?: Awaited<ReturnType<TestApp['make']['order']>>,
) {
  const claim = await make.claim({ state: 'credited', ...(order && { order }) })
  const line_id = claim.lines[0]?.id ?? 0
  const { id: entry_id } = await kernel.ctx.db
    .insertInto('claim_entries')
    .values({
      claim_id: claim.id,
      line_id,
      kind: 'payment',
      amount: 100,
      booked_on: PAID_ON,
      actor_name: 'Ana',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...claim, line_id, entry_id }
}

/** A remittance whose file was read, with one line that no claim has; booked when it is `done`. */
export async function remitted(
  { kernel: { ctx } }: Pick<TestApp, 'kernel'>,
  company_id: number,
  brand_id: number,
  status: 'read' | 'reading' | 'done' = 'read',
) {
  const sha256 = `f${next().toString(16)}`.padStart(64, '0')
  const { id } = await ctx.db
    .insertInto('remittances')
    .values({ company_id, brand_id, actor_name: 'Ana', filename: 'pago.csv', sha256, status })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.db
    .updateTable('remittances')
    .set({ headings: ['SG', 'Valor'], rows: JSON.stringify(ROWS), lines: 1, paid_on: PAID_ON })
    .where('id', '=', id)
    .execute()
  const line = await ctx.db
    .insertInto('remittance_lines')
    .values({
      ...{ remittance_id: id, company_id, line: 1, fingerprint: sha256, brand_number: 'nenhuma' },
      ...{ amount: 12.34, outcome: 'unknown', difference: 'unknown' },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, line_id: line.id }
}

const orderIn = ({ testApp, companies, brand }: MatrixFixture, place: CompanyRelation) =>
  testApp.make.order({ company_id: companies[place].id, brand_id: brand.id })
const at = ({ testApp, companies, brand }: MatrixFixture, place: CompanyRelation, status?: 'done') =>
  remitted(testApp, companies[place].id, brand.id, status)
const csv = (content: Buffer | string = `SG;Valor\n${next()};12,34\n`) =>
  multipart([{ name: 'file', filename: 'pago.csv', content }])
const withId = (id: number, body: object) => ({ path: String(id), body, input: { id, ...body } })

const LED = ledWriting([200, 200, 404])
const CREATED: Expected = {
  ...ledWriting([201, 201, 404]),
  admin: [201, 201, 201],
  superuser: [201, 201, 201],
}
const LISTED: Expected = { ...same(200), technician: 403, lost: 403 }

export const CLAIM_MONEY_MATRIX: Row[] = [
  {
    rest: ['POST /claims/{id}/pay'],
    procedure: 'claims.pay',
    expected: LED,
    async attempt(fixture, place) {
      const order = await orderIn(fixture, place)
      const { id } = await fixture.testApp.make.claim({ order, state: 'accepted' })
      return withId(id, { booked_on: PAID_ON, amount: 10 })
    },
  },
  {
    rest: ['POST /claims/{id}/debit'],
    procedure: 'claims.debit',
    expected: LED,
    async attempt(fixture, place) {
      const { id, line_id } = await paidClaim(fixture.testApp, await orderIn(fixture, place))
      return withId(id, { booked_on: PAID_ON, ...reason, lines: [{ line_id, amount: 1 }] })
    },
  },
  {
    rest: ['POST /claims/{id}/write-off'],
    procedure: 'claims.writeOff',
    expected: LED,
    async attempt(fixture, place) {
      const order = await orderIn(fixture, place)
      await fixture.testApp.kernel.ctx.db
        .updateTable('companies')
        .set({ write_off_limit: 100 })
        .where('id', '=', order.company_id)
        .execute()
      const { id, lines } = await fixture.testApp.make.claim({ order, state: 'partial' })
      return withId(id, { ...reason, lines: [{ line_id: lines[0]?.id, amount: 1 }] })
    },
  },
  {
    rest: ['POST /claims/{id}/correct-entry'],
    procedure: 'claims.correctEntry',
    expected: LED,
    async attempt(fixture, place) {
      const { id, entry_id } = await paidClaim(fixture.testApp, await orderIn(fixture, place))
      return withId(id, { entry_id, ...reason })
    },
  },
  {
    rest: ['POST /claims/{id}/reconcile'],
    procedure: 'claims.reconcile',
    expected: LED,
    async attempt(fixture, place) {
      const { id } = await paidClaim(fixture.testApp, await orderIn(fixture, place))
      return withId(id, reason)
    },
  },
  {
    rest: ['GET /remittances'],
    procedure: 'remittances.page',
    expected: LISTED,
    attempt: () => ({ input: {} }),
  },
  {
    rest: ['POST /remittances'],
    expected: CREATED,
    attempt: ({ companies, brand }, place) => ({
      query: `?company_id=${companies[place].id}&brand_id=${brand.id}`,
      ...csv(),
    }),
  },
  {
    rest: ['POST /remittances/typed'],
    procedure: 'remittances.type',
    expected: LED,
    attempt({ companies, brand }, place) {
      const lines = [{ brand_number: 'nenhuma', amount: 1.5 }]
      const body = { company_id: companies[place].id, brand_id: brand.id, paid_on: PAID_ON, lines }
      return { body, input: body }
    },
  },
  {
    rest: ['GET /remittances/{id}'],
    procedure: 'remittances.one',
    expected: LED,
    async attempt(fixture, place) {
      const { id } = await at(fixture, place)
      return { path: String(id), input: { id } }
    },
  },
  {
    rest: ['POST /remittances/{id}/check'],
    procedure: 'remittances.check',
    expected: LED,
    attempt: async (fixture, place) => withId((await at(fixture, place)).id, { mapping }),
  },
  {
    rest: ['POST /remittances/{id}/run'],
    procedure: 'remittances.run',
    expected: LED,
    attempt: async (fixture, place) => withId((await at(fixture, place)).id, { mapping, paid_on: PAID_ON }),
  },
  {
    rest: ['POST /remittances/{id}/undo'],
    procedure: 'remittances.undo',
    expected: LED,
    attempt: async (fixture, place) => withId((await at(fixture, place, 'done')).id, reason),
  },
  {
    rest: ['GET /remittances/differences'],
    procedure: 'remittances.differences',
    expected: LISTED,
    attempt: () => ({ input: {} }),
  },
  {
    rest: ['POST /remittances/differences/{id}/resolve'],
    procedure: 'remittances.resolve',
    expected: LED,
    attempt: async (fixture, place) =>
      withId((await at(fixture, place, 'done')).line_id, { resolution: 'ignored', note: 'Outra marca' }),
  },
  {
    rest: ['GET /claims/reports/receivable'],
    procedure: 'claimReports.receivable',
    expected: same(200),
    attempt: () => ({ input: {} }),
  },
  {
    rest: ['GET /claims/reports/answers'],
    procedure: 'claimReports.answers',
    expected: same(200),
    attempt: () => ({ query: '?from=2026-01&until=2026-03', input: PERIOD }),
  },
  {
    rest: ['GET /claims/reports/proposals'],
    procedure: 'reasons.proposals',
    expected: same(200),
    attempt: () => ({}),
  },
]

export async function claimMoneyContract(testApp: TestApp): Promise<Contract[]> {
  const { make } = testApp
  const accepted = await make.claim({ state: 'accepted' })
  const [debited, corrected, reconciled] = [
    await paidClaim(testApp),
    await paidClaim(testApp),
    await paidClaim(testApp),
  ]
  const written = await make.claim({ state: 'partial', authorised: [60] })
  const { id: company_id } = await make.company()
  const { id: brand_id } = await make.brand()
  const owner = `company_id=${company_id}&brand_id=${brand_id}`
  const read = await remitted(testApp, company_id, brand_id)
  const done = await remitted(testApp, company_id, brand_id, 'done')
  const undone = await remitted(testApp, company_id, brand_id, 'done')
  const row = (call: Contract['call'], path: string, rest: Omit<Contract, 'id' | 'call' | 'path'>) => ({
    id: 'D-56',
    call,
    path,
    ...rest,
  })
  const step = (claim: { id: number }, name: string, body: object) =>
    row(`POST /claims/{id}/${name}`, `/claims/${claim.id}/${name}`, { body, reply: claimView })
  const lines = (line_id: number | undefined, amount: number) => [{ line_id, amount }]
  return [
    step(accepted, 'pay', { booked_on: PAID_ON, amount: 99.99 }),
    step(debited, 'debit', { booked_on: PAID_ON, ...reason, lines: lines(debited.line_id, 0.01) }),
    step(written, 'write-off', { ...reason, lines: lines(written.lines[0]?.id, 40) }),
    step(corrected, 'correct-entry', { ...reason, entry_id: corrected.entry_id }),
    step(reconciled, 'reconcile', reason),
    row('GET /remittances', `/remittances?${owner}`, { reply: remittancePage }),
    row('POST /remittances', `/remittances?${owner}`, { ...csv(), status: 201, reply: remittanceView }),
    row('POST /remittances/typed', '/remittances/typed', {
      body: { company_id, brand_id, paid_on: PAID_ON, lines: [{ brand_number: 'nenhuma', amount: 10 }] },
      reply: remittanceView,
    }),
    row('GET /remittances/{id}', `/remittances/${read.id}`, { reply: remittanceView }),
    row('POST /remittances/{id}/check', `/remittances/${read.id}/check`, {
      body: { mapping },
      reply: remittanceReport,
    }),
    row('POST /remittances/{id}/run', `/remittances/${read.id}/run`, {
      body: { mapping, paid_on: PAID_ON },
      reply: remittanceView,
    }),
    row('POST /remittances/{id}/undo', `/remittances/${undone.id}/undo`, {
      body: reason,
      reply: remittanceView,
    }),
    row('GET /remittances/differences', '/remittances/differences?limit=5', { reply: differencePage }),
    row('POST /remittances/differences/{id}/resolve', `/remittances/differences/${done.line_id}/resolve`, {
      body: { resolution: 'ignored', note: 'Outra marca' },
      reply: remittanceLineView,
    }),
    row('GET /claims/reports/receivable', '/claims/reports/receivable', { reply: receivableReport }),
    row('GET /claims/reports/answers', '/claims/reports/answers?from=2026-01&until=2026-03', {
      reply: answersReport,
    }),
    row('GET /claims/reports/proposals', '/claims/reports/proposals', { reply: ruleProposals }),
  ]
}

export function claimMoneyRefusals(testApp: TestApp): Record<string, () => Promise<Attempt>> {
  const { make } = testApp
  const step = async (name: string, body: object) => ({
    path: `/claims/${(await make.claim()).id}/${name}`,
    body,
  })
  const owner = async () => `company_id=${(await make.company()).id}&brand_id=${(await make.brand()).id}`
  const path = async () => `/remittances?${await owner()}`
  const missing = 'company_id=999999&brand_id=1'
  const held = async (status: 'read' | 'reading' | 'done') =>
    remitted(testApp, (await make.company()).id, (await make.brand()).id, status)
  const lines = [{ line_id: 1, amount: 1 }]
  return {
    'POST /claims/{id}/pay 409': () => step('pay', { booked_on: PAID_ON, amount: 1 }),
    'POST /claims/{id}/debit 409': () => step('debit', { booked_on: PAID_ON, ...reason, lines }),
    'POST /claims/{id}/write-off 409': () => step('write-off', { ...reason, lines }),
    'POST /claims/{id}/correct-entry 409': () => step('correct-entry', { ...reason, entry_id: 1 }),
    'POST /claims/{id}/reconcile 409': () => step('reconcile', reason),
    'POST /remittances 400': async () => ({
      path: await path(),
      body: 'nada disso é multipart',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    }),
    'POST /remittances 404': async () => ({ path: `/remittances?${missing}`, ...csv() }),
    'POST /remittances 413': async () => ({
      path: await path(),
      ...csv(Buffer.alloc(IMPORT_LIMITS.bytes + 1, 'x')),
    }),
    'POST /remittances 415': async () => ({ path: await path(), body: { file: 'x' } }),
    'POST /remittances 429': async () => ({
      as: await withTooManyOpen(testApp),
      path: await path(),
      ...csv(),
    }),
    'POST /remittances/typed 404': async () => ({
      path: '/remittances/typed',
      body: { company_id: 999_999, brand_id: 1, paid_on: PAID_ON, lines: [{ brand_number: 'x', amount: 1 }] },
    }),
    'POST /remittances/{id}/check 409': async () => ({
      path: `/remittances/${(await held('reading')).id}/check`,
      body: { mapping },
    }),
    'POST /remittances/{id}/run 409': async () => ({
      path: `/remittances/${(await held('done')).id}/run`,
      body: { mapping, paid_on: PAID_ON },
    }),
    'POST /remittances/{id}/undo 409': async () => ({
      path: `/remittances/${(await held('read')).id}/undo`,
      body: reason,
    }),
    'POST /remittances/differences/{id}/resolve 409': async () => {
      const { line_id } = await held('done')
      const { kernel } = testApp
      await kernel.ctx.db
        .updateTable('remittance_lines')
        .set({ outcome: 'matched' })
        .where('id', '=', line_id)
        .execute()
      return {
        path: `/remittances/differences/${line_id}/resolve`,
        body: { resolution: 'ignored', note: 'Outra marca' },
      }
    },
  }
}
