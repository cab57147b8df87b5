import { expect, type Page, test } from '@playwright/test'
import { pdf, photo, video } from '../support/media.ts'
import {
  button,
  COMPLETE_ORDER,
  confirmDialog,
  createOrderFixture,
  dialog,
  type OrderFixture,
  tina,
} from './order-fixture.ts'
import { notice, openSignedIn, tabTo } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { expectPrimaryButtonReachable, newPhonePage, smallTargets, swipeLeft } from './touch.ts'
import { temporary } from './ui-steps.ts'

let product: Product
let fixture: OrderFixture
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
  await fixture.patch(`/brands/${fixture.brand('Honda')}`, {
    version: 1,
    required_categories: [
      { category: 'defeito', min: 1 },
      { category: 'odometro', min: 1 },
    ],
  })
})

const viewer = (page: Page) => page.locator('.viewer')
const shown = (page: Page) => viewer(page).locator('.yarl__slide_current')
const ready = (page: Page, count: number) =>
  expect(page.locator('.evidence-card').getByText('Pronto', { exact: true })).toHaveCount(count, {
    timeout: 120_000,
  })

test('by keyboard alone: upload, categorise, view, rotate, convert, compare, delete, validate, download (EVI-3, EVI-8, EVI-12, EVI-15 to EVI-25, CON-14)', async ({
  page,
}) => {
  const dir = await temporary()
  const files = [
    await photo(dir, {
      name: 'um',
      width: 1600,
      height: 1200,
      noise: 90,
      gps: true,
      taken: '2026:11:20 10:00:00',
    }),
    await photo(dir, { name: 'dois', width: 1500, height: 1100, noise: 120 }),
    await video(dir, { name: 'rodagem', seconds: 4 }),
    await pdf(dir),
  ]
  const { id } = await fixture.order({ os_number: '000501', ...COMPLETE_ORDER })
  // Chromium sends a key before the listener for file choosers is attached: attach one from the start.
  page.on('filechooser', () => null)
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${id}`)
  await expect(page.getByRole('heading', { name: 'OS 000501' })).toBeVisible()
  const press = (...keys: string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve())

  // Files are uploaded in parallel, so their order is undefined.
  const cardTo = async (name: string) => {
    await tabTo(page, page.locator('.evidence-card[tabindex="0"]'))
    await press('Home')
    const card = page.getByRole('article', { name })
    for (let stop = 0; stop < 4; stop++) {
      if (await card.evaluate((element) => element === document.activeElement)) return
      await press('ArrowRight')
    }
    await expect(card).toBeFocused()
  }
  const goToFile = async (name: string) => {
    const place = viewer(page).getByRole('status')
    const title = viewer(page).getByRole('heading', { name })
    await press('Home')
    await expect(place).toContainText(/^1 de /)
    for (let leaf = 2; leaf <= 4 && !(await title.isVisible()); leaf++) {
      await press('ArrowRight')
      await expect(place).toContainText(new RegExp(`^${leaf} de `))
    }
    await expect(title).toBeVisible()
  }

  await test.step('the tab, and the upload with its file chooser', async () => {
    await press('Alt+2')
    await expect(page.getByText('Nenhuma evidência enviada')).toBeVisible()
    await press('u')
    await expect(dialog(page).getByRole('button', { name: 'Escolher arquivos' })).toBeFocused()
    const chooser = page.waitForEvent('filechooser')
    await press('Enter')
    await (await chooser).setFiles(files)
    await expect(dialog(page).getByText('rodagem.mp4')).toBeVisible()
    await tabTo(page, dialog(page).getByRole('button', { name: 'Enviar', exact: true }))
    await press('Enter')
    await expect(page.locator('.evidence-card')).toHaveCount(4, { timeout: 60_000 })
    await expect(dialog(page)).toBeHidden()
  })

  await test.step('arrow keys move along the cards, a number key sets the category', async () => {
    await cardTo('um.jpg')
    await press('1')
    await expect(notice(page, 'Categoria alterada')).toContainText('um.jpg: Defeito Reportado')
  })

  await test.step('Enter opens the file; it is rotated, and the next one categorised', async () => {
    await press('Enter')
    await expect(dialog(page)).toHaveAccessibleName('um.jpg')
    await expect(viewer(page).getByRole('status')).toHaveText(/ de 4: um\.jpg, Pendente, Defeito Reportado$/)
    // Read in the background; the page hears of it.
    await expect
      .poll(async () => (await fixture.get(`/evidence/${(await fileNamed(id, 'um.jpg')).id}`)).has_location, {
        timeout: 60_000,
      })
      .toBe(true)
    await expect(viewer(page).getByText('Contém localização')).toBeVisible()
    await press('r')
    await expect(shown(page).locator('.viewer-picture')).toHaveAttribute('data-turn', '90')
    await expect.poll(async () => fileNamed(id, 'um.jpg')).toMatchObject({ rotation: 90 })
    await goToFile('dois.jpg')
    await press('9')
    await expect(viewer(page).getByRole('status')).toHaveText(/ de 4: dois\.jpg, Pendente, Odômetro$/)
    await expect(viewer(page).getByRole('button', { name: '9 Odômetro' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
  })

  await test.step('a video plays and seeks, a document shows its page count', async () => {
    const part = page.waitForResponse((answer) => answer.url().includes('/media/') && answer.status() === 206)
    await goToFile('rodagem.mp4')
    await expect(viewer(page).getByRole('status')).toContainText(' de 4: rodagem.mp4')
    expect((await part).headers()).toMatchObject({
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    })
    const videoElement = shown(page).locator('video')
    const time = await videoElement.evaluate(async (player: HTMLVideoElement) => {
      await player.play()
      player.pause()
      await new Promise((resolve) => {
        player.onseeked = resolve
        player.currentTime = 3
      })
      return [player.currentTime, player.duration]
    })
    expect(time).toEqual([3, expect.closeTo(4, 0)])
    await goToFile('laudo.pdf')
    await expect(shown(page)).toContainText(/PDF · \d+ páginas? · /)
    await press('Escape')
    await expect(page.getByRole('article', { name: /\.pdf$/ })).toBeFocused()
  })

  await test.step('all are converted; the rotated photo is compared with its original, and rotated back', async () => {
    await page.context().setOffline(true)
    await press('c')
    await expect(notice(page, 'Erro ao iniciar conversão')).toBeVisible()
    await page.context().setOffline(false)
    // While the page still handles the failed call, the key must not start a second one.
    await expect(button(page, 'Converter Todos')).toBeEnabled()
    await press('c')
    await expect(notice(page, 'Conversão em lote iniciada')).toBeVisible()
    await ready(page, 4)
    await cardTo('um.jpg')
    await press(' ')
    await expect(viewer(page).getByRole('heading', { name: 'um.jpg' })).toBeVisible()
    await press('o')
    await expect(shown(page).locator('figure')).toHaveText([/^Original · /, /^Convertido · /])
    const measures = () =>
      shown(page)
        .locator('img:not(.viewer-placeholder)')
        .evaluateAll((images) =>
          (images as HTMLImageElement[]).map(
            ({ naturalWidth, naturalHeight }) => naturalWidth > naturalHeight,
          ),
        )
    await expect.poll(measures).toEqual([true, false])
    await press('o', 'Shift+R')
    await expect(viewer(page).getByRole('status')).toHaveText(/ de 4: um\.jpg, Pronto, Defeito Reportado$/, {
      timeout: 60_000,
    })
    await expect.poll(measures).toEqual([true])
    // The turn is sent half a second later, and the copy is made anew: until then it is not complete.
    await expect.poll(async () => fileNamed(id, 'um.jpg')).toMatchObject({ rotation: 0, status: 'converted' })
  })

  await test.step('Del asks for confirmation every time, the next file gets the focus and its shortcuts; ? lists them', async () => {
    const place = viewer(page).getByRole('status')
    const remove = async (name: string) => {
      await goToFile(name)
      await press('Delete')
      await expect(confirmDialog(page).getByRole('button', { name: 'Cancelar' })).toBeFocused()
      await press('Tab', 'Enter')
      await expect(place).toContainText(' de 3: ')
      await expect(confirmDialog(page)).toHaveCount(0)
    }
    await remove('laudo.pdf')
    await press('Control+z')
    await expect(notice(page, 'Arquivo restaurado')).toContainText('laudo.pdf')
    await expect(place).toContainText(' de 4: ')
    await remove('laudo.pdf')
    await press('Home')
    await expect(place).toContainText(/^1 de 3: /)
    await press('Escape')
    await expect(page.locator('.evidence-card:focus')).toHaveCount(1)
    await press('?')
    const sheet = page.getByRole('dialog', { name: 'Atalhos de teclado' })
    for (const [part, line] of [
      ['No arquivo', 'Girar à esquerda'],
      ['No visualizador', 'Comparar original e convertido'],
    ] as const)
      await expect(sheet.getByRole('region', { name: new RegExp(`^${part}`) })).toContainText(line)
    await press('Escape')
    await expect(page.locator('.evidence-card:focus')).toHaveCount(1)
  })

  await test.step('nothing is missing, and the package is downloaded', async () => {
    await tabTo(page, button(page, 'Validar'), 'Shift+Tab')
    await press('Enter')
    await expect(notice(page, 'Evidências validadas com sucesso')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Exigido por Honda' })).toContainText('2 de 2')
    await page.context().setOffline(true)
    await press('d')
    await expect(notice(page, 'Erro ao baixar')).toBeVisible()
    await page.context().setOffline(false)
    await expect(button(page, 'Baixar Evidências (ZIP)')).toBeEnabled()
    const download = page.waitForEvent('download')
    await press('d')
    expect((await download).suggestedFilename()).toBe(`os_${id}_evidencias.zip`)
    await expect(notice(page, 'Download concluído')).toBeVisible()
  })

  await test.step('a deletion that failed says so', async () => {
    await cardTo('rodagem.mp4')
    await page.context().setOffline(true)
    await press('Delete')
    await expect(confirmDialog(page)).toBeVisible()
    await press('Tab', 'Enter')
    await expect(notice(page, 'Erro ao excluir')).toBeVisible()
    await page.context().setOffline(false)
    await expect(page.locator('.evidence-card')).toHaveCount(3)
  })
})

test('a technician on a phone: photograph what is missing, convert, view, download (EVI-2, EVI-4, UPL-3)', async ({
  browser,
}) => {
  const dir = await temporary()
  const { id } = await fixture.order({
    os_number: '000502',
    ...COMPLETE_ORDER,
    technician_user_id: fixture.tina.id,
  })
  const page = await newPhonePage(browser)
  await openSignedIn(page, product, tina)
  await page.goto(`${product.url}/os/${id}?tab=evidencias`)
  const photograph = async (label: string, name: string, noise: number) => {
    const next = button(page, `Fotografar ${label}`).last()
    await expectPrimaryButtonReachable(page, 'Fotografar o que falta')
    const chooser = page.waitForEvent('filechooser')
    await next.tap()
    await (await chooser).setFiles(await photo(dir, { name, width: 1200, height: 1600, noise }))
    await dialog(page).getByRole('button', { name: 'Enviar', exact: true }).tap()
    await expect(dialog(page)).toBeHidden({ timeout: 30_000 })
    await expect(page.getByRole('article', { name: `${name}.jpg` })).toContainText(label)
  }

  await test.step('each missing category opens the camera', async () => {
    await photograph('Defeito Reportado', 'peca', 90)
    await photograph('Odômetro', 'painel', 140)
    await expect(page.getByRole('region', { name: 'Exigido por Honda' })).toContainText('2 de 2')
  })

  await test.step('then it converts', async () => {
    await expectPrimaryButtonReachable(page, 'Converter Todos')
    await button(page, 'Converter Todos').tap()
    await ready(page, 2)
  })

  await test.step('a photo is viewed, swiped away and moved to another category', async () => {
    await button(page, 'Ver peca.jpg').tap()
    await expect(viewer(page).getByRole('status')).toContainText('1 de 2: peca.jpg')
    await swipeLeft(viewer(page).locator('.viewer-stage'))
    await expect(viewer(page).getByRole('status')).toContainText('2 de 2: painel.jpg')
    await button(page, 'Informações').tap()
    await expect(viewer(page).getByRole('complementary')).toBeVisible()
    // No key is named where there is only a finger (D-88).
    await expect(page.locator('kbd, [aria-keyshortcuts]')).toHaveCount(0)
    expect(await smallTargets(page, '.viewer')).toEqual([])
    await viewer(page).getByRole('button', { name: 'Placa do Veículo' }).tap()
    await expect(viewer(page).getByRole('status')).toContainText('Placa do Veículo')
    await viewer(page).getByRole('button', { name: 'Fechar' }).tap()
    await expectPrimaryButtonReachable(page, 'Fotografar o que falta')
  })

  await test.step('«Desfazer» fills the slot again, and the package is shared', async () => {
    await notice(page, 'Categoria alterada').getByRole('button', { name: 'Desfazer' }).tap()
    await expectPrimaryButtonReachable(page, 'Baixar Evidências (ZIP)')
    expect(await smallTargets(page, '.evidence')).toEqual([])
    const download = page.waitForEvent('download')
    await button(page, 'Baixar Evidências (ZIP)').tap()
    expect((await download).suggestedFilename()).toBe(`os_${id}_evidencias.zip`)
  })
  await page.context().close()
})

async function fileNamed(order_id: number, name: string) {
  const { evidence_files } = await fixture.get(`/evidence/${order_id}/evidence`)
  return evidence_files.find((file: { original_filename: string }) => file.original_filename === name)
}
