import { exportMonthlyReport, readMonthlyReport } from '@garantia/server/features/orders/reports'
import { type MonthlyReport, REPORT_FIGURES, type ReportFigure } from '@garantia/shared/orders/report'
import { ORDER_STATUSES } from '@garantia/shared/orders/status'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, expect, test } from 'vitest'
import { type Caller, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const { make } = testApp
const FORMULA = '=1+1'
const brands = [
  await make.brand({ display_name: 'Fiat' }),
  await make.brand({ display_name: 'Honda' }),
] as const
const matriz = await make.company({ trading_name: FORMULA })
const filial = await make.company({ trading_name: 'Filial Sul', parent_id: matriz.id })
const alone = await make.company({ trading_name: 'Outra' })
const companies = [matriz, filial, alone] as const
const people = [
  await make.user({ full_name: 'Ana Lima', company_id: matriz.id }),
  await make.user({ full_name: '', email: 'bia', company_id: matriz.id }),
] as const
const boss = await testApp.as(await make.user({ is_superuser: true }))
const manager = await testApp.as(await make.user({ role: 'manager', company_id: matriz.id }))
const technician = await testApp.as(await make.user({ company_id: alone.id }))

/** Around the first and the last moment of months in São Paulo (UTC−3), and within them. */
const TIMES = [
  '2025-11-30T23:59:59.999-03:00',
  '2025-12-01T00:00:00-03:00',
  '2025-12-31T23:30:00-03:00',
  '2026-01-01T00:00:00-03:00',
  '2026-01-15T12:00:00-03:00',
  '2026-01-31T21:30:00-03:00',
  '2026-01-31T23:59:59.999-03:00',
  '2026-02-01T00:00:00-03:00',
  '2026-02-28T23:59:59-03:00',
  '2026-03-01T00:00:00-03:00',
].map((text) => new Date(text))
const at = (n: number) => TIMES[n % TIMES.length] as Date

interface Fact {
  figure: ReportFigure
  at: Date
  brand: string
  company: number
  person: string
}
/** What was written, noted beside the database. */
const facts: Fact[] = []
for (let n = 0; n < 120; n++) {
  const status = ORDER_STATUSES[(n * 5) % ORDER_STATUSES.length] ?? 'created'
  const brand = brands[(n * 7) % 5 < 2 ? 0 : 1]
  const company = companies[n % 3] as (typeof companies)[number]
  const person = n % 4 === 0 ? null : people[n % 2]
  const isReady = n % 3 !== 1
  const isDeleted = n % 11 === 0
  const { id } = await make.order({
    brand_id: brand.id,
    company_id: company.id,
    status,
    opened_at: at(n),
    completed_at: status === 'completed' ? at(n * 3 + 1) : null,
    conversion_status: isReady ? 'available' : 'failed',
    package_ready_at: isReady ? at(n * 7 + 2) : null,
    responsible_user_id: person?.id ?? null,
    deleted_at: isDeleted ? new Date() : null,
  })
  const own = { brand: brand.display_name, company: company.id, person: person?.full_name || person?.email }
  const note = (figure: ReportFigure, at: Date) =>
    !isDeleted && facts.push({ figure, at, ...own, person: own.person ?? 'Sem responsável' })
  note('opened', at(n))
  if (status === 'completed') note('completed', at(n * 3 + 1))
  if (isReady) note('ready', at(n * 7 + 2))
  for (let file = 0; file < n % 3; file++) {
    const [isConverted, isGone] = [(n + file) % 5 === 0, (n + file) % 7 === 0]
    const fields = { order_id: id, finished_at: at(n + file), deleted_at: isGone ? new Date() : null }
    if (isConverted) await make.converted(fields)
    else {
      await make.evidence({ ...fields, status: 'failed', error: 'Arquivo danificado' })
      if (!isGone) note('refused', at(n + file))
    }
  }
}

const month = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  year: 'numeric',
  month: '2-digit',
})
/** Counted one by one from what was written. */
function counted(own: readonly Fact[], keyOf: (fact: Fact) => string | number) {
  const lines = new Map<string | number, Record<ReportFigure, number>>()
  for (const fact of own) {
    const line = lines.get(keyOf(fact)) ?? { opened: 0, completed: 0, ready: 0, refused: 0 }
    line[fact.figure]++
    lines.set(keyOf(fact), line)
  }
  return Object.fromEntries(lines)
}
const figuresOf = (line: Record<ReportFigure, number>) =>
  Object.fromEntries(REPORT_FIGURES.map((figure) => [figure, line[figure]]))
const byKey = <Line extends Record<ReportFigure, number>>(
  lines: readonly Line[],
  keyOf: (line: Line) => string | number,
) => Object.fromEntries(lines.map((line) => [keyOf(line), figuresOf(line)]))

const viewers: [string, Caller, readonly number[]][] = [
  ['everybody', boss, companies.map(({ id }) => id)],
  ['a matriz with its filial', manager, [matriz.id, filial.id]],
  ['one company', technician, [alone.id]],
]
test.each(viewers)(
  '%s: every part is what counting one by one gives (D-74, D-39)',
  async (_, { ctx }, seen) => {
    for (const [from, until] of [
      ['2025-12', '2026-02'],
      ['2026-01', '2026-01'],
      ['2025-03', '2026-02'],
    ] as const) {
      const own = facts.filter(
        ({ at, company }) => seen.includes(company) && month.format(at) >= from && month.format(at) <= until,
      )
      const report = await readMonthlyReport(ctx, { from, until })
      const withFacts = report.months.filter((line) => REPORT_FIGURES.some((figure) => line[figure] > 0))
      expect(byKey(withFacts, (line) => line.month)).toEqual(counted(own, (fact) => month.format(fact.at)))
      expect(byKey(report.brands, ({ name }) => name)).toEqual(counted(own, ({ brand }) => brand))
      expect(byKey(report.companies, ({ id }) => id ?? 0)).toEqual(counted(own, ({ company }) => company))
      expect(byKey(report.people, ({ name }) => name)).toEqual(counted(own, ({ person }) => person))
      expect(own.length).toBeGreaterThan(10)
      for (const part of ['months', 'brands', 'companies', 'people'] as const)
        expect(summed(report[part]), part).toEqual(report.total)
    }
  },
)
const summed = (lines: readonly Record<ReportFigure, number>[]) =>
  Object.fromEntries(
    REPORT_FIGURES.map((figure) => [figure, lines.reduce((sum, line) => sum + line[figure], 0)]),
  )

test('a month without anything is a line of zeros, and a person of no company gets zeros (D-74)', async () => {
  const empty = { opened: 0, completed: 0, ready: 0, refused: 0 }
  const report = await readMonthlyReport(boss.ctx, { from: '2024-01', until: '2024-02' })
  expect(report).toMatchObject({
    total: empty,
    months: [
      { month: '2024-01', ...empty },
      { month: '2024-02', ...empty },
    ],
    brands: [],
    companies: [],
    people: [],
  } satisfies Partial<MonthlyReport>)
  const lost = await testApp.as(await make.user({ company_id: null }))
  expect((await readMonthlyReport(lost.ctx, { from: '2025-12', until: '2026-02' })).total).toEqual(empty)
  await expect(
    readMonthlyReport(testApp.anonymous.ctx, { from: '2026-01', until: '2026-01' }),
  ).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('a package that becomes ready is dated, keeps its date, and loses it with the package (D-74)', async () => {
  const { recompute } = await import('@garantia/server/features/orders/order')
  const order = await make.order()
  const readySince = async () =>
    (
      await boss.ctx.db
        .selectFrom('service_orders')
        .where('id', '=', order.id)
        .select('package_ready_at')
        .executeTakeFirstOrThrow()
    ).package_ready_at
  const { id } = await make.converted({ order_id: order.id })
  const first = new Date('2026-01-10T12:00:00Z')
  await recompute({ ...boss.ctx, clock: () => first }, order.id)
  expect(await readySince()).toEqual(first)
  await recompute({ ...boss.ctx, clock: () => new Date('2026-02-10T12:00:00Z') }, order.id)
  expect(await readySince()).toEqual(first)
  await boss.ctx.db
    .updateTable('evidence_files')
    .set({ deleted_at: new Date() })
    .where('id', '=', id)
    .execute()
  await recompute(boss.ctx, order.id)
  expect(await readySince()).toBeNull()
})

test('the XLSX has a sheet for each part with its total, no formula, and is recorded (D-74)', async () => {
  const period = { from: '2025-12', until: '2026-02' }
  const answer = await manager.api('GET', `/service-orders/reports/monthly/export?from=2025-12&until=2026-02`)
  expect(answer.headers['content-disposition']).toContain('relatorio-2025-12-a-2026-02.xlsx')
  const { sheets } = await readXlsx(answer.rawPayload)
  expect(sheets.map(({ name }) => name)).toEqual(['Por mês', 'Por marca', 'Por empresa', 'Por responsável'])
  const { total, months } = await readMonthlyReport(manager.ctx, period)
  const totals = REPORT_FIGURES.map((figure) => total[figure])
  for (const { rows } of sheets) expect(rows.at(-1)).toEqual(['Total', ...totals])
  expect(sheets[0]?.rows[1]).toEqual([
    'dezembro de 2025',
    ...REPORT_FIGURES.map((figure) => months[0]?.[figure]),
  ])
  expect(sheets[2]?.rows.flat()).toContain(FORMULA)
  expect(answer.rawPayload.includes('<f>')).toBe(false)
  for (const table of ['events', 'security_log'] as const) {
    await boss.ctx.securityLog.flush()
    const noted = await boss.ctx.db
      .selectFrom(table)
      .where('kind', '=', 'report.exported')
      .selectAll()
      .execute()
    expect(noted, table).toHaveLength(1)
  }
})

test('exports of the report are counted with those of the list', async () => {
  const origin = { ip: null, user_agent: null }
  const period = { from: '2026-01', until: '2026-01' }
  const ctx = { ...boss.ctx }
  const running = await Promise.all([
    exportMonthlyReport(ctx, period, origin),
    exportMonthlyReport(ctx, period, origin),
  ])
  await expect(exportMonthlyReport(ctx, period, origin)).rejects.toMatchObject({ code: 'too_many' })
  for (const { body } of running) expect((await body.toArray()).length).toBeGreaterThan(0)
  const { body } = await exportMonthlyReport(ctx, period, origin)
  body.destroy()
})
