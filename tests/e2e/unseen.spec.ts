import { expect, type Locator, type Page, test } from '@playwright/test'
import { type Product, startProduct } from '../support/product.ts'
import { openDesk, WHOLE } from './order-desk.ts'
import { comeAs, UNLIMITED } from './people.ts'

/* What axe cannot see: it looks at a screen, not at what happens on it. */

let product: Product
let id: number
test.beforeAll(async () => {
  product = await startProduct(UNLIMITED)
  const desk = await openDesk(product)
  for (let i = 0; i < 12; i++)
    id = (await desk.order({ os_number: `0002${String(i).padStart(2, '0')}`, ...WHOLE })).id
})
test.afterAll(() => product.stop())

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function open(page: Page, path: string) {
  await page.goto(`${product.url}${path}`)
  await expect(heading(page)).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
}
const button = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .filter({ visible: true })
    .first()

test('the first stop of the keyboard leads past the menu', async ({ page }) => {
  await comeAs(page, product, product.first)
  await open(page, '/lista-os')
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Ir para o conteúdo' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)
})

test('the keyboard goes through dashboard and tables in the order of reading', async ({ page }) => {
  test.setTimeout(200_000)
  await comeAs(page, product, product.first)
  await page.setViewportSize({ width: 1280, height: 900 })
  for (const path of ['/dashboard', '/lista-os', '/companies']) {
    await open(page, path)
    await page.getByRole('main').focus()
    const stops: { name: string; top: number; bottom: number; left: number }[] = []
    for (let stop = 0; stop < 40; stop++) {
      await page.keyboard.press('Tab')
      const at = await page.evaluate(() => {
        const now = document.activeElement
        if (!now?.closest('main') || now.closest('[role="menu"]')) return null
        const { top, bottom, left } = now.getBoundingClientRect()
        const name = now.getAttribute('aria-label') ?? now.textContent ?? now.tagName
        return { name: name.slice(0, 40), top: top + scrollY, bottom: bottom + scrollY, left }
      })
      if (!at) break
      stops.push(at)
    }
    expect(stops.length, path).toBeGreaterThan(3)
    const back = stops.slice(1).flatMap((next, i) => {
      const before = stops[i] ?? next
      const isAbove = next.bottom <= before.top
      const isSameLine = next.top < before.bottom && before.top < next.bottom
      const isContained = next.top >= before.top && next.bottom <= before.bottom && next.left >= before.left
      return isAbove || (isSameLine && !isContained && next.left < before.left)
        ? [`${before.name} → ${next.name}`]
        : []
    })
    expect(back, path).toEqual([])
  }
})

test('what opens over the list gives the focus back to what opened it', async ({ page }) => {
  test.setTimeout(200_000)
  await comeAs(page, product, product.first)
  /** Opens by keyboard, sees that the focus went in, leaves by Escape. */
  async function isReturned(opener: Locator, kind: 'dialog' | 'alertdialog' | 'menu', name: string) {
    await opener.focus()
    await page.keyboard.press('Enter')
    const opened = page.getByRole(kind)
    await expect(opened, name).toBeVisible()
    await expect(opened.locator(':focus'), `${name}: the focus is inside`).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(opened, name).toHaveCount(0)
    await expect(opener, `${name}: the focus is back`).toBeFocused()
  }
  await open(page, '/lista-os')
  await isReturned(button(page, 'Nova OS'), 'dialog', 'Nova OS')
  await isReturned(button(page, 'Exportar'), 'menu', 'Exportar')
  await isReturned(button(page, 'Vistas'), 'menu', 'Vistas')
  await isReturned(button(page, /^Menu de/), 'menu', 'conta')
  await isReturned(button(page, /^Excluir OS 0002/), 'alertdialog', 'Excluir OS')
  await page
    .getByRole('checkbox', { name: /^Selecionar OS/ })
    .filter({ visible: true })
    .first()
    .check()
  await isReturned(button(page, 'Mudar status'), 'dialog', 'Mudar status')
})

test('what changes is said in a region that was there before: notices, counts, progress (GEN-8)', async ({
  page,
}) => {
  await comeAs(page, product, product.first)
  await open(page, `/os/${id}?tab=evidencias`)
  await page.waitForTimeout(500)
  /** What has been said since, by regions that the page had at this moment. */
  await page.evaluate(() => {
    const said: string[] = []
    for (const region of document.querySelectorAll('[aria-live], [role="status"], [role="log"]'))
      new MutationObserver(() => said.push(region.textContent ?? '')).observe(region, {
        childList: true,
        subtree: true,
        characterData: true,
      })
    Object.assign(window, { said })
  })
  const heard = () => page.evaluate(() => (window as unknown as { said: string[] }).said.join(' | '))
  await button(page, 'Upload').click()
  const dialog = page.getByRole('dialog')
  const picture = await page.screenshot()
  await dialog
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'tela.png', mimeType: 'image/png', buffer: picture })
  await dialog.getByRole('button', { name: 'Enviar' }).click()
  await expect.poll(heard).toContain('Evidências enviadas com sucesso')
  await button(page, /^(Processar|Converter Todos)/).click()
  await expect.poll(heard, { timeout: 60_000 }).toContain('1 de 1 arquivo pronto')
})
