import { expect, type Page, test } from '@playwright/test'
import { extractText, getDocumentProxy } from 'unpdf'
import { picture } from '../support/make.ts'
import { COMPLETE_ORDER, createOrderFixture, type OrderFixture, tina } from './order-fixture.ts'
import { notice, openSignedIn, tabToAndPress } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let fixture: OrderFixture
let order: number
let long: number
const COMPLAINT = 'Ruído na suspensão dianteira ao passar em lombadas. '
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
  const own = { ...COMPLETE_ORDER, technician_user_id: fixture.tina.id }
  order = (
    await fixture.order({ os_number: '000123', ...own, parts_replaced: 'Amortecedor LE\nCoxim\nBieleta' })
  ).id
  const text = COMPLAINT.repeat(90).trim()
  long = (await fixture.order({ os_number: '000124', ...own, problem_description: text })).id
  for (let n = 0; n < 25; n++)
    await fixture.order({ os_number: `0005${n + 10}`, customer_name: `Cliente ${n}` })
})
const at = (path: string) => `${product.url}${path}`

/** What the browser prints of the page: its pages with their size in mm, and their text without line breaks. */
async function printed(page: Page) {
  await page.evaluate(() => document.fonts.ready)
  const pdf = await getDocumentProxy(
    new Uint8Array(await page.pdf({ preferCSSPageSize: true, printBackground: true })),
  )
  const { text } = await extractText(pdf)
  const sizes = await Promise.all(
    text.map(async (_, index) => {
      const [, , width = 0, height = 0] = (await pdf.getPage(index + 1)).view
      return [width, height].map((points) => Math.round((points / 72) * 25.4)).join(' × ')
    }),
  )
  return { sizes, pages: text.map((one) => one.replace(/\s+/g, ' ')) }
}
const A4 = '210 × 297'
const LANDSCAPE = '297 × 210'
const code = (page: Page) => page.getByRole('img', { name: /^Código QR da OS/ })
/** Nothing of the screen around it. */
const CONTROLS = /Buscar|Logged in as|Configurações|Ir para o conteúdo|Por página|Atualizar/

test('an order prints as cover, acceptance form and labels, by keyboard and from the dark theme (D-75)', async ({
  page,
}) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(at(`/os/${order}`))
  await expect(page.getByRole('heading', { name: 'OS 000123' })).toBeVisible()
  await page.keyboard.press('i')
  await expect(page).toHaveURL(at(`/os/${order}/imprimir`))
  const sheet = page.getByRole('article')
  await expect(sheet).toContainText('0 de 1')
  const cover = await printed(page)
  expect(cover.sizes).toEqual([A4])
  for (const text of ['000123', '529.982.247-25', 'Prazo legal', 'ABC-1234', 'Evidências exigidas por Honda'])
    expect(cover.pages[0]).toContain(text)
  expect(cover.pages[0]).not.toMatch(CONTROLS)
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(sheet).toHaveCSS('color', 'rgb(0, 0, 0)')
  await page.emulateMedia({ media: null })

  await page.getByRole('button', { name: 'Capa da OS' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(sheet).toContainText('11.222.333/0001-81')
  const form = await printed(page)
  expect(form.sizes).toEqual([A4])
  expect(form.pages[0]).toContain('Termo de recebimento e aceite')
  expect(form.pages[0]).toMatch(/Declaro que recebi .* Local e data: .* José da Silva Cliente/)

  const own = await code(page).locator('path').last().getAttribute('d')
  await page.goto(at(`/os/${long}/imprimir?folha=termo`))
  await expect(sheet).toContainText('11.222.333/0001-81')
  expect(await code(page).locator('path').last().getAttribute('d')).not.toBe(own)
  const many = await printed(page)
  expect(many.sizes).toEqual([A4, A4, A4].slice(0, many.sizes.length))
  expect(many.pages.join(' ').split(COMPLAINT.trim())).toHaveLength(91)
  // The signatures are not torn from what is signed.
  expect(many.pages.at(-1)).toMatch(/Declaro que recebi .* Local e data: .* José da Silva Cliente/)
})

test('the logo of a company is chosen in its form, stands on the sheets of its orders, and is removed (D-93)', async ({
  page,
}) => {
  const buffer = await picture('png', 300, 100)
  const logo = { name: 'logo.png', mimeType: 'image/png', buffer }
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(at('/companies'))
  const dialog = page.getByRole('dialog')
  await page.getByRole('row').filter({ hasText: fixture.matriz }).filter({ hasText: 'Matriz' }).click()
  const choose = dialog.getByRole('button', { name: 'Logotipo: Escolher imagem' })
  const chooser = page.waitForEvent('filechooser')
  await choose.click()
  await (await chooser).setFiles({ ...logo, name: 'logo.pdf', buffer: Buffer.from('%PDF') })
  await expect(notice(page, 'Erro no logotipo')).toBeVisible()
  const other = page.waitForEvent('filechooser')
  await tabToAndPress(page, choose)
  await (await other).setFiles(logo)
  await expect(notice(page, 'Logotipo salvo')).toBeVisible()
  await expect(dialog.getByAltText('Logotipo atual')).toHaveJSProperty('naturalWidth', 300)

  const onSheet = page.getByRole('article').getByAltText(`Logotipo de ${fixture.matriz}`)
  for (const sheet of ['capa', 'termo']) {
    await page.goto(at(`/os/${order}/imprimir?folha=${sheet}`))
    await expect(onSheet).toHaveJSProperty('naturalWidth', 300)
    expect((await printed(page)).sizes).toEqual([A4])
  }
  for (const width of [390, 768, 1024]) {
    await page.setViewportSize({ width, height: 844 })
    const sheet = page.getByRole('article')
    expect(await sheet.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  }
  await page.setViewportSize({ width: 1280, height: 720 })

  await page.goto(at('/companies'))
  await page.getByRole('row').filter({ hasText: fixture.matriz }).filter({ hasText: 'Matriz' }).click()
  await tabToAndPress(page, dialog.getByRole('button', { name: 'Remover logotipo' }))
  await expect(notice(page, 'Logotipo removido')).toBeVisible()
  await expect(dialog.getByAltText('Logotipo atual')).toHaveCount(0)
  await page.goto(at(`/os/${order}/imprimir?folha=termo`))
  await expect(page.getByRole('article')).toContainText('11.222.333/0001-81')
  await expect(onSheet).toHaveCount(0)

  // A new company is given its logo with the rest.
  await page.goto(at('/companies'))
  await page.getByRole('button', { name: 'Adicionar Empresa' }).click()
  await dialog.getByLabel('Nome Fantasia').fill('Auto Leste')
  await dialog.getByLabel('Razão Social').fill('Auto Leste Ltda')
  await dialog.getByLabel('Tipo', { exact: true }).selectOption('matriz')
  await dialog.getByLabel('CNPJ').fill('11.444.777/0001-61')
  await dialog.getByLabel('Logotipo', { exact: true }).setInputFiles(logo)
  await expect(dialog.getByText('logo.png')).toBeVisible()
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(notice(page, 'Logotipo salvo')).toBeVisible()
  await page.getByRole('row', { name: /Auto Leste/ }).click()
  await expect(dialog.getByAltText('Logotipo atual')).toHaveJSProperty('naturalWidth', 300)
})

test('labels print ten to a sheet or each on its own, and a technician prints masked data (D-75)', async ({
  page,
}) => {
  await openSignedIn(page, product, tina)
  await page.goto(at(`/os/${order}/imprimir?folha=etiqueta`))
  await expect(page.getByRole('region', { name: /^Etiqueta/ })).toHaveCount(3)
  const sheet = await printed(page)
  expect(sheet.sizes).toEqual([A4])
  expect(sheet.pages[0]).toMatch(/Amortecedor LE.*Coxim.*Bieleta/)
  await page.getByRole('button', { name: 'Etiquetas de 100 × 50 mm' }).click()
  await expect(page.locator('.labels.is-rolo')).toBeVisible()
  const roll = await printed(page)
  expect(roll.sizes).toEqual(['100 × 50', '100 × 50', '100 × 50'])
  expect(roll.pages[1]).toContain('Coxim')

  let prints = 0
  await page.exposeFunction('countPrint', () => prints++)
  await page.evaluate('window.print = () => window.countPrint()')
  await page.getByRole('button', { name: 'Capa da OS' }).click()
  await expect(page.getByRole('article')).toContainText('•••••••4725')
  await page.getByRole('main').getByRole('button', { name: 'Imprimir', exact: true }).click()
  await expect.poll(() => prints).toBe(1)
  expect((await printed(page)).pages[0]).not.toContain('529.982.247-25')
})

test('list and dashboard print their rows and figures with filter, person and time, and no controls (D-75)', async ({
  page,
}) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(at('/lista-os?status=created,pending&limit=50'))
  await expect(page.getByRole('row', { name: /000533/ })).toBeVisible()
  await expect(page.locator('.print-head')).toContainText('Status')
  const list = await printed(page)
  expect(new Set(list.sizes)).toEqual(new Set([LANDSCAPE]))
  const whole = list.pages.join(' ')
  for (let n = 0; n < 25; n++) expect(whole).toContain(`0005${n + 10}`)
  expect(list.pages[0]).toContain('Status: Criada, Pendente')
  expect(list.pages[0]).toMatch(/Impresso por .* dados de \d\d\/\d\d\/\d{4}, \d\d:\d\d/)
  for (const text of list.pages) {
    expect(text).toMatch(/Cliente.*Veículo.*Empresa/)
    expect(text).not.toMatch(CONTROLS)
  }
  await page.goto(at('/dashboard'))
  await expect(page.getByRole('img', { name: /Ordens por marca/ })).toBeVisible()
  const dashboard = await printed(page)
  expect(new Set(dashboard.sizes)).toEqual(new Set([LANDSCAPE]))
  expect(dashboard.pages.join(' ')).toMatch(/Todo o período.*Para hoje.*Receita.*Ordens recentes/)
  expect(dashboard.pages.join(' ')).not.toMatch(CONTROLS)
})
