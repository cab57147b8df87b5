import { expect, type Page, test } from '@playwright/test'
import { type Product, startProduct } from '../support/product.ts'
import { judge } from './judge.ts'
import { openList, rowOf, rows, seedOrders } from './order-list-scene.ts'
import { comeAs, PASSWORD, UNLIMITED } from './people.ts'

let product: Product
let ids: Record<string, number>
test.beforeAll(async () => {
  product = await startProduct(UNLIMITED)
  ids = await seedOrders(product)
})
test.afterAll(() => product.stop())

const field = (page: Page) => page.getByRole('combobox', { name: 'Buscar OS ou ação' })
const options = (page: Page, group?: string) =>
  (group ? page.getByRole('group', { name: group }) : page.getByRole('listbox')).getByRole('option')
const orderAt = (number: string) => new RegExp(`/os/${ids[number]}$`)

test('the palette finds an order by plate, number, or customer, and Enter does not wait for the eye (issue 7)', async ({
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
  await judge(page, 'paleta-1280-escuro')
  await keyboard.press('Escape')
  await expect(field(page)).toHaveCount(0)
  await expect(rowOf(page, '000113')).toBeFocused()

  // Enter at once: what was asked is opened when the answer is there.
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

  const arriving = page.context().waitForEvent('page')
  await keyboard.press('Control+k')
  await keyboard.type('000113')
  await expect(options(page, 'Ordens de serviço').first()).toContainText('OS 000113')
  await keyboard.press('Control+Enter')
  const other = await arriving
  await expect(other).toHaveURL(orderAt('000113'))
  await other.close()
})

test('the palette says when it cannot ask, drops answers to older questions, and opens from a button on phones', async ({
  page,
}) => {
  await openList(page, product)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Buscar OS ou ação' }).click()
  await expect(field(page)).toBeFocused()
  // The answer to the first question is held back until the second is on the screen.
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(/orderList\.find.*000108/, async (route) => {
    await held
    await route.continue().catch(() => null)
  })
  const asked = page.waitForRequest(/orderList\.find.*000108/)
  await field(page).fill('000108')
  await asked
  await field(page).fill('000113')
  await expect(options(page, 'Ordens de serviço')).toHaveText([/OS 000113/])
  letGo()
  await page.waitForResponse(/orderList\.find.*000108/)
  await expect(options(page, 'Ordens de serviço')).toHaveText([/OS 000113/])
  await judge(page, 'paleta-390-escuro')

  await page.context().setOffline(true)
  await field(page).fill('maria')
  await expect(page.getByRole('alert')).toContainText('Não foi possível falar com o servidor')
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(options(page, 'Ordens de serviço')).toHaveText([/OS 000113Maria Aparecida/])
})

test('recent orders are of the person and the device, and what may no longer be read is forgotten', async ({
  page,
}) => {
  await comeAs(page, product, { email: 'gil', password: PASSWORD })
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

  await comeAs(page, product, product.first)
  await page.goto(`${product.url}/dashboard`)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(options(page, 'Em todo lugar').first()).toBeVisible()
  await expect(options(page, 'Recentes').filter({ hasText: '000110' })).toHaveCount(0)
})

test('the page of an order walks through the list it came from, also after a reload and out of the filter (issue 7)', async ({
  page,
}) => {
  const { keyboard } = page
  const place = (text: string) =>
    expect(page.getByRole('navigation', { name: 'Ordens da lista' }).getByRole('status')).toHaveText(text)
  const shows = (number: string) => expect(page.getByRole('heading', { name: `OS ${number}` })).toBeVisible()
  await comeAs(page, product, product.first)
  await page.goto(`${product.url}/lista-os?status=created`)
  await expect(rows(page).first()).toBeVisible()
  const listed = await rows(page).locator('.order-number').allTextContents()
  const [first = '', second = '', third = ''] = listed
  await keyboard.press('j')
  await keyboard.press('Enter')
  await shows(first)
  await place(`1 de ${listed.length}`)
  await expect(page.getByRole('button', { name: 'Anterior' })).toBeDisabled()
  await keyboard.press(']')
  await shows(second)
  await place(`2 de ${listed.length}`)
  await page.reload()
  await place(`2 de ${listed.length}`)
  await keyboard.press('s')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.getByRole('menuitem', { name: /^Colocar em análise/ }).focus()
  await keyboard.press('Enter')
  await place('Fora do filtro')
  await page.getByRole('button', { name: `Próxima: OS ${third}` }).click()
  await shows(third)
  await place(`2 de ${listed.length - 1}`)
  // However far the walk went, Back is the list, with the cursor on the order that was left.
  await page.goBack()
  await expect(page).toHaveURL(/\/lista-os\?status=created$/)
  await expect(rowOf(page, second)).toHaveCount(0)
  await keyboard.press('j')
  await expect(rowOf(page, third)).toBeFocused()

  await page.goto(`${product.url}/os/${ids['000109']}`)
  await shows('000109')
  await expect(page.getByRole('navigation', { name: 'Ordens da lista' })).toHaveCount(0)
})
