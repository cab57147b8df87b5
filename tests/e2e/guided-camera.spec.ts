import { join } from 'node:path'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { photo } from '../support/media.ts'
import { button, COMPLETE_ORDER, createOrderFixture, type OrderFixture } from './order-fixture.ts'
import { openSignedIn, tabToAndPress } from './page-helpers.ts'
import { camera, onPhone, taken, videoOf } from './phone-camera.ts'
import { openProduct, type Product } from './product.ts'
import { expectPrimaryButtonReachable, smallTargets } from './touch.ts'
import { temporary } from './ui-steps.ts'
import { auditAllViewports } from './visual-audit.ts'

let product: Product
let fixture: OrderFixture
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
  await fixture.patch(`/brands/${fixture.brand('Honda')}`, {
    required_categories: [
      { category: 'placa', min: 1 },
      { category: 'defeito', min: 2 },
      { category: 'odometro', min: 1 },
    ],
  })
})

const now = (page: Page) => camera(page).getByRole('heading', { level: 3 })
const slot = (page: Page, name: string) =>
  camera(page).getByRole('list', { name: 'Categorias da marca' }).getByRole('button', { name })

const filesOf = async (id: number): Promise<EvidenceFile[]> =>
  (await fixture.get(`/evidence/${id}/evidence`)).evidence_files
const categories = async (id: number) =>
  (await filesOf(id)).map(({ evidence_category }) => evidence_category).sort()

test('on a phone the camera walks what the brand asks for; each photo is sent with its category, and can be taken again', async () => {
  await onPhone({ product, fixture }, '000801', null, async (page, id) => {
    // Whether the fake device's picture is sharp depends on its moment.
    const use = camera(page).getByRole('button', { name: 'Usar assim mesmo' })
    await page.addLocatorHandler(use, () => use.tap())
    const shoot = async (label: string, next: string) => {
      await camera(page)
        .getByRole('button', { name: `Fotografar: ${label}` })
        .tap()
      await expect(now(page)).toHaveText(next, { timeout: 60_000 })
    }
    await expect(now(page)).toHaveText('Placa do Veículo')
    await expect(camera(page).getByText('De frente, com a placa inteira na moldura')).toBeVisible()
    await expect(camera(page).getByRole('button', { name: 'Fotografar: Placa do Veículo' })).toBeEnabled()
    await auditAllViewports(page, 'fotografar')
    await page.setViewportSize({ width: 390, height: 844 })
    await shoot('Placa do Veículo', 'Defeito Reportado')
    await expect(camera(page).getByRole('status').first()).toHaveText(
      'Placa do Veículo: 1 arquivo em envio. Agora: Defeito Reportado.',
    )
    await shoot('Defeito Reportado', 'Defeito Reportado')
    await expect(slot(page, 'Defeito Reportado')).toContainText('1 de 2', { timeout: 60_000 })
    await camera(page).getByRole('button', { name: 'Pular' }).tap()
    await expect(now(page)).toHaveText('Odômetro')
    await shoot('Odômetro', 'Defeito Reportado')
    await shoot('Defeito Reportado', 'Defeito Reportado')
    await expect(camera(page).getByText('Tudo o que a marca exige está fotografado.')).toBeVisible({
      timeout: 60_000,
    })
    await expect(taken(page)).toHaveCount(4)
    await expect(taken(page).filter({ hasText: 'Enviando' })).toHaveCount(0)
    expect(await categories(id)).toEqual(['defeito', 'defeito', 'odometro', 'placa'])
    const [first] = await filesOf(id)
    expect(await fixture.get(`/evidence/${first?.id}`)).toMatchObject({
      original_filename: expect.stringMatching(/^placa_\d{8}_\d{6}_\d{3}\.jpg$/),
      app_capture: { captured_at: expect.any(String), nonce_issued_at: expect.any(String) },
    })

    await auditAllViewports(page, 'fotografadas')
    await page.setViewportSize({ width: 390, height: 844 })
    await camera(page).getByRole('button', { name: 'Refazer Odômetro' }).tap()
    await expect(now(page)).toHaveText('Odômetro')
    await expect(slot(page, 'Odômetro')).toContainText('0 de 1')
    await expect(taken(page)).toHaveCount(3)
    await shoot('Odômetro', 'Odômetro')
    await expect(slot(page, 'Odômetro')).toContainText('1 de 1', { timeout: 60_000 })
    await expect(taken(page).filter({ hasText: 'Enviando' })).toHaveCount(0)
    expect(await categories(id)).toEqual(['defeito', 'defeito', 'odometro', 'placa'])
    expect(await smallTargets(page, '.camera')).toEqual([])
    await camera(page).getByRole('button', { name: 'Ver evidências' }).tap()
    await expect(camera(page)).toBeHidden()
    await expect(page.locator('.evidence-card')).toHaveCount(4)
    await expectPrimaryButtonReachable(page, 'Converter Todos')
  })
})

test('a blurred photo is sent only when the person says so', async () => {
  const dir = await temporary()
  const path = join(dir, 'desfocada.jpg')
  await sharp(await photo(dir, { name: 'nitida', width: 1280, height: 960 }))
    .blur(20)
    .toFile(path)
  await onPhone({ product, fixture }, '000803', await videoOf(path), async (page, id) => {
    const shutter = camera(page).getByRole('button', { name: 'Fotografar: Placa do Veículo' })
    await shutter.tap()
    await expect(camera(page).getByText('A foto parece desfocada.', { exact: true })).toBeVisible({
      timeout: 60_000,
    })
    const again = camera(page).getByRole('button', { name: 'Fotografar de novo' })
    await expect(again).toBeFocused()
    await auditAllViewports(page, 'fotografar-desfocada')
    await page.setViewportSize({ width: 390, height: 844 })
    await again.tap()
    await expect(shutter).toBeFocused()
    await expect(taken(page)).toHaveCount(0)
    await shutter.tap()
    await camera(page).getByRole('button', { name: 'Usar assim mesmo' }).tap({ timeout: 60_000 })
    await expect(now(page)).toHaveText('Defeito Reportado')
    await expect.poll(() => categories(id)).toEqual(['placa'])
  })
})

test('without a camera the same walk goes by the file chooser, by keyboard alone', async ({ page }) => {
  const { id } = await fixture.order({ os_number: '000804', ...COMPLETE_ORDER })
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${id}?tab=evidencias`)
  await tabToAndPress(page, button(page, 'Fotografar o que falta'))
  await expect(camera(page).getByRole('alert')).toContainText('Escolha os arquivos de cada categoria.')
  // Asked for with each wait alone, choosers would not be watched yet when the key is pressed.
  page.on('filechooser', () => {})
  const choose = async (label: string, ...names: string[]) => {
    const chooserButton = camera(page).getByRole('button', { name: `Escolher arquivo: ${label}` })
    await expect(chooserButton).toBeFocused()
    const chooser = page.waitForEvent('filechooser')
    await page.keyboard.press('Enter')
    // Each in its own folder: the previous one may still be read for its upload.
    const paths = names.map(async (name, index) => photo(await temporary(), { name, width: 800 + index }))
    await (await chooser).setFiles(await Promise.all(paths))
  }
  await auditAllViewports(page, 'fotografar-sem-camera')
  await choose('Placa do Veículo', 'image')
  await choose('Defeito Reportado', 'um', 'dois')
  // Of the same name, as phones call each photo.
  await choose('Odômetro', 'image')
  await expect(camera(page).getByText('Tudo o que a marca exige está fotografado.')).toBeVisible()
  await expect.poll(() => categories(id)).toEqual(['defeito', 'defeito', 'odometro', 'placa'])
  await page.keyboard.press('Escape')
  await expect(camera(page)).toBeHidden()
})
