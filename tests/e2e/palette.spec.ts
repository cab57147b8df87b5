import { expect, type Page, test } from '@playwright/test'
import { openList, rowOf, seedOrders } from './order-list-fixture.ts'
import { holdRequests, openSignedIn, PASSWORD } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let ids: Record<string, number>
test.beforeAll(async () => {
  product = await openProduct()
  ids = await seedOrders(product)
})

const field = (page: Page) => page.getByRole('combobox', { name: 'Buscar OS ou ação' })
const options = (page: Page, group?: string) =>
  (group ? page.getByRole('group', { name: group }) : page.getByRole('listbox')).getByRole('option')
const orderAt = (number: string) => new RegExp(`/os/${ids[number]}$`)

test('the palette finds an order by plate, number, or customer, and Enter works before results render', async ({
  page,
}) => {
  const { keyboard } = page
  await openList(page, product)
  await keyboard.press('j')
  await keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await keyboard.type('abc1234')
  await expect(options(page, 'Ordens de serviço')).toHaveText([/OS 000109Ângela Conceição · ABC1C34/])
  await expect(field(page)).toHaveAttribute('aria-activedescendant', /order-/)
  await keyboard.press('Escape')
  await expect(field(page)).toHaveCount(0)
  await expect(rowOf(page, '000113')).toBeFocused()

  // Enter immediately: the result is opened when the answer arrives.
  await keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await keyboard.type('angela')
  await keyboard.press('Enter')
  await expect(page).toHaveURL(orderAt('000109'))
  await expect(page.getByRole('heading', { name: 'OS 000109' })).toBeVisible()

  await keyboard.press('Control+k')
  await expect(options(page, 'Recentes').first()).toContainText('OS 000109')
  await keyboard.type('nada disso')
  await expect(page.getByText('Nenhuma ordem de serviço encontrada para «nada disso».')).toBeVisible()
  await expect(options(page)).toHaveText([/Procurar «nada disso» na lista de OS/])
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type('>editar')
  await expect(options(page)).toHaveText([/^Editar/])
  await keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Editar OS 000109' })).toBeVisible()
  await keyboard.press('Control+k')
  await expect(field(page)).toHaveCount(0)
  await keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // Ctrl+Enter opens a new tab, and does not wait either.
  const inNewTab = async (number: string) => {
    const arriving = page.context().waitForEvent('page')
    await keyboard.press('Control+Enter')
    const other = await arriving
    await expect(other).toHaveURL(orderAt(number))
    await other.close()
    await expect(page).toHaveURL(orderAt('000109'))
  }
  await keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await keyboard.type('000113')
  await inNewTab('000113')
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type('000112')
  await expect(options(page, 'Ordens de serviço')).toHaveText([/OS 000112/])
  await inNewTab('000112')
})

test('text typed before the palette has loaded is kept, with its caret and its Enter', async ({ page }) => {
  const { keyboard } = page
  const results = await holdRequests(page, /palette-results-.*\.js/)
  await openList(page, product)
  await keyboard.press('Control+k')
  await keyboard.type('ngela')
  await keyboard.press('Home')
  await keyboard.type('a')
  await results.asked
  await expect(field(page)).toHaveValue('angela')
  await keyboard.press('Enter')
  await expect(options(page)).toHaveCount(0)
  expect(await field(page).evaluate((one: HTMLInputElement) => one.selectionStart)).toBe(1)
  results.releaseRequests()
  await expect(page).toHaveURL(orderAt('000109'))
  await expect(page.getByRole('heading', { name: 'OS 000109' })).toBeVisible()
})

test('the palette keeps early keys, and a screen that loads late does not take its focus', async ({
  page,
}) => {
  const { keyboard } = page
  await openList(page, product)
  // Focused within the keydown event, however soon the next key comes.
  const focused = await page.evaluate(async () => {
    const press = { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', press))
    await null
    return document.activeElement?.getAttribute('role')
  })
  expect(focused).toBe('combobox')
  await keyboard.press('Escape')
  await expect(field(page)).toHaveCount(0)

  const screen = await holdRequests(page, /brands-page-.*\.js/)
  await keyboard.press('g')
  await keyboard.press('m')
  await screen.asked
  await keyboard.press('Control+k')
  await keyboard.type('ang')
  screen.releaseRequests()
  await expect(
    page.getByRole('heading', { name: 'Marcas e Configurações', includeHidden: true }),
  ).toBeVisible()
  await keyboard.type('ela')
  await expect(field(page)).toHaveValue('angela')
})

test('the palette reports failed requests, drops outdated answers, and opens from a button on phones', async ({
  page,
}) => {
  await openList(page, product)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Buscar OS ou ação' }).click()
  await expect(field(page)).toBeFocused()
  // The answer to the first query is delayed until the second is on the screen.
  const first = await holdRequests(page, /orderList\.find.*000108/)
  await field(page).fill('000108')
  await first.asked
  await field(page).fill('000113')
  await expect(options(page, 'Ordens de serviço')).toHaveText([/OS 000113/])
  first.releaseRequests()
  await page.waitForResponse(/orderList\.find.*000108/)
  await expect(options(page, 'Ordens de serviço')).toHaveText([/OS 000113/])

  await page.context().setOffline(true)
  await field(page).fill('maria')
  await expect(page.getByText('Sem conexão com o servidor.', { exact: true })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  // What was asked while the server was away is asked again when it is back.
  await page.context().setOffline(false)
  await expect(options(page, 'Ordens de serviço')).toHaveText([/OS 000113Maria Aparecida/])
})

test('recent orders are per user and device, and those out of scope are forgotten', async ({ page }) => {
  await openSignedIn(page, product, { email: 'gil', password: PASSWORD })
  await page.goto(`${product.url}/os/${ids['000110']}`)
  await expect(page.getByRole('heading', { name: 'OS 000110' })).toBeVisible()
  const key = await page.evaluate(
    () => Object.keys(localStorage).find((name) => name.startsWith('recent_orders:')) ?? '',
  )
  await page.evaluate(([name, far]) => localStorage.setItem(name, `${far},${localStorage.getItem(name)}`), [
    key,
    String(ids['000113']),
  ] as const)
  await page.keyboard.press('Control+k')
  await expect(options(page, 'Recentes')).toHaveText([/OS 000110/])
  await expect
    .poll(() => page.evaluate((name) => localStorage.getItem(name), key))
    .toBe(String(ids['000110']))

  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/dashboard`)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(options(page, 'Em todo lugar').first()).toBeVisible()
  await expect(options(page, 'Recentes').filter({ hasText: '000110' })).toHaveCount(0)
})
