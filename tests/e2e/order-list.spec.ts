import { expect, type Page, test } from '@playwright/test'
import {
  bulkBar,
  button,
  card,
  chooseFilter,
  confirmDialog,
  descendingOrderNumbers,
  dialog,
  grid,
  numbers,
  openList,
  rowOf,
  rows,
  seedOrders,
} from './order-list-fixture.ts'
import { apiAs, notice, PASSWORD, recordCalls, tabToAndPress } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let ids: Record<string, number>
test.beforeAll(async () => {
  product = await openProduct()
  ids = await seedOrders(product)
})

const search = (page: Page) => page.getByLabel('Buscar ordens de serviço')
const pager = (page: Page) => page.getByRole('navigation', { name: 'Paginação' })

test('the list by mouse: figures, filters, columns, pages (LIST-1 to LIST-9, LIST-11, LIST-17 to LIST-20, GEN-5, GEN-6)', async ({
  page,
}) => {
  await openList(page, product)
  for (const [name, figure] of [
    ['Total de OS', '13'],
    ['Concluídas', '2'],
    ['Em Análise', '1'],
    ['Pendentes', '3'],
  ] as const)
    await expect(card(page, name).locator('.summary-figure')).toHaveText(figure)
  await expect(card(page, 'Total de OS')).toHaveAccessibleDescription(/Total = concluídas/)
  await expect(card(page, 'Total de OS')).toContainText('6 em andamento1 cancelada')
  await expect(grid(page).getByRole('columnheader')).toHaveText([
    'OS',
    'Cliente',
    'Veículo',
    'Empresa',
    'Status',
    'Conversão',
    'Data',
    'Valor',
    'Ações',
  ])
  const today = new Date().toLocaleDateString('pt-BR', { timeZone: 'America/Sao_Paulo' })
  await expect(rowOf(page, '000113').getByRole('gridcell')).toHaveText([
    '000113',
    'Maria Aparecida de Souza',
    'Civic TouringBRA2E19 · 2022',
    'HondaConcessionária Exemplo',
    /.+/,
    'Disponível',
    `${today}0 dias`,
    'R$ 1.234,50',
    '',
  ])

  await expect(rows(page)).toHaveCount(10)
  await expect(pager(page).getByRole('button')).toHaveText(['', '', '1', '2', '', ''])
  await expect(button(page, 'Primeira página')).toBeDisabled()
  await button(page, 'Última página').click()
  await expect(page).toHaveURL(/\/lista-os\?page=2$/)
  await expect(numbers(page)).toHaveText(['000102', '000101', '000107'])
  await expect(rowOf(page, '000107')).toContainText('25 dias')
  await page.goBack()
  await expect(numbers(page)).toHaveText([
    ...descendingOrderNumbers(113, 108),
    ...descendingOrderNumbers(106, 103),
  ])

  await card(page, 'Pendentes').click()
  await expect(page).toHaveURL(/\?status=pending(%2C|,)pending_upload$/)
  await expect(card(page, 'Pendentes')).toHaveAttribute('aria-pressed', 'true')
  await expect(numbers(page)).toHaveText(['000113', '000105', '000104'])
  await expect(card(page, 'Total de OS').locator('.summary-figure')).toHaveText('13')
  await expect(page.getByText('3 ordens de serviço · 13 em qualquer status')).toBeVisible()
  await expect(pager(page)).toHaveCount(0)
  await card(page, 'Concluídas').click()
  await expect(numbers(page)).toHaveText(['000102', '000101'])
  await page.goBack()
  await expect(numbers(page)).toHaveText(['000113', '000105', '000104'])

  await button(page, 'Limpar Filtros').click()
  await chooseFilter(page, 'Status', 'Em Análise')
  await expect(numbers(page)).toHaveText(['000103'])
  await chooseFilter(page, 'Status', 'Cancelada', 'Concluída')
  await expect(button(page, 'Status: 3 status')).toBeFocused()
  await expect(page).toHaveURL(/\?status=in_analysis(%2C|,)cancelled(%2C|,)completed$/)
  await expect(numbers(page)).toHaveText(['000106', '000103', '000102', '000101'])
  // One entry of the history for what was chosen while the menu was open.
  await page.goBack()
  await expect(numbers(page)).toHaveText(['000103'])
  await chooseFilter(page, 'Status', 'Todos os status')
  await chooseFilter(page, 'Marca', 'Toyota')
  await expect(numbers(page)).toHaveText(['000108'])
  await expect(card(page, 'Total de OS').locator('.summary-figure')).toHaveText('1')
  await chooseFilter(page, 'Marca', 'Toyota')
  await chooseFilter(page, 'Empresa', 'Concessionária Exemplo Filial Campinas')
  await expect(numbers(page)).toHaveText(['000110', '000108'])
  await chooseFilter(page, 'Empresa', 'Todas as empresas')
  await button(page, /^Abertura: /).click()
  const opening = page.getByRole('dialog', { name: 'Abertura' })
  await expect(opening.getByRole('button', { name: 'Qualquer data' })).toBeFocused()
  await opening.getByRole('button', { name: 'Hoje' }).click()
  await expect(page).toHaveURL(/start_date=(\d{4}-\d\d-\d\d)&end_date=\1$/)
  await expect(card(page, 'Total de OS').locator('.summary-figure')).toHaveText('12')
  await page.getByLabel('Linhas por página').selectOption('25')
  await expect(rows(page)).toHaveCount(12)
  const heights = () => rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
  const tallest = Math.max(...(await heights()))
  await button(page, 'Linhas compactas').click()
  expect(Math.max(...(await heights()))).toBeLessThanOrEqual(34)
  expect(tallest).toBeGreaterThan(40)
  await page.reload()
  await expect(button(page, 'Linhas compactas')).toHaveAttribute('aria-pressed', 'true')
  await expect(rows(page)).toHaveCount(12)
  await button(page, 'Linhas compactas').click()
  await page.goBack()
  await expect(rows(page)).toHaveCount(10)
  await button(page, 'Limpar Filtros').click()
  for (const [typed, found] of [
    ['abc-1234', '000109'],
    ['angela conceicao', '000109'],
    ['000112', '000112'],
  ] as const) {
    await search(page).fill(typed)
    await expect(numbers(page)).toHaveText([found])
  }
  await search(page).fill('nada disso')
  await expect(page.getByText('Nenhuma ordem de serviço encontrada')).toBeVisible()
  await button(page, 'Limpar Filtros').first().click()
  await expect(page).toHaveURL(/\/lista-os$/)
  await expect(search(page)).toHaveValue('')
  await expect(rows(page)).toHaveCount(10)

  const valor = grid(page).getByRole('columnheader', { name: 'Valor' })
  await expect(grid(page).getByRole('columnheader', { name: 'Data' })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  await valor.getByRole('button').click()
  await expect(valor).toHaveAttribute('aria-sort', 'descending')
  await expect(numbers(page).first()).toHaveText('000113')
  await expect(page).toHaveURL(/\?sort=total_value$/)
  await grid(page).getByRole('button', { name: 'OS', exact: true }).click()
  await expect(numbers(page).first()).toHaveText('000101')

  await page.goto(`${product.url}/lista-os?status=in_analysis`)
  await expect(numbers(page)).toHaveText(['000103'])
  const { post } = await apiAs(product, product.firstSuperuser)
  await post(`/service-orders/${ids['000104']}/status/in_analysis`)
  await button(page, 'Atualizar').click()
  await expect(numbers(page)).toHaveText(['000104', '000103'])
  await expect(card(page, 'Em Análise').locator('.summary-figure')).toHaveText('2')
})

test('the actions of a row, by mouse (LIST-10, LIST-12 to LIST-16, LIST-21, LIST-22, ERR-6)', async ({
  page,
}) => {
  await openList(page, product)
  await button(page, 'Nova OS').click()
  await expect(dialog(page).getByRole('tab')).toHaveText(['Informações Principais', 'Cliente e Veículo'])
  await dialog(page).getByRole('button', { name: 'Cancelar' }).click()
  await expect(dialog(page)).toHaveCount(0)

  await button(page, 'Ver OS 000113').click()
  await expect(page).toHaveURL(new RegExp(`/os/${ids['000113']}$`))
  await page.goBack()
  await rowOf(page, '000112').getByText('Cliente 12').click()
  await expect(page).toHaveURL(new RegExp(`/os/${ids['000112']}$`))
  await page.goBack()
  await button(page, 'Editar OS 000112').click()
  await expect(page).toHaveURL(new RegExp(`/os/${ids['000112']}/edit$`))
  await page.goBack()
  await expect(rowOf(page, '000106')).toBeVisible()
  await expect(button(page, 'Editar OS 000106')).toHaveCount(0)

  await expect(grid(page).getByRole('button', { name: /^Baixar/ })).toHaveCount(1)
  const arriving = page.waitForEvent('download')
  await button(page, 'Baixar evidências da OS 000113').click()
  expect((await arriving).suggestedFilename()).toMatch(/\.zip$/)
  await expect(notice(page, 'Download concluído')).toBeVisible()
  await expect(page).toHaveURL(/\/lista-os$/)

  const total = card(page, 'Total de OS').locator('.summary-figure')
  const before = Number(await total.textContent())
  await button(page, 'Excluir OS 000112').click()
  await expect(confirmDialog(page)).toContainText('Excluir a OS 000112?')
  await expect(confirmDialog(page)).toContainText('Esta ação não pode ser desfeita.')
  await confirmDialog(page).getByRole('button', { name: 'Cancelar' }).click()
  await expect(confirmDialog(page)).toHaveCount(0)
  await button(page, 'Excluir OS 000112').click()
  await confirmDialog(page).getByRole('button', { name: 'Excluir', exact: true }).click()
  await expect(notice(page, 'Sucesso!', 'OS excluído(a) com sucesso.')).toBeVisible()
  await expect(rowOf(page, '000112')).toHaveCount(0)
  await expect(total).toHaveText(String(before - 1))

  await button(page, 'Excluir OS 000111').click()
  const { token } = await apiAs(product, product.firstSuperuser)
  await fetch(`${product.url}/api/v1/service-orders/${ids['000111']}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  })
  await confirmDialog(page).getByRole('button', { name: 'Excluir', exact: true }).click()
  await expect(
    notice(page, 'Erro ao excluir OS', 'Não foi possível excluir a ordem de serviço'),
  ).toBeVisible()
})

test('a technician sees only the actions that the server allows (LIST-14, LIST-15, D-38)', async ({
  page,
}) => {
  await openList(page, product, { email: 'tina', password: PASSWORD })
  await expect(numbers(page)).toHaveText(['000110', '000108'])
  await expect(button(page, /^Empresa: /)).toHaveCount(0)
  await expect(button(page, /^Excluir OS/)).toHaveCount(0)
  await expect(grid(page).getByRole('button', { name: /^Editar OS/ })).toHaveCount(1)
  await expect(button(page, 'Editar OS 000108')).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Delete')
  await expect(notice(page, 'OS 000110', 'Somente gestores e administradores')).toBeVisible()
})

test('the list by keyboard alone (LIST-1, LIST-5, LIST-6, LIST-8 to LIST-10, LIST-12 to LIST-16, LIST-20)', {
  tag: '@exhaustive',
}, async ({ page }) => {
  const { keyboard } = page
  await openList(page, product)
  await keyboard.press('n')
  await expect(dialog(page).getByRole('tab').first()).toBeVisible()
  await keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)

  await keyboard.press(']')
  await expect(page).toHaveURL(/page=2/)
  await keyboard.press('[')
  await expect(page).not.toHaveURL(/page=/)
  await keyboard.press('j')
  await expect(rowOf(page, '000113')).toBeFocused()
  const arriving = page.waitForEvent('download')
  await keyboard.press('d')
  expect((await arriving).suggestedFilename()).toMatch(/\.zip$/)
  await keyboard.press('j')
  await keyboard.press('d')
  await expect(page.locator('.toast', { hasText: 'ainda não está disponível' })).toBeVisible()
  await keyboard.press('k')
  await keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/os/${ids['000113']}$`))
  await expect(grid(page)).toHaveCount(0)
  await page.goBack()
  await expect(rows(page).first()).toBeVisible()
  await keyboard.press('j')
  await expect(rowOf(page, '000113')).toBeFocused()
  await keyboard.press('e')
  await expect(page).toHaveURL(/\/edit$/)
  await expect(grid(page)).toHaveCount(0)
  await page.goBack()
  await expect(rows(page).first()).toBeVisible()

  await keyboard.press('f')
  await expect(page.getByRole('menuitemcheckbox', { name: 'Todos os status' })).toBeFocused()
  for (let i = 0; i < 8; i++) await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await expect(numbers(page)).toHaveText(['000106'])
  await keyboard.press('Escape')
  await expect(button(page, 'Status: Cancelada')).toBeFocused()
  await tabToAndPress(page, button(page, 'Limpar Filtros'))
  const asked = recordCalls(page, 'orderList.page')
  await keyboard.press('r')
  await expect.poll(() => asked.length).toBeGreaterThan(0)

  await keyboard.press('/')
  await keyboard.type('angela', { delay: 260 })
  await expect(search(page)).toHaveValue('angela')
  await keyboard.type(' conceicao')
  await keyboard.press('Enter')
  await expect(rowOf(page, '000109')).toBeFocused()
  await keyboard.press('s')
  await expect(dialog(page)).toContainText('Mudar status da OS 000109')
  await expect(dialog(page).getByRole('radio').first()).toBeVisible()
  await keyboard.press('Escape')
  await expect(rowOf(page, '000109')).toBeFocused()
  await keyboard.press('Escape')
  await expect(page).toHaveURL(/\/lista-os$/)

  await keyboard.press('j')
  await keyboard.press('Home')
  await keyboard.press('x')
  await expect(bulkBar(page)).toContainText('1 selecionada')
  await keyboard.press('Shift+ArrowDown')
  await expect(bulkBar(page)).toContainText('2 selecionadas')
  await keyboard.press('ControlOrMeta+a')
  await expect(bulkBar(page)).toContainText(`${await rows(page).count()} selecionadas`)
  await keyboard.press('Escape')
  await expect(bulkBar(page)).toHaveCount(0)
  await keyboard.press('x')
  await keyboard.press('j')
  await keyboard.press('j')
  await keyboard.press('Shift+x')
  await expect(bulkBar(page)).toContainText(/[34] selecionadas/)
  await keyboard.press('Escape')

  await keyboard.press('Home')
  const deleted_number = (await numbers(page).first().textContent()) ?? ''
  await keyboard.press('Delete')
  await expect(confirmDialog(page).getByRole('button', { name: 'Cancelar' })).toBeFocused()
  await tabToAndPress(page, confirmDialog(page).getByRole('button', { name: 'Excluir', exact: true }))
  await expect(rowOf(page, deleted_number)).toHaveCount(0)
  await expect(rows(page).first()).toBeFocused()

  await keyboard.press('v')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  const ready = page.getByRole('menuitem', { name: 'Prontas para enviar' })
  while (!(await ready.evaluate((item) => item === document.activeElement))) await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await expect(page).toHaveURL(/status=ready/)
  await tabToAndPress(page, card(page, 'Total de OS'))
  await expect(page).not.toHaveURL(/status/)
})
