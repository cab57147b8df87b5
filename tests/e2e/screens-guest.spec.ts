import { expect, type Page, test } from '@playwright/test'
import { photo } from '../support/media.ts'
import { createOrderFixture, type OrderFixture } from './order-fixture.ts'
import { notice, openSignedIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { collectPageErrors, screenHelpers } from './screens-fixture.ts'
import { newPhonePage } from './touch.ts'
import { temporary } from './ui-steps.ts'

let product: Product
let fixture: OrderFixture
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
})

const addressIn = (page: Page) => page.getByLabel('Endereço do link').inputValue()

test('a clerk makes a link by keyboard, a mechanic sends a photo by it in four presses, and it is revoked', async ({
  page,
  browser,
}) => {
  const complaints = collectPageErrors(page)
  const { id } = await fixture.order({
    os_number: '000901',
    vehicle_plate: 'ABC1D23',
    customer_name: 'Lia Segredo',
  })
  const { audit } = screenHelpers(page, product)
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${id}?tab=evidencias`)
  await expect(page.getByRole('button', { name: 'Links para fotos' })).toBeVisible()
  await page.keyboard.press('l')
  const dialog = page.getByRole('dialog', { name: 'Links para fotos da OS 000901' })
  await expect(dialog.getByLabel('Para quem')).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByLabel('Para quem')).toHaveAccessibleDescription(/Diga para quem é o link/)
  await audit('links-para-fotos')
  await dialog.getByLabel('Para quem').fill('Mecânico João')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('ele não será mostrado de novo.')).toBeVisible()
  await expect(dialog.getByRole('img', { name: 'Código QR do link para Mecânico João' })).toBeVisible()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Mecânico João' })).toContainText(
    '0 arquivos de 30',
  )
  await audit('links-para-fotos-novo')
  const address = await addressIn(page)

  const phone = await newPhonePage(browser)
  const onPhone = screenHelpers(phone, product)
  const troubles = collectPageErrors(phone)
  // Scanning the code is the first press; the camera is asked for by the second and confirmed by two more.
  await phone.goto(address)
  await expect(phone.getByText('ABC1D23')).toBeVisible()
  await expect(phone.getByText('Lia Segredo')).toHaveCount(0)
  const dir = await temporary()
  const shot = await photo(dir, { name: 'painel', width: 1200, height: 900 })
  const chooser = phone.waitForEvent('filechooser')
  await phone.getByRole('button', { name: 'Fotografar: Odômetro' }).tap()
  await (await chooser).setFiles(shot)
  const shots = phone.getByRole('region', { name: 'Odômetro' })
  await expect(shots.getByText('1 enviado')).toBeVisible()
  await expect(shots.getByRole('img', { name: 'painel.jpg' })).toBeVisible()
  await expect(phone.getByText('Restam 29 arquivos')).toBeVisible()
  await onPhone.audit('fotos-por-link')

  await page.keyboard.press('Escape')
  await page
    .getByRole('article', { name: 'painel.jpg' })
    .getByRole('button', { name: /^Abrir|^Ver/ })
    .first()
    .click()
  await expect(page.getByText('Pelo link de')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('l')
  await dialog.getByRole('button', { name: 'Revogar: Mecânico João' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revogar' }).click()
  await expect(notice(page, 'Link revogado', 'Mecânico João')).toBeVisible()
  await expect(dialog.getByText('Revogado')).toBeVisible()

  const again = phone.waitForEvent('filechooser')
  await phone.getByRole('button', { name: 'Fotografar: Odômetro' }).tap()
  await (await again).setFiles(await photo(dir, { name: 'outra', width: 800, height: 600 }))
  await expect(shots.getByText('Este link foi revogado. Peça outro a quem o enviou.')).toBeVisible()
  await phone.reload()
  await expect(phone.getByText('Este link foi revogado. Peça outro a quem o enviou.')).toBeVisible()
  await onPhone.audit('fotos-por-link-revogado')
  await onPhone.open('/fotos')
  await expect(
    phone.getByText('Link desconhecido. Confira o endereço ou peça outro a quem o enviou.'),
  ).toBeVisible()
  await onPhone.audit('fotos-por-link-desconhecido')
  expect(complaints()).toEqual([])
  expect(troubles('Failed to load resource')).toEqual([])
  await phone.context().close()
})

test('photos by a link go on after the line was away, and what is refused says why', async ({
  page,
  browser,
}) => {
  const { id } = await fixture.order({ os_number: '000902' })
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${id}?tab=evidencias`)
  await page.getByRole('button', { name: 'Links para fotos' }).click()
  await page.getByLabel('Para quem').fill('Cliente')
  await page.getByRole('button', { name: 'Criar link' }).click()
  const phone = await newPhonePage(browser)
  await phone.goto(await addressIn(page))
  const shots = phone.getByRole('region', { name: 'Odômetro' })
  const choose = async (path: string) => {
    const chooser = phone.waitForEvent('filechooser')
    await shots.getByRole('button', { name: /^Da galeria/ }).tap()
    await (await chooser).setFiles(path)
  }
  const dir = await temporary()
  const shot = await photo(dir, { name: 'longe', width: 1200, height: 900 })
  // The page's scripts are here before the line goes.
  await choose(await photo(dir, { name: 'perto', width: 640, height: 480 }))
  await expect(shots.getByText('1 enviado')).toBeVisible()
  await phone.context().setOffline(true)
  await choose(shot)
  await expect(shots.getByText('Sem conexão: continua de onde parou quando ela voltar.')).toBeVisible()
  await phone.context().setOffline(false)
  await expect(shots.getByText('2 enviados')).toBeVisible()
  await choose(shot)
  await expect(shots.getByText('Este arquivo já tinha chegado.')).toBeVisible()
  await phone.context().close()
})
