import { expect, test } from '@playwright/test'
import { COMPLETE_ORDER, createOrderFixture } from './order-fixture.ts'
import { openSignedIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let fixture: Awaited<ReturnType<typeof createOrderFixture>>
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
})

test('a remittance is typed by keyboard, outlasts a reload, is compared, booked and undone', async ({
  page,
}) => {
  const { id: order } = await fixture.order({ os_number: '000911', ...COMPLETE_ORDER })
  const line = { kind: 'third_party', description: 'Guincho', claimed: 200 }
  await fixture.post(`/service-orders/${order}/claims`, { type: 'normal', lines: [line] })
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/conciliacao`)
  await expect(page.getByText('Nada é lançado antes da conferência.')).toBeVisible()
  await page.keyboard.press('Alt+2')
  await expect(page.getByText('Células copiadas de uma planilha')).toBeVisible()
  const field = (name: string, line: number) => page.getByLabel(`${name}, linha ${line}`, { exact: true })
  await page.getByLabel('Empresa').selectOption({ label: fixture.matriz })
  await page.getByLabel('Marca', { exact: true }).selectOption({ label: 'Honda' })

  await test.step('Enter goes on to what a line needs, and to the next line', async () => {
    await field('Nº na marca', 1).focus()
    await page.keyboard.type('XYZ1')
    await page.keyboard.press('Enter')
    await expect(field('Valor pago', 1)).toBeFocused()
    await page.keyboard.type('dez')
    await page.keyboard.press('Enter')
    await expect(field('Nº na marca', 2)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(field('OS', 2)).toBeFocused()
    await page.keyboard.type('911')
    await page.keyboard.press('Enter')
    await page.keyboard.type(COMPLETE_ORDER.vehicle_chassis.slice(-6))
    await page.keyboard.press('Enter')
    await page.keyboard.type('200,00')
    await page.keyboard.press('ArrowUp')
    await expect(field('Valor pago', 1)).toBeFocused()
  })
  await test.step('it is back after a reload, and after a look at another tab', async () => {
    await page.reload()
    await expect(field('Valor pago', 2)).toHaveValue('200,00')
    await page.getByRole('tab', { name: 'Histórico' }).click()
    await page.getByRole('tab', { name: 'Digitar' }).click()
    await expect(field('OS', 2)).toHaveValue('911')
  })
  await test.step('a line that cannot be read is told, and nothing is lost', async () => {
    await field('Valor pago', 1).focus()
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('1 linha precisa de correção.')).toBeVisible()
    await expect(field('Valor pago', 1)).toHaveAttribute('aria-invalid', 'true')
    await field('Valor pago', 1).fill('10')
    await field('OS', 3).fill('000999')
    await page.keyboard.press('Control+Delete')
    await expect(field('OS', 3)).toHaveValue('')
  })
  await test.step('compared, then booked', async () => {
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('heading', { name: 'Conferência' })).toBeFocused()
    const rows = page.getByRole('table', { name: 'Linhas do demonstrativo' }).getByRole('row')
    await expect(rows.nth(1)).toContainText('Solicitação não encontrada')
    await expect(rows.nth(2)).toContainText('SG 000911-1')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Demonstrativo digitado')).toBeVisible()
    await expect(page.getByText('R$ 0,00 lançados de')).toBeVisible()
    await expect(page.getByRole('tab', { name: /^Divergências/ })).toContainText('2')
    await page.getByRole('button', { name: /^Resolver 2 divergências/ }).click()
    await expect(page.getByRole('row', { name: /XYZ1/ })).toBeVisible()
    await page.getByRole('tab', { name: 'Digitar' }).click()
    await expect(field('Nº na marca', 1)).toHaveValue('')
  })
  await test.step('undone as a file is', async () => {
    await page.getByRole('tab', { name: 'Histórico' }).click()
    await expect(page.getByRole('row', { name: /2 divergências/ })).toBeVisible()
    await page.getByRole('button', { name: /^Ações de Demonstrativo/ }).click()
    await page.getByRole('menuitem', { name: 'Desfazer importação' }).click()
    await expect(page.getByRole('dialog')).toContainText('Não há lançamento a anular.')
    await page.getByRole('dialog').getByLabel('Motivo').fill('Mês errado')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('row', { name: /Desfeito/ })).toBeVisible()
  })
})
