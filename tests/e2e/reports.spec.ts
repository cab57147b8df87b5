import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { readXlsx } from 'hucre/xlsx'
import { createOrderFixture, gil } from './order-fixture.ts'
import { openSignedIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
test.beforeAll(async () => {
  product = await openProduct()
  const { order, post, patch, brand } = await createOrderFixture(product)
  const ids: number[] = []
  for (let n = 0; n < 4; n++) {
    const brand_id = brand(n === 3 ? 'Fiat' : 'Honda')
    ids.push((await order({ os_number: `00060${n}`, brand_id })).id)
  }
  await post(`/service-orders/${ids[0]}/status/completed?reason=teste`)
  // Long before what the selects list.
  await patch(`/service-orders/${ids[1]}`, { opened_at: '2019-02-15T12:00:00-03:00' })
})
const table = (page: Page, part: string) => page.getByRole('region', { name: part }).getByRole('table')
const lines = (page: Page, part: string) =>
  table(page, part)
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.map((row) => [...(row as HTMLTableRowElement).cells].map(({ textContent }) => textContent)),
    )

test('reports: reached by keyboard, another period by mouse, the same in a spreadsheet (D-74)', async ({
  page,
}) => {
  await openSignedIn(page, product, gil)
  await page.goto(`${product.url}/dashboard`)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await expect(page.getByRole('heading', { name: 'Relatórios' })).toBeVisible()
  await expect(table(page, 'Por marca')).toContainText('Honda')
  const brands = [
    ['Marca', 'Abertas', 'Concluídas', 'Prontas', 'Recusadas'],
    ['Honda', '2', '1', '0', '0'],
    ['Fiat', '1', '0', '0', '0'],
    ['Total', '3', '1', '0', '0'],
  ]
  expect(await lines(page, 'Por marca')).toEqual(brands)
  expect((await lines(page, 'Por responsável'))[1]).toEqual(['Sem responsável', '3', '1', '0', '0'])

  const saved = page.waitForEvent('download')
  await page.keyboard.press('x')
  const { sheets } = await readXlsx(await readFile(await (await saved).path()))
  expect(sheets[1]?.rows.map((row) => row.map(String))).toEqual(brands)

  await page.getByRole('button', { name: '12 meses' }).click()
  await expect(table(page, 'Por mês').getByRole('row')).toHaveCount(14)
  await expect(page.getByRole('button', { name: '12 meses' })).toHaveAttribute('aria-pressed', 'true')
  const until = page.getByLabel('Até')
  const oldest = await until.locator('option').last().getAttribute('value')
  await until.selectOption(oldest)
  // Both ends follow what is chosen: a report never ends before it starts.
  await expect(page.getByLabel('De')).toHaveValue(oldest ?? '')
  await expect(table(page, 'Por marca')).toContainText('Nada no período.')
  await page.goto(`${product.url}/relatorios?from=2019-02&until=2019-02`)
  await expect(table(page, 'Por mês').getByRole('row', { name: 'fevereiro de 2019 1 0 0 0' })).toBeVisible()
  await expect(page.getByLabel('De')).toHaveValue('2019-02')
  await page.goto(`${product.url}/relatorios?from=nada&until=2019-02`)
  await expect(table(page, 'Por marca')).toContainText('Honda')
})
