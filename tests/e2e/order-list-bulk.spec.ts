import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import {
  bulkBar,
  button,
  card,
  chooseFilter,
  confirmDialog,
  dialog,
  grid,
  numbers,
  openList,
  rowOf,
  rows,
  seedOrders,
} from './order-list-fixture.ts'
import { expectFieldError, notice, tabToAndPress } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { screenHelpers } from './screens-fixture.ts'

let product: Product
test.beforeAll(async () => {
  product = await openProduct()
  await seedOrders(product)
})

test('views: the built-in ones by mouse, by their first letter and by digit, and one that is saved, applied, renamed and deleted (LIST-8, D-88)', async ({
  page,
}) => {
  await openList(page, product)
  await button(page, 'Vistas').click()
  await page.getByRole('menuitem', { name: 'Vencendo' }).click()
  await expect(numbers(page)).toHaveText(['000107'])
  await expect(button(page, 'Vencendo')).toBeVisible()
  await page.goto(`${product.url}/lista-os?min_days_open=10&conversion_status=not_started`)
  await expect(numbers(page)).toHaveText(['000107'])
  await button(page, /^Remover filtro Abertas há 10/).click()
  await expect(rows(page)).toHaveCount(10)
  await button(page, /^Remover filtro Conversão: Realizar Upload/).click()
  await expect(page).toHaveURL(/\/lista-os$/)

  await chooseFilter(page, 'Marca', 'Toyota')
  await expect(numbers(page)).toHaveText(['000108'])
  await button(page, 'Vistas').click()
  await page.getByRole('menuitem', { name: 'Salvar vista…' }).click()
  await dialog(page).getByRole('textbox', { name: 'Nome' }).fill('Toyotas')
  await dialog(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(notice(page, 'Vista salva', 'Toyotas')).toBeVisible()
  await button(page, 'Limpar Filtros').click()
  await expect(rows(page)).toHaveCount(10)
  await page.keyboard.press('v')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Vencidas' })).toBeFocused()
  await page.keyboard.press('m')
  await expect(page.getByRole('menuitem', { name: 'Minhas' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Minhas', exact: true })).toBeVisible()
  await expect(page.getByText('Nenhuma ordem de serviço encontrada')).toBeVisible()
  await page.keyboard.press('2')
  await expect(numbers(page)).toHaveText(['000107'])
  await expect(rowOf(page, '000107')).toBeFocused()
  await page.keyboard.press('v')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.type('to')
  await expect(page.getByRole('menuitem', { name: 'Toyotas' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(numbers(page)).toHaveText(['000108'])
  await button(page, 'Toyotas').click()
  await page.getByRole('menuitem', { name: 'Renomear «Toyotas»…' }).click()
  await expect(dialog(page).getByRole('textbox', { name: 'Nome' })).toHaveValue('Toyotas')
  await dialog(page).getByRole('textbox', { name: 'Nome' }).fill('Só Toyota')
  await dialog(page).getByRole('button', { name: 'Salvar' }).click()
  await button(page, 'Só Toyota').click()
  await page.getByRole('menuitem', { name: 'Excluir «Só Toyota»…' }).click()
  await confirmDialog(page).getByRole('button', { name: 'Excluir', exact: true }).click()
  await expect(button(page, 'Vistas')).toBeVisible()
})

test('an order is reopened from the list only with a reason (D-10)', async ({ page }) => {
  await openList(page, product)
  await chooseFilter(page, 'Status', 'Concluída')
  await rowOf(page, '000102').focus()
  await page.keyboard.press('s')
  await dialog(page)
    .getByText(/^Reabrir/)
    .click()
  await dialog(page).getByRole('button', { name: 'Mudar status' }).click()
  await expectFieldError(dialog(page).getByLabel('Motivo'), 'Informe o motivo para reabrir a OS')
  await page.keyboard.type('Cliente voltou')
  await dialog(page).getByRole('button', { name: 'Mudar status' }).click()
  await expect(notice(page, 'Status atualizado com sucesso')).toBeVisible()
})

test('the packages of several orders are one ZIP, asked for by mouse or by keyboard (D-68)', async ({
  page,
}) => {
  await openList(page, product)
  const packages = page.getByRole('dialog', { name: 'Pacotes de várias OS' })
  for (const os_number of ['000113', '000112'])
    await grid(page).getByLabel(`Selecionar OS ${os_number}`).check()
  await bulkBar(page).getByRole('button', { name: 'Baixar pacotes' }).click()
  await expect(packages).toContainText('1 OS ficou de fora:')
  await expect(packages).toContainText('OS 000112Nenhum arquivo convertido para baixar.')
  await expect(packages.getByRole('button', { name: 'Baixar', exact: true })).toBeVisible()
  await screenHelpers(page, product).audit('lista-os-pacotes')
  const arriving = page.waitForEvent('download')
  await packages.getByRole('button', { name: 'Baixar', exact: true }).click()
  const file = await arriving
  expect(file.suggestedFilename()).toMatch(/^pacotes_\d+\.zip$/)
  const zip = await readFile(await file.path())
  expect(zip.toString('latin1')).toContain('os_000113_evidencias/manifesto.json')
  await page.keyboard.press('Escape')
  await expect(packages).toHaveCount(0)

  // None of these is ready: nothing is made, and the selection stays.
  await bulkBar(page).getByRole('button', { name: 'Limpar seleção' }).click()
  await rowOf(page, '000112').focus()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+j')
  await page.keyboard.press('d')
  await expect(notice(page, 'Erro ao pedir pacotes', 'Nenhum pacote está pronto.')).toBeVisible()
  await expect(bulkBar(page)).toContainText('2 selecionadas')
  await page.keyboard.press('Shift+k')
  await page.keyboard.press('Shift+k')
  await page.keyboard.press('d')
  await expect(packages.getByRole('button', { name: 'Baixar', exact: true })).toHaveCount(2)
  await expect(packages).toContainText('2 OS ficaram de fora:')
  await page.keyboard.press('Escape')
  await expect(packages).toHaveCount(0)
  // The bell has it for who has closed the dialog.
  await button(page, /^Notificações/).click()
  const told = page.getByRole('menu', { name: 'Notificações' }).getByRole('menuitem')
  await expect(told.filter({ hasText: 'Os pacotes que você pediu estão prontos' })).toContainText('000113')
  await page.keyboard.press('Escape')
  await tabToAndPress(page, button(page, 'Exportar').first())
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Pacotes pedidos…' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(packages.getByRole('region')).toHaveCount(2)
})

test('bulk actions: export, status, completion, «Retomar», deletion; refused orders stay selected', async ({
  page,
}) => {
  await openList(page, product)
  const check = (os_number: string) => grid(page).getByLabel(`Selecionar OS ${os_number}`)
  await check('000110').check()
  await check('000108').check()
  await bulkBar(page).getByRole('button', { name: 'Responsável' }).click()
  await dialog(page).getByLabel('Responsável').selectOption({ label: 'Gil Gestor (0)' })
  await dialog(page).getByRole('button', { name: 'Mudar responsável' }).click()
  await expect(notice(page, 'Responsável atualizado com sucesso', '2 ordens de serviço')).toBeVisible()
  await expect(rowOf(page, '000110')).toContainText('Gil Gestor')
  await chooseFilter(page, 'Responsável', 'Gil Gestor 2')
  await expect(numbers(page)).toHaveText(['000110', '000108'])
  await page.goBack()
  await expect(rows(page)).toHaveCount(10)

  await check('000110').check()
  await check('000108').click({ modifiers: ['Shift'] })
  await expect(bulkBar(page)).toContainText('3 selecionadas')
  await expect(rowOf(page, '000109')).toHaveAttribute('aria-selected', 'true')
  await button(page, 'Próxima página').click()
  await check('000101').check()
  await expect(bulkBar(page)).toContainText('4 selecionadas')

  const arriving = page.waitForEvent('download')
  await bulkBar(page).getByRole('button', { name: 'Exportar' }).click()
  await page.getByRole('menuitem', { name: 'Texto (CSV)' }).click()
  const csv = await readFile(await (await arriving).path(), 'utf8')
  for (const os_number of ['000110', '000109', '000108', '000101']) expect(csv).toContain(os_number)
  expect(csv).not.toContain('000113')
  const sheet = page.waitForEvent('download')
  await button(page, 'Exportar').first().click()
  await page.getByRole('menuitem', { name: 'Planilha (XLSX)' }).click()
  expect((await sheet).suggestedFilename()).toMatch(/\.xlsx$/)

  await bulkBar(page).getByRole('button', { name: 'Mudar status' }).click()
  await dialog(page)
    .getByText(/^Marcar como pendente/)
    .click()
  await dialog(page).getByLabel('Motivo').fill('Aguardando peça')
  await dialog(page).getByRole('button', { name: 'Mudar status' }).click()
  const outcome = page.getByRole('dialog', { name: /OS não (foi|foram) alterada/ })
  await expect(outcome).toContainText('1 OS não foi alterada')
  await expect(outcome.getByRole('listitem')).toContainText('Transição de status não permitida')
  await outcome.getByRole('button', { name: 'Fechar', exact: true }).last().click()
  await expect(bulkBar(page)).toContainText('1 selecionada')
  await expect(card(page, 'Pendentes').locator('.summary-figure')).toHaveText('6')
  await bulkBar(page).getByRole('button', { name: 'Limpar seleção' }).click()
  await expect(bulkBar(page)).toHaveCount(0)

  await chooseFilter(page, 'Status', 'Pendente')
  await expect(numbers(page)).toHaveText(['000110', '000109', '000108', '000104'])
  await grid(page).getByLabel('Selecionar todas desta página').check()
  await bulkBar(page).getByRole('button', { name: 'Mudar status' }).click()
  await dialog(page)
    .getByText(/^Concluir/)
    .click()
  await dialog(page).getByRole('button', { name: 'Mudar status' }).click()
  await expect(outcome).toContainText('4 OS não foram alteradas')
  await expect(outcome.getByRole('listitem').first()).toContainText('Problemas na validação')
  await outcome.getByLabel('Motivo').fill('Dispensadas pela montadora')
  await outcome.getByRole('button', { name: 'Concluir assim mesmo' }).click()
  await expect(notice(page, 'Status atualizado com sucesso', '4 ordens de serviço')).toBeVisible()
  await expect(page.getByText('Nenhuma ordem de serviço encontrada')).toBeVisible()

  await chooseFilter(page, 'Status', 'Pendente')
  await chooseFilter(page, 'Status', 'Em Análise')
  await expect(numbers(page)).toHaveText(['000103', '000102'])
  await rowOf(page, '000103').focus()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('s')
  await expect(dialog(page).getByRole('radio', { name: /^Retomar/ })).toBeFocused()
  await page.keyboard.type('ret')
  await expect(dialog(page).getByRole('radio', { name: /^Retomar/ })).toBeChecked()
  await page.keyboard.press('Control+Enter')
  await expect(notice(page, 'Status atualizado com sucesso', '2 ordens de serviço')).toBeVisible()
  await expect(page.getByText('Nenhuma ordem de serviço encontrada')).toBeVisible()

  await button(page, 'Limpar Filtros').first().click()
  await page.keyboard.press('j')
  await expect(rowOf(page, '000113')).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+j')
  await expect(bulkBar(page)).toContainText('2 selecionadas')
  await page.keyboard.press('Delete')
  await expect(confirmDialog(page)).toContainText('Excluir 2 ordens de serviço?')
  await expect(confirmDialog(page)).toContainText('Esta ação não pode ser desfeita.')
  await tabToAndPress(page, confirmDialog(page).getByRole('button', { name: 'Excluir', exact: true }))
  await expect(notice(page, 'OS excluído(a) com sucesso.', '2 ordens de serviço')).toBeVisible()
  await expect(card(page, 'Total de OS').locator('.summary-figure')).toHaveText('11')
})
