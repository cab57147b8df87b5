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

export const PAID_ON = '2026-01-05'
const PERIOD = { from: '2026-01', until: '2026-03' }
export const mapping = { brand_number: 0, amount: 1 }
export const reason = { reason: 'Conferido' }
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
export const csv = (content: Buffer | string = `SG;Valor\n${next()};12,34\n`) =>
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
    rest: ['POST /claims/{id}/credit-note'],
    procedure: 'claims.creditNote',
    expected: LED,
    async attempt(fixture, place) {
      const { id } = await paidClaim(fixture.testApp, await orderIn(fixture, place))
      return withId(id, { credit_note_on: null })
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
    rest: ['POST /remittances/typed/check'],
    procedure: 'remittances.checkTyped',
    expected: LED,
    attempt({ companies, brand }, place) {
      const lines = [{ os_number: '123', chassis_end: '4251', amount: -1.5 }]
      const body = { company_id: companies[place].id, brand_id: brand.id, lines }
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
