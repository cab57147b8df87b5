import { expect, type Page, test } from '@playwright/test'
import { drawPhotos, labelPhoto, platePhoto } from '../support/plates.ts'
import { button, confirmDialog, createOrderFixture, field, type OrderFixture, tab } from './order-fixture.ts'
import { notice, openSignedIn, tabToAndPress } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { temporary } from './ui-steps.ts'

let product: Product
let fixture: OrderFixture
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
})

async function openPage(page: Page, path: string, heading: string) {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}${path}`)
  await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
}

test('a new order begins with its photos, and they go to it with their categories', async ({ page }) => {
  const dir = await temporary()
  const drawn = await drawPhotos(dir, [platePhoto('BRA2E19'), labelPhoto('48.250 km')])
  await openPage(page, '/nova-os', 'Nova OS')
  const photos = page.getByRole('region', { name: 'Fotos do veículo' })
  await photos.locator('input[type=file]').setInputFiles([...drawn.values()])
  const row = (name: string) => photos.getByRole('listitem').filter({ hasText: name })
  await expect(photos.getByRole('status')).toHaveText(
    '2 fotos escolhidas: vão para a OS quando ela for criada. Lido: placa BRA2E19. Lido: quilometragem 48.250.',
    { timeout: 60_000 },
  )
  await expect(row('48-250-km.jpg')).toContainText('48.250 km')
  // A file that no browser opens is sent all the same.
  const empty = { name: 'vazia.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('nada') }
  await photos.locator('input[type=file]').setInputFiles([empty])
  await expect(row('vazia.jpg')).toContainText('Este navegador não abre esse formato.')
  await expect(photos.getByRole('status')).toContainText(
    '3 fotos escolhidas: vão para a OS quando ela for criada. 1 não foi lida.',
  )
  await row('vazia.jpg').getByRole('button', { name: 'Remover' }).click()
  await expect(photos.getByRole('button', { name: 'Mais fotos' })).toBeFocused()

  // Nothing but photos: leaving asks, as with anything typed.
  await button(page, 'Cancelar').click()
  await expect(confirmDialog(page)).toContainText('Descartar alterações?')
  await confirmDialog(page).getByRole('button', { name: 'Continuar editando' }).click()
  await photos.getByRole('button', { name: 'Usar tudo' }).click()
  await expect(field(page, 'Placa')).toHaveValue('BRA2E19')
  await expect(field(page, 'Placa')).toBeFocused()
  await expect(field(page, 'Quilometragem')).toHaveValue('48.250')
  await expect(photos.getByRole('button', { name: /^Usar/ })).toHaveCount(0)
  await field(page, 'Número da OS').fill('000205')
  await field(page, 'Marca').selectOption({ label: 'Honda' })
  await field(page, 'Empresa').selectOption({ label: fixture.matriz })
  await button(page, 'Criar OS').click()
  await expect(notice(page, 'OS criada com sucesso!')).toBeVisible()
  const upload = page.getByRole('dialog', { name: 'Enviar evidências da OS 000205' })
  await expect(upload.getByLabel('Categoria de BRA2E19.jpg').locator('option:checked')).toHaveText(
    /Placa do Veículo/,
  )
  await expect(upload.getByRole('listitem')).toHaveCount(2)
  await upload.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(upload).toBeHidden()
  await page.getByRole('tab', { name: /Evidências/ }).click()
  await expect(page.getByRole('article', { name: 'BRA2E19.jpg' })).toContainText('Confere', {
    timeout: 60_000,
  })
})

test('chosen photos go from the window to the page, and no further than their form', async ({ page }) => {
  const [photo = ''] = (await drawPhotos(await temporary(), [platePhoto('BRA2E19')])).values()
  await openPage(page, '/lista-os', 'Ordens de Serviço')
  await button(page, 'Nova OS').first().click()
  await expect(field(page, 'Número da OS')).toBeFocused()
  const photos = page.getByRole('region', { name: 'Fotos do veículo' })
  await photos.locator('input[type=file]').setInputFiles(photo)
  const use = photos.getByRole('button', { name: 'Usar placa BRA2E19' })
  await expect(use).toBeVisible({ timeout: 60_000 })
  await tabToAndPress(page, use)
  await expect(tab(page, 'Cliente e Veículo')).toHaveAttribute('aria-selected', 'true')
  await expect(field(page, 'Placa')).toBeFocused()
  await tabToAndPress(page, button(page, 'Abrir em página'))
  await expect(page).toHaveURL(/\/nova-os$/)
  await expect(photos.getByRole('listitem')).toHaveText(/BRA2E19/)
  await expect(field(page, 'Placa')).toHaveValue('BRA2E19')
  await button(page, 'Cancelar').click()
  await confirmDialog(page).getByRole('button', { name: 'Descartar' }).click()
  await expect(page).toHaveURL(/\/lista-os$/)
  await button(page, 'Nova OS').first().click()
  await expect(photos.getByRole('button', { name: 'Começar pelas fotos' })).toBeVisible()
  await expect(photos.getByRole('listitem')).toHaveCount(0)
})
