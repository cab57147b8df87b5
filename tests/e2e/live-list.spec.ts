import { expect, type Page, test } from '@playwright/test'
import { button, card, grid, numbers, openList, rowOf, rows } from './order-list-fixture.ts'
import { apiAs } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let others: Awaited<ReturnType<typeof openedOrders>>
test.beforeAll(async () => {
  product = await openProduct()
  others = await openedOrders()
})

/** Fifteen orders, 000101 to 000115, and somebody else who opens and changes more of them. */
async function openedOrders() {
  const { post, token } = await apiAs(product, product.firstSuperuser)
  await post('/brands/initialize')
  const firstOf = async (path: string) => {
    const reply = await fetch(`${product.url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return (await reply.json()).data[0].id as number
  }
  const [brand_id, company_id] = [await firstOf('/brands'), await firstOf('/companies')]
  const ids: number[] = []
  const open = async (count: number) => {
    for (let left = count; left > 0; left--) {
      const os_number = String(101 + ids.length).padStart(6, '0')
      ids.push((await post('/service-orders', { os_number, brand_id, company_id })).id)
    }
  }
  const analyse = (os_number: string) =>
    post(`/service-orders/${ids[Number(os_number) - 101]}/status/in_analysis`)
  await open(15)
  return { open, analyse }
}

/** Records what header, cards and table say, and where a row is, in every frame that shows something new. */
const sample = (page: Page, os_number: string) =>
  page.evaluate((wanted) => {
    const samples: string[] = []
    Object.assign(window, { samples })
    const digits = (selector: string) =>
      (document.querySelector(selector)?.textContent ?? '').replace(/\D/g, '')
    const look = () => {
      const row = [...document.querySelectorAll('tr[data-row]')].find((one) =>
        one.textContent?.includes(wanted),
      )
      const place = row ? Math.round(row.getBoundingClientRect().top) : 'gone'
      const inTable = Number(document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount')) - 1
      const one = `${digits('.page-header-line [role="status"]')} ${digits('.summary-card .summary-figure')} ${inTable} at ${place}`
      if (samples.at(-1) !== one) samples.push(one)
      requestAnimationFrame(look)
    }
    look()
  }, os_number)
const samples = (page: Page) => page.evaluate(() => (window as unknown as { samples: string[] }).samples)

test('while others open and change orders, the list stays under the hand, and its numbers are one (LIST-1, D-28)', async ({
  page,
}) => {
  await openList(page, product)
  await expect(numbers(page).first()).toHaveText('000115')
  await rowOf(page, '000112').hover()
  await rowOf(page, '000112').focus()
  await sample(page, '000112')
  const [before = ''] = await samples(page)
  expect(before).toMatch(/^15 15 15 at \d+$/)

  await others.analyse('000110')
  await expect(rowOf(page, '000110')).toContainText('Em Análise')
  await expect(card(page, 'Em Análise').locator('.summary-figure')).toHaveText('1')

  await others.open(100)
  await others.analyse('000109')
  await others.open(100)
  await others.analyse('000111')
  const news = button(page, '200 novas · atualizar')
  await expect(news).toBeVisible()
  await expect(rowOf(page, '000112')).toBeFocused()
  expect(await samples(page)).toEqual([before])

  await news.click()
  await expect(numbers(page).first()).toHaveText('000315')
  await expect(page.getByText('215 ordens de serviço')).toBeVisible()
  await expect(card(page, 'Em Análise').locator('.summary-figure')).toHaveText('3')
  await expect(news).toHaveCount(0)
  await expect(button(page, 'Atualizar')).toBeFocused()
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '216')
  for (const shown of await samples(page)) expect(shown).toMatch(/^(\d+) \1 \1 at/)
  await expect(rows(page)).toHaveCount(10)
})

test('a toast does not cover the row that it speaks of, and older ones are one line each (GEN-9)', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  await openList(page, product)
  const toasts = page.locator('.toast')
  const last = rows(page).last()
  for (const move of [/^Marcar como pendente/, /^Colocar em análise/]) {
    await last.focus()
    await page.keyboard.press('s')
    await page.getByRole('dialog').getByText(move).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Mudar status' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(last).toBeFocused()
  }
  await expect(toasts).toHaveCount(2)
  const row = await last.boundingBox()
  const boxes = await Promise.all((await toasts.all()).map((one) => one.boundingBox()))
  for (const box of boxes) {
    const isBelow = (box?.y ?? 0) >= (row?.y ?? 0) + (row?.height ?? 0)
    const isAbove = (box?.y ?? 0) + (box?.height ?? 0) <= (row?.y ?? 0)
    expect(isBelow || isAbove).toBe(true)
  }
  expect(boxes[1]?.height).toBeLessThan(boxes[0]?.height ?? 0)
})

test('where a finger points, titles name no keys, and a preview ends with its row', async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 1180, height: 820 },
    hasTouch: true,
    isMobile: true,
    locale: 'pt-BR',
  })
  const page = await context.newPage()
  await openList(page, product)
  await expect(button(page, 'Nova OS')).toHaveAttribute('title', 'Nova OS')
  await expect(page.locator('kbd, [aria-keyshortcuts]')).toHaveCount(0)
  const peek = page.getByRole('complementary', { name: /^Espiada da OS/ })
  await rows(page).first().focus()
  await page
    .getByRole('button', { name: /^Espiar OS/ })
    .first()
    .tap()
  await expect(peek).toBeVisible()
  await card(page, 'Concluídas').tap()
  await expect(peek).toHaveCount(0)
  await page.goto(`${product.url}/dashboard`)
  await page.getByRole('button', { name: /^Total de OS: / }).tap()
  const meaning = page.locator('.bp6-tooltip .figure-meaning')
  await expect(meaning).toBeVisible()
  await page.getByRole('heading', { name: 'Dashboard' }).tap()
  await expect(meaning).toHaveCount(0)
  await context.close()
})
