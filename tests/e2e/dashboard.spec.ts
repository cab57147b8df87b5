import { gzipSync } from 'node:zlib'
import { ATTENTION } from '@garantia/shared/orders/attention'
import { expect, type Page, test } from '@playwright/test'
import {
  apiAs,
  expectFieldError,
  intercept,
  openSignedIn,
  recordCalls,
  signUp,
  tabTo,
  tabToAndPress,
  typeInto,
} from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let newest: number
/** Six orders of two brands: two completed, one cancelled, one in analysis, one pending, one new. */
test.beforeAll(async () => {
  product = await openProduct()
  const { post } = await apiAs(product, product.firstSuperuser)
  await post('/brands/initialize')
  const get = async (path: string) => {
    const { token } = await apiAs(product, product.firstSuperuser)
    const answer = await fetch(at(`/api/v1${path}`), { headers: { authorization: `Bearer ${token}` } })
    return (await answer.json()).data as { id: number; display_name: string }[]
  }
  const brands = await get('/brands/')
  const brandOf = (name: string) => brands.find(({ display_name }) => display_name === name)?.id
  const [company] = await get('/companies/')
  const ids: number[] = []
  for (const n of [1, 2, 3, 4, 5, 6]) {
    const { id } = await post('/service-orders/', {
      os_number: `10000${n}`,
      brand_id: brandOf(n === 6 ? 'Fiat' : 'Honda'),
      company_id: company?.id,
      customer_name: `Cliente ${n % 3}`,
      customer_phone: '11987654321',
      service_value: 100.1 * n,
      parts_value: 0.2,
    })
    ids.push(id)
    newest = id
  }
  const move = (n: number, status: string) =>
    post(`/service-orders/${ids[n - 1]}/status/${status}?reason=teste`)
  await move(1, 'completed')
  await move(2, 'completed')
  await move(3, 'cancelled')
  await move(4, 'in_analysis')
  await move(5, 'pending')
})

const at = (path: string) => `${product.url}${path}`
const main = (page: Page) => page.getByRole('main')
const figure = (page: Page, label: string) =>
  main(page).getByRole('listitem').filter({ hasText: label }).locator('.figure-value')
const recent = (page: Page) => page.getByRole('region', { name: 'Ordens recentes' })
const SAMPLE = 'Dados de exemplo — não foi possível carregar os indicadores'

test('the figures, by mouse: each explains itself and links to its orders (DASH-1 to DASH-7, ENT-19 to ENT-22, NAV-9, NAV-10)', async ({
  page,
}) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(at('/'))
  await expect(page).toHaveURL(at('/dashboard'))
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  for (const [label, value] of [
    ['Total de OS', '6'],
    ['Concluídas', '2'],
    ['Em Análise', '1'],
    ['Pendentes', '1'],
    ['Canceladas', '1'],
    ['Receita', 'R$ 300,70'],
    ['Ticket médio', 'R$ 150,35'],
    ['Tempo médio de resolução', '0 h'],
    ['Taxa de conclusão', '33,3%'],
    ['Abertas em 7 dias', '6'],
    ['Empresas ativas', '2'],
    ['Clientes', '3'],
  ] as const)
    await expect(figure(page, label), label).toHaveText(value)
  await expect(figure(page, 'Marcas ativas')).toHaveText(/^1\d$/)

  const byBrand = page.getByRole('region', { name: 'Distribuição por marca' })
  await expect(byBrand).toContainText('Últimos 30 dias')
  await expect(byBrand.getByRole('img')).toHaveAccessibleName(/Honda, 5; Fiat, 1/)
  await byBrand.getByRole('button', { name: /^Ver tabela/ }).click()
  await expect(byBrand.getByRole('row')).toHaveText([/Marca/, /Honda5/, /Fiat1/])
  await byBrand.getByRole('button', { name: /^Ver gráfico/ }).click()
  await expect(page.getByRole('img', { name: /Ordens abertas por dia.*, 6$/ })).toBeVisible()

  const orders = recent(page).getByRole('listitem')
  await expect(orders).toHaveCount(5)
  await expect(orders.first()).toContainText('100006')
  await expect(orders.first()).toContainText('Criada')
  await expect(orders.last()).toContainText('Concluída')
  await page.getByRole('button', { name: /^Receita: Soma do valor total/ }).hover()
  await expect(page.getByText('Soma do valor total das ordens concluídas.')).toBeVisible()

  await main(page)
    .getByRole('link', { name: /Pendentes/ })
    .click()
  await expect(page).toHaveURL(/\/lista-os\?status=pending(,|%2C)pending_upload$/)
  await expect(page.getByText('100005').filter({ visible: true })).toBeVisible()
  await expect(page.getByText('100001').filter({ visible: true })).toHaveCount(0)
  await page.goBack()
  // Nothing was opened long ago; the figure leads to the list that says so, which is a view.
  const overdue = page.getByRole('region', { name: 'Para hoje' }).getByRole('link', { name: /Vencidas/ })
  await expect(overdue).toHaveText('0Vencidas')
  await overdue.click()
  await expect(page.getByRole('button', { name: 'Vencidas' })).toBeVisible()
  await expect(page.getByText('Nenhuma ordem de serviço encontrada')).toBeVisible()
  await page.goBack()
  // The other four by mouse, all five by their keys; each list is a view of the same name.
  for (const [index, name] of ATTENTION.map(({ label }) => label).entries()) {
    const tile = page.getByRole('region', { name: 'Para hoje' }).getByRole('link', { name })
    await expect(tile).toHaveAttribute('title', new RegExp(` \\(${index + 1}\\)$`))
    if (index > 0) {
      await tile.click()
      await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
      await page.goBack()
    }
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.keyboard.press(String(index + 1))
    await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
    await page.goBack()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  }
  await recent(page).getByRole('link', { name: 'Ver todas' }).click()
  await expect(page).toHaveURL(at('/lista-os'))
  await page.goBack()
  await orders.first().getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'OS 100006' })).toBeVisible()
})

test('the period, by keyboard: in the URL, kept by a reload, validated (DASH-1, DASH-2, API-28)', async ({
  page,
}) => {
  const asked = recordCalls(page, 'dashboard.metrics')
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(at('/dashboard'))
  await expect(figure(page, 'Total de OS')).toHaveText('6')
  expect(asked[0]).toEqual({})
  const preset = (name: string) => page.getByRole('button', { name, exact: true })
  await tabToAndPress(page, preset('Hoje'))
  await expect(page).toHaveURL(/start_date=(\d{4}-\d\d-\d\d)&end_date=\1$/)
  await expect(figure(page, 'Total de OS')).toHaveText('6')
  await expect(main(page).getByRole('link', { name: /Total de OS/ })).toHaveAttribute(
    'href',
    /\/lista-os\?start_date=(\d{4}-\d\d-\d\d)&end_date=\1$/,
  )
  await page.reload()
  await expect(preset('Hoje')).toHaveAttribute('aria-pressed', 'true')

  await tabToAndPress(page, preset('Personalizado'))
  await typeInto(page, page.getByLabel('De', { exact: true }), '31022026')
  await page.keyboard.press('Enter')
  await expectFieldError(page.getByLabel('De', { exact: true }), 'Deve ser uma data (dd/mm/aaaa)')
  await typeInto(page, page.getByLabel('De', { exact: true }), '02012026')
  await expect(page.getByLabel('De', { exact: true })).toHaveValue('02/01/2026')
  await typeInto(page, page.getByLabel('Até', { exact: true }), '01012026')
  await page.keyboard.press('Enter')
  await expect(page.getByText('O fim do período não pode vir antes do início')).toBeVisible()
  await typeInto(page, page.getByLabel('Até', { exact: true }), '31012026')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/start_date=2026-01-02&end_date=2026-01-31$/)
  await expect(page.getByRole('search').getByText('de 02/01/2026 a 31/01/2026')).toBeVisible()
  await expect(figure(page, 'Total de OS')).toHaveText('0')
  await expect(figure(page, 'Receita')).toHaveText('R$ 0,00')
  await expect(page.getByText(SAMPLE)).toHaveCount(0)
  await tabTo(page, preset('Tudo'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(at('/dashboard'))
  await expect(figure(page, 'Total de OS')).toHaveText('6')
})

test('figures refresh every 30 seconds without layout shift, and stay after a failure (DASH-9, CON-13)', async ({
  page,
}) => {
  const asked = recordCalls(page, 'dashboard.metrics')
  await openSignedIn(page, product, product.firstSuperuser)
  await page.clock.install()
  await page.goto(at('/dashboard'))
  await expect(figure(page, 'Total de OS')).toHaveText('6')
  await expect(page.getByRole('img', { name: /Ordens por marca/ })).toBeVisible()
  const all = () => asked.filter((input) => JSON.stringify(input) === '{}').length
  expect(all()).toBe(1)
  const places = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('main .panel')].map((panel) => panel.getBoundingClientRect().top),
    )
  const before = await places()
  // From here on only the test advances the clock.
  await page.clock.pauseAt(new Date(Date.now() + 2_000))
  await page.clock.runFor(12_000)
  await expect(page.getByText(/^atualizado há [12]\d s$/)).toBeVisible()
  await page.clock.runFor(20_000)
  await page.clock.resume()
  await expect.poll(all).toBe(2)
  await expect(page.getByText(/^atualizado há \d s$/)).toBeVisible()
  expect(await places()).toEqual(before)

  await intercept(page, /\/trpc\/.*dashboard/, (route) => route.abort())
  await page.clock.fastForward(31_000)
  await expect(page.getByText(/não foi possível atualizar/)).toBeVisible()
  await expect(figure(page, 'Total de OS')).toHaveText('6')
  await expect(page.getByText(SAMPLE)).toHaveCount(0)
})

test('sample numbers are shown only where nothing could be loaded, and labelled as such (DASH-8, D-26)', async ({
  page,
}) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.clock.install()
  await intercept(page, /\/trpc\/.*dashboard/, (route) => route.abort())
  await page.goto(at('/dashboard'))
  await expect(page.getByRole('alert').filter({ hasText: SAMPLE })).toBeVisible()
  await expect(figure(page, 'Total de OS')).toHaveText('128')
  await expect(page.locator('.dashboard')).toHaveCSS('filter', 'grayscale(1)')
  await expect(main(page).getByRole('link', { name: /Total de OS/ })).toHaveCount(0)
  await expect(page.getByText('Erro ao carregar ordens recentes')).toBeVisible()
  // The next request is left unanswered for a while; until then the screen must not change.
  const nextTry = page.waitForRequest(/\/trpc\/.*dashboard/)
  let fail = () => {}
  const failureGate = new Promise<void>((resolve) => {
    fail = resolve
  })
  await intercept(page, /\/trpc\/.*dashboard/, async (route) => {
    await failureGate
    await route.abort()
  })
  let isAsked = false
  void nextTry.then(() => {
    isAsked = true
  })
  // A try that is under way when the clock jumps sets the timer of the next one only as it ends.
  await expect(async () => {
    await page.clock.fastForward(31_000)
    expect(isAsked).toBe(true)
  }).toPass()
  await nextTry
  await expect(figure(page, 'Total de OS')).toHaveText('128')
  await expect(page.getByRole('alert').filter({ hasText: SAMPLE })).toBeVisible()
  await expect(page.getByText('Erro ao carregar ordens recentes')).toBeVisible()
  fail()
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('alert').filter({ hasText: SAMPLE }).getByRole('button').click()
  await expect(figure(page, 'Total de OS')).toHaveText('6')
  await expect(page.getByText(SAMPLE)).toHaveCount(0)
  await expect(recent(page).getByRole('listitem')).toHaveCount(5)
})

test('a user without a company sees zeros and the reason (D-26, D-34, D-39)', async ({ page }) => {
  await openSignedIn(page, product, await signUp(product, 'Davi Alves', 'davi@exemplo.com.br'))
  await page.goto(at('/dashboard'))
  await expect(figure(page, 'Total de OS')).toHaveText('0')
  await expect(figure(page, 'Receita')).toHaveText('R$ 0,00')
  await expect(page.getByText('Nenhuma ordem aberta nos últimos 30 dias.')).toBeVisible()
  await expect(page.getByText('Sua conta ainda não está vinculada a uma empresa.')).toBeVisible()
})

const BUDGET = 235_000
for (const [path, isShown] of [
  ['/dashboard', (page: Page) => page.getByRole('img', { name: /Ordens por marca/ })],
  ['/lista-os', (page: Page) => page.getByRole('row', { name: /100006/ })],
  ['/os/{id}', (page: Page) => page.getByRole('region', { name: 'Valores & Datas' })],
] as const)
  test(`${path} brings at most 235 KB of script at first; charts come after it`, async ({ page }) => {
    await openSignedIn(page, product, product.firstSuperuser)
    const scripts = new Set<string>()
    page.on('response', (answer) => {
      const name = new URL(answer.url()).pathname
      if (name.endsWith('.js') && !name.includes('charts-')) scripts.add(name)
    })
    await page.goto(at(path.replace('{id}', String(newest))))
    await expect(isShown(page)).toBeVisible()
    const sizes = await Promise.all(
      [...scripts].map(async (name) => {
        const file = await (await fetch(at(name))).arrayBuffer()
        return [name, gzipSync(Buffer.from(file)).length] as const
      }),
    )
    const first = sizes.reduce((sum, [, size]) => sum + size, 0)
    expect(first, JSON.stringify(sizes)).toBeLessThanOrEqual(BUDGET)
  })
