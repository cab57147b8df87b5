import { type Browser, expect, type Page, test } from '@playwright/test'
import { photo } from '../support/media.ts'
import { type Product, startProduct } from '../support/product.ts'
import { temporary } from './clerk.ts'
import { judge } from './judge.ts'
import { button, type Desk, dialog, openDesk, tina, WHOLE } from './order-desk.ts'
import { comeAs, notice, UNLIMITED } from './people.ts'

let product: Product
let desk: Desk
test.beforeAll(async () => {
  product = await startProduct(UNLIMITED)
  desk = await openDesk(product)
  await desk.patch(`/brands/${desk.brand('Honda')}`, {
    version: 1,
    required_categories: [
      { category: 'defeito', min: 1 },
      { category: 'odometro', min: 1 },
    ],
  })
})
test.afterAll(() => product.stop())

const viewer = (page: Page) => page.locator('.viewer')
const judgeInBothThemes = async (page: Page, name: string) => {
  for (const theme of ['dark', 'light'] as const) {
    await page.evaluate(
      (isDark) => document.documentElement.classList.toggle('bp6-dark', isDark),
      theme === 'dark',
    )
    await judge(page, `${name}-${theme}`)
  }
}
const ready = (page: Page, count: number) =>
  expect(page.locator('.evidence-card').getByText('Pronto', { exact: true })).toHaveCount(count, {
    timeout: 120_000,
  })

test('a technician with one thumb: photograph what is missing, convert, look, hand over (issue 5, holds when 7; EVI-2, EVI-4, UPL-3)', async ({
  browser,
}) => {
  const dir = await temporary()
  const { id } = await desk.order({ os_number: '000502', ...WHOLE, technician_user_id: desk.tina.id })
  const page = await phone(browser)
  await comeAs(page, product, tina)
  await page.goto(`${product.url}/os/${id}?tab=evidencias`)
  const photograph = async (label: string, name: string, noise: number) => {
    const next = button(page, `Fotografar ${label}`).last()
    await expectUnderTheThumb(page, `Fotografar ${label}`)
    const chooser = page.waitForEvent('filechooser')
    await next.tap()
    await (await chooser).setFiles(await photo(dir, { name, width: 1200, height: 1600, noise }))
    await dialog(page).getByRole('button', { name: 'Enviar', exact: true }).tap()
    await expect(dialog(page)).toBeHidden({ timeout: 30_000 })
    await expect(page.getByRole('article', { name: `${name}.jpg` })).toContainText(label)
  }

  await test.step('the bar names what the brand misses, one after the other', async () => {
    await photograph('Defeito Reportado', 'peca', 90)
    await photograph('Odômetro', 'painel', 140)
    await expect(page.getByRole('region', { name: 'Exigido por Honda' })).toContainText('2 de 2')
  })

  await test.step('then it converts', async () => {
    await expectUnderTheThumb(page, 'Converter Todos')
    await button(page, 'Converter Todos').tap()
    await ready(page, 2)
  })

  await test.step('a photo is looked at, swiped away and put in another category', async () => {
    await button(page, 'Ver peca.jpg').tap()
    await expect(viewer(page).getByRole('status')).toContainText('1 de 2: peca.jpg')
    await swipeLeft(page)
    await expect(viewer(page).getByRole('status')).toContainText('2 de 2: painel.jpg')
    await button(page, 'Informações').tap()
    await judgeInBothThemes(page, 'visor-telefone')
    expect(await smallTargets(page, '.viewer')).toEqual([])
    await viewer(page).getByRole('button', { name: 'Placa do Veículo' }).tap()
    await expect(viewer(page).getByRole('status')).toContainText('Placa do Veículo')
    await viewer(page).getByRole('button', { name: 'Fechar' }).tap()
    await expectUnderTheThumb(page, 'Fotografar Odômetro')
  })

  await test.step('«Desfazer» fills the slot again, and the package is handed over', async () => {
    await notice(page, 'Categoria alterada').getByRole('button', { name: 'Desfazer' }).tap()
    await expectUnderTheThumb(page, 'Baixar Evidências (ZIP)')
    expect(await smallTargets(page, '.evidence')).toEqual([])
    await judgeInBothThemes(page, 'evidencias-telefone')
    const download = page.waitForEvent('download')
    await button(page, 'Baixar Evidências (ZIP)').tap()
    expect((await download).suggestedFilename()).toBe(`os_${id}_evidencias.zip`)
  })
  await page.context().close()
})

const phone = async (browser: Browser) =>
  (
    await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      locale: 'pt-BR',
      acceptDownloads: true,
    })
  ).newPage()

/** The one filled button of the view: at the bottom, large enough, and clear of the corner of the tray. */
async function expectUnderTheThumb(page: Page, name: string) {
  const primary = page.locator('.evidence .bp6-intent-primary, .page-header .bp6-intent-primary')
  await expect(primary).toHaveCount(1)
  await expect(primary).toHaveAccessibleName(name)
  const box = await primary.boundingBox()
  expect(box?.height).toBeGreaterThanOrEqual(44)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(780)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390 - 56)
}

/** What a finger would miss: visible buttons below 44 px. */
const smallTargets = (page: Page, within: string) =>
  page.locator(`${within} :is(button, summary, select)`).evaluateAll((targets) =>
    targets
      .map((target) => ({
        name: target.getAttribute('aria-label') ?? target.textContent,
        box: target.getBoundingClientRect(),
      }))
      .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44))
      .map(({ name, box }) => `${name}: ${box.width} × ${box.height}`),
  )

async function swipeLeft(page: Page) {
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 400 }] })
  await touch('touchStart', 340)
  for (let x = 320; x >= 60; x -= 20) await touch('touchMove', x)
  await touch('touchEnd')
}
