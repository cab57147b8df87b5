import { expect, type Page, test } from '@playwright/test'
import { completedOrder, sendOverApi } from './claims-fixture.ts'
import { dialog } from './double-press-rows.ts'
import { COMPLETE_ORDER, createOrderFixture, type OrderFixture, tina } from './order-fixture.ts'
import { notice, openSignedIn, tabToAndPress } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { blockProcedures, screenHelpers } from './screens-fixture.ts'

let product: Product
let fixture: OrderFixture
/** Completed, with a claim that was sent. */
let order = 0
let claim = 0
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
  order = await completedOrder(product, fixture, '000921')
  const opened = await fixture.post(`/service-orders/${order}/claims`, {
    type: 'normal',
    lines: [
      { kind: 'part', description: 'Bucha', part_number: '51393', quantity: 2, claimed: 1200.5 },
      { kind: 'labour', description: 'Troca', labour_code: '410115', hours: 1.5, claimed: 350 },
    ],
  })
  claim = opened.id
  await sendOverApi(fixture, claim)
})

const DAY_MS = 86_400_000
const moment = (days: number) => new Date(Date.now() - days * DAY_MS)
/** A typed moment: dd/mm/aaaa hh:mm in São Paulo. */
const typed = (days: number) =>
  moment(days)
    .toLocaleString('pt-BR', { timeZone: 'America/Sao_Paulo', dateStyle: 'short', timeStyle: 'short' })
    .replace(/(\d+\/\d+\/)(\d\d),? /, '$120$2 ')
/** A visit of the same vehicle that lasted so many days. */
async function visit(os_number: string, from: number, until: number | null) {
  const { id } = await fixture.order({ os_number, ...COMPLETE_ORDER })
  await fixture.patch(`/service-orders/${id}/legal-clock`, {
    arrived_at: moment(from).toISOString(),
    ...(until !== null && { repaired_at: moment(until).toISOString() }),
  })
  return id
}
const clock = (page: Page) => page.getByRole('region', { name: 'Prazo legal' })
const visits = (page: Page) => clock(page).getByRole('list', { name: 'Visitas pelo mesmo defeito' })
const proposals = (page: Page) => clock(page).getByRole('list', { name: 'Visitas propostas' })
const history = async (id: number) =>
  ((await fixture.get(`/service-orders/${id}/history?limit=100`)).events as { kind: string }[]).map(
    ({ kind }) => kind,
  )

test('four visits of nine days are overdue once three proposals are accepted, each with one press', async ({
  page,
}) => {
  const former = [await visit('000931', 90, 81), await visit('000932', 70, 61), await visit('000933', 50, 41)]
  const other = await visit('000934', 30, 29)
  const own = await visit('000935', 9, null)
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${own}?tab=garantia`)
  await expect(clock(page)).toContainText('9 de 30 dias')
  await expect(visits(page).getByRole('listitem')).toHaveCount(1)
  await test.step('by mouse', async () => {
    await clock(page).getByRole('button', { name: 'Mesmo defeito: OS 000933' }).click()
    await expect(clock(page)).toContainText('18 de 30 dias')
    await clock(page).getByRole('button', { name: 'Outro defeito: OS 000934' }).click()
    await expect(proposals(page)).not.toContainText('000934')
  })
  await test.step('by keyboard', async () => {
    for (const [number, days] of [
      ['000932', '27 de 30 dias'],
      ['000931', '36 de 30 dias'],
    ])
      await tabToAndPress(
        page,
        clock(page).getByRole('button', { name: `Mesmo defeito: OS ${number}` }),
      ).then(() => expect(clock(page)).toContainText(days ?? ''))
  })
  await expect(clock(page)).toContainText('4 visitas pelo mesmo defeito · Vencido em')
  await expect(visits(page)).toContainText('OS 000931')
  await test.step('and separated again', async () => {
    await clock(page).getByRole('button', { name: 'Separar a OS 000931' }).click()
    await expect(clock(page)).toContainText('27 de 30 dias')
  })
  await test.step('linked by hand, with a name', async () => {
    await tabToAndPress(page, clock(page).getByRole('button', { name: 'Ligar a outra visita' }))
    await dialog(page)
      .getByLabel('Outra OS deste veículo')
      .selectOption({ value: String(former[0]) })
    await dialog(page).getByLabel('Nome do defeito').fill('Ruído na suspensão')
    await page.keyboard.press('Control+Enter')
    await expect(notice(page, 'Visitas ligadas').last()).toBeVisible()
    await expect(clock(page)).toContainText('36 de 30 dias')
  })
  await test.step('with its dates, and what is on record beside them', async () => {
    await clock(page).getByRole('button', { name: 'Corrigir datas da visita' }).click()
    await dialog(page).getByLabel('Reparo efetivo').fill('31/02/2026 10:00')
    await page.keyboard.press('Control+Enter')
    await expect(dialog(page)).toContainText('Informe data e hora, dd/mm/aaaa hh:mm')
    await dialog(page).getByLabel('Reparo efetivo').fill(typed(400))
    await page.keyboard.press('Control+Enter')
    await expect(dialog(page)).toContainText('O reparo não pode vir antes da chegada')
    await dialog(page).getByLabel('Reparo efetivo').fill(typed(7))
    await page.keyboard.press('Control+Enter')
    await expect(clock(page)).toContainText('29 de 30 dias')
    await clock(page).getByRole('button', { name: 'Registrar espera ou carro reserva' }).click()
    await dialog(page).getByLabel('Fato').selectOption('loan_car')
    await page.keyboard.press('Control+Enter')
    await expect(clock(page).getByRole('list', { name: /^Espera de peça/ })).toContainText('Carro reserva')
    await expect(clock(page)).toContainText('até hoje')
    await clock(page)
      .getByRole('button', { name: /^Registrar fim: Carro reserva/ })
      .click()
    await page.keyboard.press('Control+Enter')
    await expect(clock(page).getByRole('button', { name: /^Registrar fim/ })).toHaveCount(0)
  })
  await test.step('and the list of orders counts them all, beside the newest claim of an order', async () => {
    await page.goto(`${product.url}/lista-os?search=000935`)
    const row = (number: string) => page.getByRole('row', { name: new RegExp(number) })
    const title = 'Perto do prazo legal de 30 dias: 29 dias em 4 visitas pelo mesmo defeito'
    await expect(row('000935').getByTitle(title)).toHaveText('29 dias')
    await page.goto(`${product.url}/lista-os?search=000921`)
    await expect(row('000921')).toContainText(/Garantia: Enviadaaté \d\d\/\d\d\/\d{4}/)
    await page.setViewportSize({ width: 390, height: 800 })
    await expect(page.locator('.order-list-card').first()).toContainText('Garantia: Enviada')
    await page.setViewportSize({ width: 1280, height: 720 })
  })
  expect((await history(own)).filter((kind) => /^(defect|visit)/.test(kind)).sort()).toEqual([
    'defect.linked',
    'defect.linked',
    'defect.linked',
    'defect.linked',
    'visit.changed',
    'visit.changed',
    'visit.changed',
    'visit.changed',
  ])
  expect(await history(other)).not.toContain('defect.linked')
})

test('a part is put on its shelf, sent back with the facts of its invoice, and found by its label', async ({
  page,
}) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${order}?tab=garantia`)
  const parts = page.getByRole('region', { name: 'Peças substituídas' })
  const field = (label: string) => dialog(page).getByLabel(label, { exact: true })
  await test.step('by keyboard, its place and its day', async () => {
    await tabToAndPress(page, parts.getByRole('button', { name: 'Editar peça 51393' }))
    await field('Lugar na prateleira').fill('B3')
    await field('Guardar até').fill('30/12/2030')
    await page.keyboard.press('Control+Enter')
    await expect(parts).toContainText('Lugar B3')
    await expect(parts).toContainText('Até 30/12/2030')
  })
  await test.step('by mouse, its return, which needs a day', async () => {
    await parts.getByRole('button', { name: 'Editar peça 51393' }).click()
    await field('Situação').selectOption({ label: 'Devolvida' })
    await expect(dialog(page)).toContainText('10 % do solicitado: R$ 120,05')
    await field('Valor atribuído').fill('120,05')
    await field('Certificado de garantia').fill('HND-2026/1')
    await field('Certificado emitido em').fill('02/01/2026')
    await field('Certificado válido até').fill('02/01/2029')
    await field('Número da NF').fill('4711')
    await field('Chave da NF').fill('123')
    await dialog(page).getByRole('button', { name: 'Salvar' }).click()
    await expect(dialog(page)).toContainText('Informe o dia da devolução')
    await expect(dialog(page)).toContainText('A chave da NF tem 44 caracteres, e esta tem 3')
    await field('Chave da NF').fill('3526 1112 abc3 4501 de35 5500 1000 0012 3410 0001 2346')
    await field('Devolvida em').fill('20/11/2026')
    await field('Transportadora').fill('Transportes Sul')
    await dialog(page).getByRole('button', { name: 'Salvar' }).click()
    await expect(parts).toContainText('NF 4711 · Devolvida em 20/11/2026 · Transportes Sul')
    await expect(parts.locator('.badge')).toHaveText('Devolvida')
  })
  const [part] = (await fixture.get(`/claims/${claim}/parts`)).data
  expect(part).toMatchObject({
    state: 'sent',
    place: 'B3',
    due_on: '2030-12-30',
    attributed_value: 120.05,
    certificate_number: 'HND-2026/1',
    certificate_until: '2029-01-02',
    invoice_key: '35261112ABC34501DE35550010000012341000012346',
  })
  await test.step('its label leads back to it', async () => {
    await parts.getByRole('button', { name: 'Imprimir etiqueta da peça 51393' }).click()
    const label = page.getByRole('region', { name: 'Etiqueta 1' })
    await expect(label).toContainText('51393 Bucha')
    await expect(label).toContainText('2 un · Lugar B3 · Guardar até 30/12/2030')
    await expect(page.getByRole('region', { name: /^Etiqueta/ })).toHaveCount(1)
    await page.goto(part.label.replace(/^https?:\/\/[^/]+/, product.url))
    await expect(parts.locator('[aria-current="true"]')).toContainText('Bucha')
  })
  await test.step('who may not change it sees it', async () => {
    await openSignedIn(page, product, tina)
    await page.goto(`${product.url}/os/${order}?tab=garantia`)
    await expect(parts).toContainText('Lugar B3')
    await expect(parts.getByRole('button', { name: /^Editar/ })).toHaveCount(0)
    await expect(clock(page).getByRole('button')).toHaveCount(0)
  })
})

test('parts and visits pass the visual audit, and so do their dialogs and labels', async ({ page }) => {
  test.setTimeout(600_000)
  const { audit, open, text, button, dialog } = screenHelpers(page, product)
  await visit('000941', 60, 41)
  const { id } = await fixture.order({
    os_number: '000942',
    ...COMPLETE_ORDER,
    problem_description: `Ruído na suspensão ${'dianteira-sem-espaços-'.repeat(12)}`,
  })
  await fixture.post(`/service-orders/${order}/legal-clock/facts`, {
    kind: 'awaiting_part',
    from_on: '2026-11-20',
    note: 'Peça-em-falta-'.repeat(20),
  })
  const clockTab = `/os/${id}?tab=garantia`
  await openSignedIn(page, product, product.firstSuperuser)
  await open(clockTab)
  await text('Pode ser o mesmo defeito')
  await audit('os-garantia-prazo-legal')
  for (const [name, shown] of [
    ['Ligar a outra visita', 'Outra OS deste veículo'],
    ['Corrigir datas da visita', 'Reparo efetivo'],
    ['Registrar espera ou carro reserva', 'Observação'],
  ] as const) {
    await open(clockTab)
    await button(name).click()
    await expect(dialog.getByLabel(shown)).toBeVisible()
    await audit(`os-garantia-visita-${name.split(' ')[0]?.toLowerCase()}`)
  }
  await open('/lista-os')
  await text('Garantia: Enviada')
  await audit('lista-os-garantia')
  await open(`/os/${order}?tab=garantia`)
  await text('Peça-em-falta-')
  await audit('os-garantia-pecas')
  await button('Editar peça 51393').click()
  await expect(dialog.getByLabel('Chave da NF')).toBeVisible()
  await audit('os-garantia-peca')
  await open(`/os/${order}/imprimir?folha=etiqueta&sg=${claim}`)
  await text('51393 Bucha')
  await audit('os-garantia-etiquetas')
  await blockProcedures(page, ['deadlines.legalClock', 'parts.ofClaim'], 'error')
  await open(`/os/${order}?tab=garantia`)
  await text('Erro ao carregar o prazo legal')
  await audit('os-garantia-prazo-legal-erro')
})
