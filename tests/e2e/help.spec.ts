import { expect, type Page, test } from '@playwright/test'
import { loginField, openSignedIn, recordShifts, shiftsOf, tabToAndPress } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
test.beforeAll(async () => {
  product = await openProduct()
})

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const pages = (page: Page) => page.getByRole('navigation', { name: 'Páginas da ajuda' })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Procurar na ajuda' })

test('F1 opens the page of the screen; by keyboard the manual is searched, followed and left again', async ({
  page,
  context,
}) => {
  const { keyboard } = page
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/settings?tab=senha`)
  await page.getByLabel('Senha atual').fill('x')
  await keyboard.press('F1')
  await expect(page).toHaveURL(/\/ajuda\/configuracoes$/)
  await expect(title(page, 'Configurações')).toBeVisible()
  await expect(page.locator('main')).toBeFocused()

  await keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await keyboard.type('retencao judicial')
  await expect(pages(page).getByRole('link').first()).toHaveText('Guarda legal e retenção')
  await expect(pages(page).getByRole('link').nth(1)).toHaveText('Retenção judicial')
  await keyboard.press('Enter')
  await expect(title(page, 'Guarda legal e retenção')).toBeVisible()
  await tabToAndPress(page, page.getByRole('article').getByRole('link', { name: 'marca', exact: true }))
  await expect(page).toHaveURL(/\/ajuda\/marcas$/)
  await expect(title(page, 'Marcas')).toBeVisible()

  // Found by words of a heading; the page opens at that heading.
  await keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Buscar OS ou ação' })).toBeFocused()
  await keyboard.type('quando nao cabe')
  await keyboard.press('Enter')
  await expect(page).toHaveURL(/\/ajuda\/pacote-e-dossie#quando-n(ã|%C3%A3)o-cabe$/)
  await expect(page.getByRole('heading', { name: 'Quando não cabe' })).toBeInViewport()

  // What is being typed stays: the page opens in a tab of its own.
  await page.goto(`${product.url}/nova-os`)
  await page.getByLabel('Nome do cliente').fill('Ana')
  const opening = context.waitForEvent('page')
  await keyboard.press('F1')
  const other = await opening
  await expect(title(other, 'Nova OS e edição')).toBeVisible()
  await expect(page.getByLabel('Nome do cliente')).toHaveValue('Ana')
})

test('by mouse: from the menu and the sheet of keys to a page, its picture, its neighbours and back', async ({
  page,
}) => {
  await recordShifts(page)
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/brands`)
  await page.getByRole('link', { name: 'Ajuda', exact: true }).click()
  await expect(title(page, 'Marcas')).toBeVisible()
  const picture = page.getByRole('img', { name: /^Os cartões das marcas/ })
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1280)
  await page.getByRole('link', { name: 'Concessionárias' }).last().click()
  await expect(title(page, 'Concessionárias')).toBeVisible()
  await search(page).fill('nada disso')
  await expect(page.getByText('Nada na ajuda sobre «nada disso».')).toBeVisible()
  await search(page).fill('')
  await pages(page).getByRole('link', { name: 'Teclado' }).click()
  await expect(title(page, 'Teclado')).toBeVisible()
  expect(await shiftsOf(page)).toEqual([])

  await page.keyboard.press('?')
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /na ajuda$/ })
    .click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto(`${product.url}/ajuda/nao-existe`)
  await expect(title(page, 'Página não encontrada')).toBeVisible()
})

test('who cannot sign in reads the manual from the sign-in', async ({ page }) => {
  await page.goto(`${product.url}/login`)
  await page.getByRole('link', { name: 'Ajuda', exact: true }).click()
  await expect(title(page, 'Entrar e segundo fator')).toBeVisible()
  await page.getByRole('article').getByRole('link', { name: 'Perdi o celular' }).click()
  await expect(title(page, 'Perdi o celular')).toBeVisible()
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(loginField(page)).toBeVisible()
})
