import { expect, test } from '@playwright/test'
import { photo } from '../support/media.ts'
import { arrowTo, chooseIn, watchPointers } from './keyboard-steps.ts'
import { rowOf, rows } from './order-list-fixture.ts'
import { apiAs, loginField, notice, storedToken, tabToAndPress, typeInto } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { temporary } from './ui-steps.ts'

let product: Product
let id: number
test.beforeAll(async () => {
  product = await openProduct()
  const { post, token } = await apiAs(product, product.firstSuperuser)
  const get = async (path: string) =>
    (await fetch(`${product.url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
  await post('/brands/initialize')
  const brands: { id: number; display_name: string }[] = (await get('/brands')).data
  const companies: { id: number; type: string }[] = (await get('/companies')).data
  const order = {
    brand_id: brands.find(({ display_name }) => display_name === 'Honda')?.id,
    company_id: companies.find(({ type }) => type === 'matriz')?.id,
  }
  await post('/service-orders', { ...order, os_number: '000201', customer_name: 'Outra Pessoa' })
  id = (
    await post('/service-orders', {
      ...order,
      os_number: '000202',
      customer_name: 'Ângela Conceição',
      customer_phone: '11987654321',
      vehicle_model: 'Civic',
      vehicle_plate: 'ABC1C34',
    })
  ).id
  await post('/service-orders', { ...order, os_number: '000203', customer_name: 'Mais Uma' })
})

test("a clerk's morning by keyboard alone, from signing in to logging out", { tag: '@exhaustive' }, async ({
  page,
}) => {
  test.setTimeout(240_000)
  const { keyboard } = page
  const pointers = await watchPointers(page)
  await page.goto(product.url)
  await typeInto(page, loginField(page), product.firstSuperuser.email)
  await typeInto(page, page.getByLabel('Senha', { exact: true }), product.firstSuperuser.password)
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

  // The plate in its format before Mercosul, as the customer says it.
  await keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Buscar OS ou ação' })).toBeFocused()
  await keyboard.type('abc-1234')
  await expect(page.getByRole('option', { name: /OS 000202/ })).toHaveAttribute('aria-selected', 'true')
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'OS 000202' })).toBeVisible()

  await keyboard.press('g')
  await keyboard.press('l')
  await expect(rows(page).first()).toBeVisible()
  await keyboard.press('j')
  await keyboard.press('Space')
  await expect(page.getByRole('complementary', { name: 'Espiada da OS 000203' })).toBeVisible()
  await keyboard.press('j')
  await expect(page.getByRole('complementary', { name: 'Espiada da OS 000202' })).toContainText('O que falta')
  await expect(rowOf(page, '000202')).toBeFocused()
  await keyboard.press('e')
  await typeInto(page, page.getByLabel('Descrição do problema'), 'Ruído na suspensão dianteira')
  await keyboard.press('Control+s')
  await expect(notice(page, 'OS atualizada com sucesso!')).toBeVisible()
  await expect(page.getByText('Ruído na suspensão dianteira')).toBeVisible()

  await keyboard.press('s')
  await arrowTo(page, page.getByRole('menuitem', { name: /^Colocar em análise/ }))
  await keyboard.press('Enter')
  await expect(notice(page, 'Status atualizado com sucesso')).toBeVisible()

  await keyboard.press('Alt+2')
  await expect(page.getByRole('button', { name: 'Upload' })).toBeVisible()
  await keyboard.press('u')
  await expect(page.getByRole('dialog')).toBeVisible()
  await chooseIn(page, page.getByRole('dialog').getByLabel('Categoria', { exact: true }), 'Defeito Reportado')
  const choosing = page.waitForEvent('filechooser')
  await tabToAndPress(page, page.getByRole('dialog').getByRole('button', { name: /^Escolher/ }))
  await (await choosing).setFiles(await photo(await temporary(), { width: 1600, height: 1200 }))
  await expect(page.getByRole('dialog').getByText(/\.jpg/).first()).toBeVisible()
  await keyboard.press('Control+Enter')
  await expect(notice(page, 'Evidências enviadas com sucesso')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await keyboard.press('c')
  await expect(notice(page, 'Conversão em lote iniciada')).toBeVisible()
  await expect(page.getByText('Pronto', { exact: true })).toBeVisible({ timeout: 60_000 })
  const arriving = page.waitForEvent('download')
  await keyboard.press('d')
  expect((await arriving).suggestedFilename()).toBe(`os_${id}_evidencias.zip`)
  await expect(notice(page, 'Download concluído')).toBeVisible()

  await keyboard.press('g')
  await keyboard.press('l')
  await expect(rows(page).first()).toBeVisible()
  await keyboard.press('n')
  const form = page.getByRole('dialog')
  await typeInto(page, form.getByLabel('Número da OS'), '000204')
  await chooseIn(page, form.getByLabel('Marca'), 'Honda')
  await expect(form.getByLabel('Empresa').locator('option')).not.toHaveCount(1)
  await chooseIn(page, form.getByLabel('Empresa'), 'Concessionária Exemplo')
  await typeInto(page, form.getByLabel('Descrição do problema'), 'Ar-condicionado não gela')
  await tabToAndPress(page, form.getByRole('button', { name: 'Próximo' }))
  await typeInto(page, form.getByLabel('Nome'), 'José da Silva')
  await typeInto(page, form.getByLabel('Telefone'), '11987654321')
  await typeInto(page, form.getByLabel('Modelo'), 'Fit')
  await keyboard.press('Control+Enter')
  await expect(notice(page, 'OS criada com sucesso!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'OS 000204' })).toBeVisible()

  await keyboard.press('Control+k')
  await keyboard.type('>log out')
  await expect(page.getByRole('option', { name: /Log out/ })).toHaveAttribute('aria-selected', 'true')
  await keyboard.press('Enter')
  await expect(loginField(page)).toBeVisible()
  expect(await storedToken(page)).toBeNull()
  expect(pointers).toEqual([])
})
