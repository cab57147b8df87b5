import { expect, test } from '@playwright/test'
import { openList, rowOf, rows, seedOrders } from './order-list-fixture.ts'
import { holdRequests, openSignedIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let ids: Record<string, number>
test.beforeAll(async () => {
  product = await openProduct()
  ids = await seedOrders(product)
})

const orderAt = (number: string) => new RegExp(`/os/${ids[number]}$`)

test('Space opens the preview of an order; the preview follows the cursor, and Esc returns the focus to the row', async ({
  page,
}) => {
  const { keyboard } = page
  const peekOf = (number: string) => page.getByRole('complementary', { name: `Espiada da OS ${number}` })
  await openList(page, product)
  await keyboard.press('j')
  await keyboard.press('Space')
  await expect(peekOf('000113')).toContainText('Maria Aparecida de Souza')
  await expect(peekOf('000113').getByRole('img')).toHaveCount(1)
  await expect(peekOf('000113').getByRole('region', { name: 'O que falta' })).toBeVisible()
  await expect(rowOf(page, '000113')).toBeFocused()
  await keyboard.press('j')
  await expect(peekOf('000112')).toContainText('Nenhuma evidência enviada')
  await keyboard.press('x')
  await expect(page.getByRole('region', { name: 'Ações em lote' }).getByText('1 selecionada')).toBeVisible()
  await keyboard.press('Escape')
  await expect(page.getByRole('complementary', { name: /^Espiada/ })).toHaveCount(0)
  await expect(rowOf(page, '000112')).toBeFocused()
  await expect(page.getByRole('region', { name: 'Ações em lote' }).getByText('1 selecionada')).toBeVisible()
  await keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Ações em lote' }).getByText('1 selecionada')).toHaveCount(0)
  await keyboard.press('Space')
  await expect(peekOf('000112')).toBeVisible()
  await keyboard.press('Enter')
  await expect(page).toHaveURL(orderAt('000112'))
  await page.goBack()

  await expect(rows(page).first()).toBeVisible()
  await rowOf(page, '000111').hover()
  await page.getByRole('button', { name: 'Espiar OS 000111' }).click()
  await expect(peekOf('000111')).toBeVisible()
  await page.getByRole('button', { name: 'Fechar espiada' }).click()
  await expect(peekOf('000111')).toHaveCount(0)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Ações da OS 000113' }).click()
  await page.getByRole('menuitem', { name: 'Espiar' }).click()
  await expect(page.getByRole('dialog', { name: 'OS 000113' })).toContainText('Maria Aparecida de Souza')
  await keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the preview stands beside the table where the list has room for both, whatever made the room', async ({
  page,
}) => {
  const overlap = () =>
    page.evaluate(() => {
      const edge = document.querySelector('.orders-body table')?.getBoundingClientRect().right ?? 0
      return edge - (document.querySelector('.peek')?.getBoundingClientRect().left ?? 0)
    })
  await page.setViewportSize({ width: 1536, height: 900 })
  await openList(page, product)
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  await expect.poll(overlap).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(overlap).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Recolher menu' }).click()
  await expect.poll(overlap).toBeLessThanOrEqual(0)
})

test('the page of an order has previous and next of the list it was opened from, also after a reload and when the order left the filter', async ({
  page,
}) => {
  const { keyboard } = page
  const place = (text: string) =>
    expect(page.getByRole('navigation', { name: 'Ordens da lista' }).getByRole('status')).toHaveText(text)
  const shows = (number: string) => expect(page.getByRole('heading', { name: `OS ${number}` })).toBeVisible()
  await openSignedIn(page, product, product.firstSuperuser)
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
  // After any number of steps Back returns to the list, with the cursor on the last order.
  await page.goBack()
  await expect(page).toHaveURL(/\/lista-os\?status=created$/)
  await expect(rowOf(page, third)).toBeVisible()
  await expect(rowOf(page, second)).toHaveCount(0)
  await keyboard.press('j')
  await expect(rowOf(page, third)).toBeFocused()

  await page.goto(`${product.url}/os/${ids['000109']}`)
  await shows('000109')
  await expect(page.getByRole('navigation', { name: 'Ordens da lista' })).toHaveCount(0)
})

test('u in the list opens the upload of the order under the cursor, once; Back restores the scroll position of the list', async ({
  page,
}) => {
  const { keyboard } = page
  const upload = page.getByRole('dialog', { name: 'Enviar evidências da OS 000111' })
  await page.setViewportSize({ width: 1280, height: 480 })
  await openList(page, product)
  for (let step = 0; step < 3; step++) await keyboard.press('j')
  await expect(rowOf(page, '000111')).toBeFocused()
  await page.evaluate(() => {
    scrollTo(0, 120)
    return new Promise((seen) => addEventListener('scroll', seen, { once: true }))
  })
  await keyboard.press('u')
  await expect(page).toHaveURL(`${product.url}/os/${ids['000111']}?tab=evidencias`)
  await expect(upload.getByRole('button', { name: 'Escolher arquivos' })).toBeFocused()
  await keyboard.press('Escape')
  await expect(upload).toHaveCount(0)

  await page.goBack()
  await expect(rows(page).first()).toBeVisible()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(120)
  await page.goForward()
  await expect(page.getByRole('heading', { name: 'OS 000111' })).toBeVisible()
  await expect(page.getByText('Nenhuma evidência enviada')).toBeVisible()
  await expect(upload).toHaveCount(0)

  await page.goto(`${product.url}/lista-os?search=000106`)
  await expect(rowOf(page, '000106')).toBeVisible()
  await keyboard.press('j')
  await keyboard.press('u')
  await expect(page.locator('.toast', { hasText: 'OS 000106' })).toContainText(
    'OS concluída ou cancelada não pode ser editada',
  )
  await expect(page).toHaveURL(/\/lista-os/)
})

test('a status change shows immediately and is rolled back when refused; Back restores the selection', async ({
  page,
}) => {
  const { keyboard } = page
  await openList(page, product)
  await keyboard.press('j')
  await keyboard.press('x')
  await keyboard.press('Shift+ArrowDown')
  await expect(page.getByRole('region', { name: 'Ações em lote' }).getByText('2 selecionadas')).toBeVisible()
  await keyboard.press('Enter')
  const badge = page.locator('.page-header').getByText('Em Análise')
  await expect(page.getByRole('heading', { name: /^OS / })).toBeVisible()
  const change = await holdRequests(page, /orders\.setStatus/, (route) => route.abort())
  await keyboard.press('s')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.getByRole('menuitem', { name: /^Colocar em análise/ }).focus()
  await keyboard.press('Enter')
  await expect(badge).toBeVisible()
  change.releaseRequests()
  await expect(page.locator('.toast', { hasText: /OS 0001\d\d: Erro desconhecido/ })).toBeVisible()
  await expect(badge).toHaveCount(0)

  await page.goBack()
  await expect(page.getByRole('region', { name: 'Ações em lote' }).getByText('2 selecionadas')).toBeVisible()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.getByRole('link', { name: 'Lista OS' }).click()
  await expect(rows(page).first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Ações em lote' }).getByText('2 selecionadas')).toHaveCount(0)
})
