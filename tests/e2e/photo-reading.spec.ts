import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import { expect, type Page, test } from '@playwright/test'
import { drawPhotos, labelPhoto, platePhoto } from '../support/plates.ts'
import {
  button,
  COMPLETE_ORDER,
  confirmDialog,
  createOrderFixture,
  field,
  type OrderFixture,
  tab,
} from './order-fixture.ts'
import { notice, openSignedIn, tabToAndPress } from './page-helpers.ts'
import { camera, onPhone, taken, videoOf } from './phone-camera.ts'
import { type OwnProduct, startProduct } from './product.ts'
import { temporary } from './ui-steps.ts'
import { auditAllViewports } from './visual-audit.ts'

let product: OwnProduct
let fixture: OrderFixture
test.beforeAll(async () => {
  product = await startProduct({ PHOTO_READING: 'true' })
  fixture = await createOrderFixture(product)
  await fixture.patch(`/brands/${fixture.brand('Honda')}`, {
    required_categories: [
      { category: 'placa', min: 1 },
      { category: 'odometro', min: 1 },
    ],
  })
})
test.afterAll(() => product.stop())

const viewer = (page: Page) => page.locator('.viewer')

async function openPage(page: Page, path: string, heading: string) {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}${path}`)
  await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
}

test('a new order begins with its photos, and they go to it with their categories (NEW-1)', async ({
  page,
}) => {
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
  const torn = join(dir, `${'um nome muito comprido '.repeat(4)}.heic`)
  await writeFile(torn, 'nada')
  await photos.locator('input[type=file]').setInputFiles(torn)
  await expect(row('um nome muito comprido')).toContainText('Este navegador não abre esse formato.')
  await expect(photos.getByRole('status')).toContainText(
    '3 fotos escolhidas: vão para a OS quando ela for criada. 1 não foi lida.',
  )
  await button(page, 'Criar OS').click()
  await expect(page.getByText('Número da OS é obrigatório').first()).toBeVisible()
  await auditAllViewports(page, 'nova-os-erros')
  await row('um nome muito comprido').getByRole('button', { name: 'Remover' }).click()
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
  await auditAllViewports(page, 'nova-os-dialogo')
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

test('what is read in a photo is shown at once', async () => {
  const drawn = await drawPhotos(await temporary(), [platePhoto('BRA2E19')])
  await onPhone({ product, fixture }, '000802', await videoOf(drawn.get('BRA2E19') ?? ''), async (page) => {
    await camera(page).getByRole('button', { name: 'Fotografar: Placa do Veículo' }).tap()
    await expect(taken(page)).toContainText('BRA2E19 confere', { timeout: 90_000 })
  })
})

/** As another program sends one; its fields come before it. */
async function sendPhoto(order_id: number, path: string, name: string, category?: EvidenceCategory) {
  const body = new FormData()
  if (category) body.append('category', category)
  body.append('files', new Blob([await readFile(path)], { type: 'image/jpeg' }), `${name}.jpg`)
  const answer = await fetch(`${product.url}/api/v1/evidence/${order_id}/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.token}` },
    body,
  })
  expect(answer.ok).toBe(true)
}

test('a photo without a category gets the one that its text tells, by a press or by a key', async ({
  page,
}) => {
  const dir = await temporary()
  const { id } = await fixture.order({ os_number: '000504', ...COMPLETE_ORDER, vehicle_plate: 'BRA2E19' })
  const drawn = await drawPhotos(dir, [platePhoto('BRA2E19'), platePhoto('KLM1A02')])
  for (const [plate, path] of drawn) await sendPhoto(id, path, plate)
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${id}?tab=evidencias`)
  const card = (plate: string) => page.getByRole('article', { name: `${plate}.jpg` })
  const suggestion = (plate: string) =>
    card(plate).getByRole('button', {
      name: `Usar a categoria Placa do Veículo: a foto parece mostrar ${plate}`,
    })
  for (const plate of drawn.keys()) await expect(suggestion(plate)).toBeVisible({ timeout: 90_000 })
  await auditAllViewports(page, 'categoria-sugerida')
  await suggestion('KLM1A02').press('Enter')
  await expect(card('KLM1A02')).toBeFocused()
  await expect(card('KLM1A02').getByText('Placa do Veículo', { exact: true })).toBeVisible()
  await card('BRA2E19').focus()
  await page.keyboard.press('Enter')
  await expect(viewer(page).getByText('A foto parece mostrar BRA2E19.')).toBeVisible()
  await auditAllViewports(page, 'visualizador-sugestao')
  await viewer(page).getByRole('button', { name: 'Fechar' }).click()
  await card('BRA2E19').focus()
  await page.keyboard.press('Enter')
  await expect(viewer(page)).toBeVisible()
  await page.keyboard.press('y')
  await page.keyboard.press('Escape')
  await expect(card('BRA2E19').getByText('Confere')).toBeVisible({ timeout: 60_000 })
  await expect(card('KLM1A02').getByText('Verifique')).toBeVisible({ timeout: 60_000 })
})

test('what a photo shows is said beside the order, and one press mends it', async ({ page }) => {
  const dir = await temporary()
  const [path = '', other = ''] = (
    await drawPhotos(dir, [platePhoto('BRA2E19'), labelPhoto('48.250 km')])
  ).values()
  const { id } = await fixture.order({
    os_number: '000503',
    ...COMPLETE_ORDER,
    vehicle_plate: 'BRA2E18',
    vehicle_mileage: null,
  })
  await sendPhoto(id, path, 'placa', 'placa')
  await sendPhoto(id, other, 'odometro', 'odometro')
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${id}?tab=evidencias`)
  const checklist = page.getByRole('region', { name: 'Exigido por Honda' })
  const wrong = 'A foto parece mostrar BRA2E19; a OS diz BRA2E18. Verifique.'
  const empty = 'A foto parece mostrar a quilometragem 48.250 km, que falta na OS.'
  await expect(checklist.getByText(wrong)).toBeVisible({ timeout: 60_000 })
  await expect(checklist.getByText(empty)).toBeVisible({ timeout: 60_000 })
  const card = page.getByRole('article', { name: 'placa.jpg' })
  await expect(card.getByText('Verifique')).toBeVisible()

  // The form offers it beside the fields, and saves nothing by itself.
  await page.goto(`${product.url}/os/${id}/edit`)
  await button(page, 'Usar 48.250').click()
  await expect(field(page, 'Quilometragem')).toHaveValue('48.250')
  await button(page, 'Usar BRA2E19').click()
  await expect(field(page, 'Placa')).toHaveValue('BRA2E19')
  await page.goto(`${product.url}/os/${id}?tab=evidencias`)

  await button(page, 'Ver placa.jpg').click()
  const reading = viewer(page).getByRole('region', { name: 'Leitura automática' })
  await expect(reading.getByText(wrong)).toBeVisible()
  await expect(reading.getByRole('img', { name: 'Parte da foto em que o texto foi lido' })).toBeVisible()
  await expect(reading.getByRole('button', { name: 'Enviar outra foto' })).toBeVisible()
  await auditAllViewports(page, 'visualizador-leitura')
  await reading.getByRole('button', { name: 'Corrigir a OS' }).click()
  await expect(reading.getByText('BRA2E19. Confere com a OS.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(card.getByText('Confere')).toBeVisible()
  await expect(checklist.getByText('Leitura automática: BRA2E19. Confere com a OS.')).toBeVisible()

  await button(page, 'Ver odometro.jpg').click()
  await tabToAndPress(page, reading.getByRole('button', { name: 'Preencher na OS' }))
  await expect(reading.getByText('48.250 km.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(checklist.getByText(empty)).toHaveCount(0)
  expect(await fixture.get(`/service-orders/${id}`)).toMatchObject({
    vehicle_plate: 'BRA2E19',
    vehicle_mileage: 48_250,
  })
})
