import { expect, test } from '@playwright/test'
import { cnpj } from '../support/make.ts'
import { openSignedIn, PASSWORD, recordShifts, shiftsOf } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { screenHelpers } from './screens-fixture.ts'
import { auditAtWidth } from './visual-audit.ts'

let product: Product
test.beforeAll(async () => {
  product = await openProduct()
})

test('a new superuser is guided through brands, company and technician to the first order', async ({
  page,
}) => {
  const guide = page.getByRole('region', { name: 'Primeiros passos' })
  const step = (title: string) => guide.getByRole('listitem').filter({ hasText: title })
  const dialog = page.getByRole('dialog')
  const field = (label: string) => dialog.getByLabel(label, { exact: true })
  const save = () => dialog.getByRole('button', { name: 'Salvar' }).click()
  const isDone = async (title: string, count: string) => {
    await expect(guide.getByRole('status')).toHaveText(count)
    await expect(step(title)).toContainText('feito')
  }
  await openSignedIn(page, product, product.firstSuperuser)
  await recordShifts(page)
  await page.goto(`${product.url}/dashboard`)
  await expect(guide.getByRole('status')).toHaveText('0 de 4 feitos')
  await expect(page.locator('.page-header + .first-steps')).toBeVisible()
  expect(await shiftsOf(page), 'a press on a button that the guide pushes down is lost').toEqual([])
  await expect(guide.getByRole('button', { name: /^(Abrir|Nova)/ })).toHaveText(['Abrir Marcas'])

  await guide.getByRole('button', { name: 'Abrir Marcas' }).click()
  await page.getByRole('button', { name: 'Inicializar Marcas' }).click()
  await isDone('Inicialize as marcas', '1 de 4 feitos')

  await guide.getByRole('button', { name: 'Abrir Empresas' }).click()
  await page.getByRole('button', { name: 'Adicionar Empresa' }).first().click()
  await field('Nome Fantasia').fill('Auto Sul')
  await field('Razão Social').fill('Auto Sul Veículos Ltda')
  await field('CNPJ').fill(cnpj())
  await field('Tipo').selectOption('matriz')
  await save()
  await isDone('Cadastre a sua empresa', '2 de 4 feitos')
  // Menus are positioned on whole pixels: at this size the button ends on a fraction, and the menu would
  // overlap it.
  const { button, menu } = screenHelpers(page, product)
  await auditAtWidth(page, 1200, 'companies-acoes-guia', menu('Ações de Auto Sul'))
  const box = await button('Ações de Auto Sul').boundingBox()
  const end = box ? box.y + box.height : 0
  expect(Math.round(end)).toBeLessThan(end)
  await page.keyboard.press('Escape')

  await guide.getByRole('button', { name: 'Abrir Usuários' }).click()
  await page.getByRole('button', { name: 'Adicionar Usuário' }).first().click()
  await field('Nome completo').fill('Tina Torres')
  await field('Email ou nome de usuário').fill('tina')
  await dialog.getByRole('tab', { name: 'Organização' }).click()
  await field('Empresa').selectOption({ label: 'Auto Sul' })
  await dialog.getByRole('tab', { name: 'Segurança' }).click()
  await field('Senha').fill(PASSWORD)
  await field('Confirmar senha').fill(PASSWORD)
  await save()
  await isDone('Cadastre um técnico', '3 de 4 feitos')

  await guide.getByRole('button', { name: 'Nova OS' }).click()
  const main = page.getByRole('main')
  await main.getByLabel('Número da OS').fill('000001')
  await main.getByLabel('Marca').selectOption({ label: 'Honda' })
  await main.getByLabel('Empresa').selectOption({ label: 'Auto Sul' })
  await main.getByRole('button', { name: 'Criar OS' }).click()
  await expect(page.getByRole('heading', { name: 'OS 000001' })).toBeVisible()
  const read = page.waitForResponse(/firstSteps\.read/)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await read
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(guide).toHaveCount(0)
})
