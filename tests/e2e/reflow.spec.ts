import { expect, type Locator, type Page, test } from '@playwright/test'
import { startConversion } from './claims-fixture.ts'
import { COMPLETE_ORDER, createOrderFixture, type OrderFixture } from './order-fixture.ts'
import { openSignedIn, recordShifts, shiftsOf } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let fixture: OrderFixture
let id: number
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
  id = (await fixture.order({ os_number: '000201', ...COMPLETE_ORDER })).id
  await fixture.post(`/service-orders/${id}/claims`, { type: 'normal', lines: LINES })
})

const LINES = [
  { kind: 'labour', description: 'Troca da bucha', labour_code: '410115', hours: 1.5, claimed: 350 },
]

const paths = () => [
  '/dashboard',
  '/relatorios',
  '/lista-os',
  '/solicitacoes',
  '/prazos',
  '/conciliacao',
  '/brands',
  '/companies',
  '/admin',
  '/settings',
  '/lgpd?tab=acessos',
  '/nova-os',
  '/importar',
  `/os/${id}`,
  `/os/${id}?tab=evidencias`,
  `/os/${id}?tab=garantia`,
  `/os/${id}/imprimir`,
  `/os/${id}/edit`,
]
async function open(page: Page, path: string) {
  await page.goto(`${product.url}${path}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
}

/** Elements that are outside of the window or clipped by their own frame. */
const overflowOf = (page: Page) =>
  page.evaluate(() => {
    const words =
      'h1, h2, button, label, legend, dt, dd, .badge, .badge-text, .field-error, .empty-state-title'
    const cut = [...document.querySelectorAll<HTMLElement>(words)]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 1)
      .filter((one) => {
        const { left, right } = one.getBoundingClientRect()
        const { overflowY, display } = getComputedStyle(one)
        const isOutside = left < -1 || right > innerWidth + 1
        const isClipped = overflowY !== 'visible' && display !== 'inline'
        const isCut = one.matches('.badge-text') && one.scrollWidth > one.clientWidth
        return isOutside || isCut || (isClipped && one.scrollHeight > one.clientHeight + 3)
      })
      .map((one) => `${one.tagName}.${one.className} «${one.textContent?.slice(0, 40)}»`)
    return { tooWide: Math.max(0, document.documentElement.scrollWidth - innerWidth), cut }
  })

/** The text spacing that a reader may set (WCAG 1.4.12). */
const TEXT_SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`
/** 400 % and 200 % of 1280 px (WCAG 1.4.10, 1.4.4), and the tablets and laptops that the visual audits leave out. */
const [WIDE, AT_200, AT_400, OTHERS] = [1280, 640, 320, [768, 1024, 1366]]

/** Loads the screen at this width, where nothing may be pushed away by what loads late. */
async function load(page: Page, path: string, width: number) {
  await page.setViewportSize({ width, height: 800 })
  await open(page, path)
  // At 320 px a line breaks when its number arrives.
  if (width > AT_400) expect.soft(await shiftsOf(page), path).toEqual([])
}
async function expectReflow(page: Page, path: string, widths: readonly number[]) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    expect.soft(await overflowOf(page), `${path} at ${width}`).toEqual({ tooWide: 0, cut: [] })
  }
}
const spaceText = (page: Page) =>
  page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets.push(sheet)
  }, TEXT_SPACING)

test('nothing is clipped, wider than the window or pushed away by what loads late, from 400 % to wide spacing', async ({
  page,
}) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await recordShifts(page)
  for (const [place, path] of paths().entries()) {
    await load(page, path, place % 2 === 0 ? WIDE : AT_200)
    await expectReflow(page, path, [AT_200, ...OTHERS, AT_400])
    await page.setViewportSize({ width: WIDE, height: 800 })
    await spaceText(page)
    await expectReflow(page, path, [WIDE])
  }
})

for (const [what, width, others] of [
  ['at 400 %', AT_400, []],
  ['at 200 %', AT_200, OTHERS],
  ['with wide spacing', WIDE, []],
] as const)
  test(`nothing is clipped, wider than the window or pushed away by what loads late in a screen loaded ${what}`, {
    tag: '@exhaustive',
  }, async ({ page }) => {
    await openSignedIn(page, product, product.firstSuperuser)
    await recordShifts(page)
    for (const path of paths()) {
      await load(page, path, width)
      if (width === WIDE) await spaceText(page)
      await expectReflow(page, path, [width, ...others])
    }
  })

/** How many lines each piece of text takes that no place to break divides. */
const linesOf = (texts: Locator) =>
  texts.evaluateAll((elements) =>
    elements
      .flatMap((one) => [...one.childNodes])
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => {
        const range = document.createRange()
        range.selectNodeContents(node)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      }),
  )

test('beside the open menu bulk actions stay in the window, file names break between their parts, and a running conversion takes one line', async ({
  page,
}) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.setViewportSize({ width: 768, height: 800 })
  await open(page, '/lista-os')
  await page.getByLabel('Selecionar OS 000201').filter({ visible: true }).check()
  await expect(page.getByRole('region', { name: 'Ações em lote' })).toBeVisible()
  expect(await overflowOf(page)).toEqual({ tooWide: 0, cut: [] })

  await page.setViewportSize({ width: 1366, height: 800 })
  await open(page, '/brands')
  const names = page.locator('.brand-row code')
  await expect(names.first()).toBeVisible()
  const parts = await linesOf(names)
  expect(parts.length).toBeGreaterThan(20)
  expect(parts.filter((lines) => lines !== 1)).toEqual([])

  process.kill(product.workerPid(), 'SIGSTOP')
  try {
    await startConversion(product, fixture, id)
    for (const width of [1280, 1366, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      await open(page, '/lista-os')
      const running = page.getByRole('gridcell', { name: 'Convertendo 0/1' }).locator('.badge-text')
      await expect(running).toBeVisible()
      expect(await linesOf(running), `at ${width}`).toEqual([1])
    }
  } finally {
    process.kill(product.workerPid(), 'SIGCONT')
  }
})

test('in forced colours the focus and the edges of controls stay visible', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openSignedIn(page, product, product.firstSuperuser)
  await open(page, '/lista-os')
  const refresh = page.getByRole('button', { name: 'Atualizar' })
  const search = page.getByRole('searchbox')
  for (const target of [
    search,
    page.getByLabel('Status').first(),
    refresh,
    page.locator('tbody tr[data-row]').first(),
  ]) {
    // Sets keyboard modality: the focus ring is not drawn after pointer input.
    await page.keyboard.press('Shift')
    await target.focus()
    const ring = await target.evaluate((one) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one)
      return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)
    })
    expect.soft(ring, await target.evaluate((one) => one.outerHTML.slice(0, 80))).toBeGreaterThanOrEqual(1)
  }
  for (const control of [refresh, search])
    expect(
      await control.evaluate((one) => Number.parseFloat(getComputedStyle(one).borderTopWidth)),
    ).toBeGreaterThanOrEqual(1)
})
