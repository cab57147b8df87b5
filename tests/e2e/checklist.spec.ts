import { readFile } from 'node:fs/promises'
import { expect, type Locator, test } from '@playwright/test'
import { photo } from '../support/media.ts'
import { expectFieldError, notice } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { initialiseBrands, openOrder, signIn, temporary } from './ui-steps.ts'

let product: Product
test.beforeAll(async () => {
  product = await openProduct()
})

test('an administrator edits the rules of a brand, and its checklist guides a clerk through the order (D-33, BRD-5, BRD-7, EVI-25, EVI-26, D-23)', async ({
  page,
  browser,
}) => {
  const dir = await temporary()
  const [sharp, other] = [
    await photo(dir, { name: 'painel', width: 1600, height: 1200, noise: 120 }),
    await photo(dir, { name: 'defeito', width: 1800, height: 1200, noise: 90 }),
  ]
  await signIn(page, product)
  await initialiseBrands(page)

  await test.step('the drawer shows the example name while the template is typed', async () => {
    await page.getByRole('button', { name: 'Editar regras de Honda' }).click()
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByText('Valores de exemplo. Confira com a montadora.')).toBeVisible()
    const template = drawer.getByLabel('Modelo de nome')
    await template.fill('{os}-{vin}')
    await template.blur()
    await expectFieldError(template, 'Variável desconhecida: {vin}')
    await template.fill('HONDA-{os}-{categoria}-')
    await drawer.getByRole('button', { name: 'Inserir {seq2}' }).click()
    await expect(drawer.getByText('HONDA-123456-defeito-01.jpg')).toBeVisible()
    for (const category of ['Chassi Visível', 'Peças Substituídas', 'Situação Solucionada'])
      await drawer.getByLabel(category, { exact: true }).fill('')
    await drawer.getByLabel('Máximo de arquivos').fill('8')
    await drawer.getByText('Valores de exemplo', { exact: true }).click()
    await drawer.getByRole('button', { name: 'Salvar' }).click()
    await expect(notice(page, 'Regras salvas')).toBeVisible()
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Honda' }) })
    await expect(card).toContainText('HONDA-123456-defeito-01.jpg')
    await expect(card).toContainText('até 8')
    await expect(card).not.toContainText('Valores de exemplo')
  })

  await openOrder(page, '000777', 'Honda')
  await page.getByRole('tab', { name: /Evidências/ }).click()
  const checklist = page.getByRole('region', { name: 'Exigido por Honda' })
  const dialog = page.getByRole('dialog')
  const slot = (label: string) => checklist.getByRole('listitem').filter({ hasText: label })
  const send = async () => {
    await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
    await expect(dialog).toBeHidden({ timeout: 30_000 })
  }

  await test.step('a click on a slot sets the category, and the final size is estimated', async () => {
    await expect(checklist).toContainText('0 de 2')
    await checklist.getByRole('button', { name: 'Adicionar Odômetro' }).click()
    await expect(dialog.getByLabel('Categoria', { exact: true })).toHaveValue('odometro')
    await dialog.locator('input[type=file]').first().setInputFiles(sharp)
    await expect(dialog.getByText(/^1 arquivo, .* → cabe em 10 MB \(estimado /)).toBeVisible()
    await send()
    await expect(slot('Odômetro')).toContainText('1 de 1')
    // Missing slots come first.
    await expect(checklist.getByRole('listitem').first()).toContainText('Defeito Reportado')
  })

  await test.step('a file dropped on a slot gets its category', async () => {
    await drop(slot('Defeito Reportado'), other)
    await expect(dialog.getByLabel('Categoria', { exact: true })).toHaveValue('defeito')
    await send()
    await expect(checklist).toContainText('2 de 2')
  })

  await test.step('a number key changes the category, and one click undoes it', async () => {
    await page.getByRole('article', { name: 'defeito.jpg' }).focus()
    await page.keyboard.press('8')
    await expect(notice(page, 'Categoria alterada')).toContainText('Placa do Veículo')
    await expect(slot('Defeito Reportado')).toContainText('0 de 1')
    await notice(page, 'Categoria alterada').getByRole('button', { name: 'Desfazer' }).click()
    await expect(slot('Defeito Reportado')).toContainText('1 de 1')
  })

  await test.step('validation lists the problems, each with its remedy', async () => {
    await checklist.getByRole('button', { name: 'Validar' }).click()
    await expect(notice(page, 'Problemas na validação')).toContainText(
      '2 arquivos ainda não foram convertidos',
    )
    await checklist.getByRole('button', { name: /^Converter: 2 arquivos/ }).click()
    await expect(page.getByText('Pronto', { exact: true })).toHaveCount(2, { timeout: 60_000 })
    await expect(checklist.getByText('2 arquivos ainda não foram convertidos')).toBeHidden()
    await checklist.getByRole('button', { name: 'Validar' }).click()
    await expect(notice(page, 'Evidências validadas com sucesso')).toBeVisible()
    await expect(checklist).toContainText('Há foto do defeito, mas nenhuma da situação solucionada')
  })

  await test.step('missing order data link to their field in the form', async () => {
    const evidence = page.url()
    await checklist
      .getByRole('button', { name: /^Editar OS: Para concluir a OS, preencha: quilometragem/ })
      .click()
    await expect(page.getByLabel('Quilometragem')).toBeFocused()
    await page.goto(evidence)
  })

  await test.step('on a phone a slot opens the camera', async () => {
    const phone = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      storageState: await page.context().storageState(),
    })
    const small = await phone.newPage()
    await small.goto(page.url())
    const chooser = small.waitForEvent('filechooser')
    await small.getByRole('button', { name: 'Fotografar Odômetro' }).click()
    await (await chooser).setFiles(await photo(dir, { name: 'camera', width: 1200, height: 1600 }))
    await expect(small.getByRole('dialog').getByLabel('Categoria', { exact: true })).toHaveValue('odometro')
    await expect(small.getByRole('dialog').getByText('camera.jpg')).toBeVisible()
    await phone.close()
  })
})

/** Drops a file with the events of a real drag: over the slot, then on it. */
async function drop(target: Locator, path: string) {
  const content = (await readFile(path)).toString('base64')
  await target.evaluate((element, bytes) => {
    const transfer = new DataTransfer()
    const raw = Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0))
    transfer.items.add(new File([raw], 'defeito.jpg', { type: 'image/jpeg' }))
    for (const kind of ['dragenter', 'dragover', 'drop'])
      element.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: transfer }))
  }, content)
}
