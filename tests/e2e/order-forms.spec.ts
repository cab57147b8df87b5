import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { writeXlsx } from 'hucre/xlsx'
import {
  button,
  confirmDialog,
  createOrderFixture,
  dialog,
  field,
  type OrderFixture,
  tab,
} from './order-fixture.ts'
import {
  expectFieldError,
  intercept,
  notice,
  openSignedIn,
  recordCalls,
  submitSignIn,
  tabTo,
  tabToAndPress,
  typeInto,
} from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

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
const DONE = 'OS criada com sucesso!'
const chosen = (page: Page, label: string) => field(page, label).locator('option:checked')

test('the page of a new order by mouse (NEW-1 to NEW-7, VAL-1 to VAL-14, ERR-6, D-15)', async ({ page }) => {
  await openPage(page, '/nova-os', 'Nova OS')
  for (const name of ['Informações Básicas', 'Veículo', 'Cliente', 'Serviço', 'Valores'])
    await expect(page.getByRole('region', { name, exact: true })).toBeVisible()
  const company = field(page, 'Empresa')
  await expect(company).toBeDisabled()
  await button(page, 'Criar OS').click()
  await expectFieldError(field(page, 'Número da OS'), 'Número da OS é obrigatório')
  await expectFieldError(field(page, 'Marca'), 'Marca é obrigatória')
  await expectFieldError(company, 'Empresa é obrigatória')
  await expect(field(page, 'Número da OS')).toBeFocused()

  await field(page, 'Número da OS').pressSequentially('12a3')
  await expect(field(page, 'Número da OS')).toHaveValue('123')
  await expectFieldError(field(page, 'Número da OS'), 'Número da OS deve ter 6 dígitos')
  await field(page, 'Número da OS').fill('000201')
  await expect(field(page, 'Número da OS')).not.toHaveAttribute('aria-invalid')
  await field(page, 'Marca').selectOption({ label: 'Honda' })
  await expect(company).toBeEnabled()
  await company.selectOption({ label: fixture.filial })
  await field(page, 'Marca').selectOption({ label: 'Toyota' })
  await expect(chosen(page, 'Empresa')).toHaveText('Selecione uma empresa')
  await company.selectOption({ label: fixture.matriz })

  const wrong: [string, string, string][] = [
    ['Placa', 'ABC12', 'Formato inválido de placa'],
    ['Chassi', '9bgrdo8x', 'Chassi deve ter 17 caracteres'],
    ['Ano', '1899', 'O ano deve ser a partir de 1900'],
    ['Email', 'a@b', 'Email inválido'],
    ['CPF ou CNPJ', '11111111111', 'CPF/CNPJ inválido'],
    ['Telefone', '119', 'Telefone inválido'],
  ]
  for (const [label, text, complaint] of wrong) {
    await field(page, label).fill(text)
    await field(page, label).blur()
    await expectFieldError(field(page, label), complaint)
  }
  await field(page, 'Ano').fill(String(new Date().getFullYear() + 2))
  await expectFieldError(field(page, 'Ano'), 'O ano não pode passar do próximo ano')
  await field(page, 'Ano').fill(String(new Date().getFullYear() + 1))
  await field(page, 'Chassi').fill('9bgrdo8x04gi17974')
  await expect(field(page, 'Chassi')).not.toHaveAttribute('aria-invalid')
  await page.getByRole('button', { name: 'Trocar por 9BGRD08X04G117974' }).click()
  await expect(field(page, 'Chassi')).toHaveValue('9BGRD08X04G117974')
  await expect(page.getByText('Chassis não usam I, O nem Q.')).toHaveCount(0)
  await field(page, 'Placa').fill('abc1234')
  await expect(field(page, 'Placa')).toHaveValue('ABC-1234')
  await field(page, 'Email').fill('ana@exemplo.com.br')
  await field(page, 'CPF ou CNPJ').fill('52998224725')
  await field(page, 'Telefone').fill('11987654321')
  await expect(field(page, 'Telefone')).toHaveValue('(11) 98765-4321')
  await field(page, 'Quilometragem').fill('-45210')
  await field(page, 'Quilometragem').blur()
  await expectFieldError(field(page, 'Quilometragem'), 'A quilometragem não pode ser negativa')
  await field(page, 'Quilometragem').fill('45210')
  await expect(field(page, 'Quilometragem')).toHaveValue('45.210')
  await field(page, 'Valor do serviço').fill('1234,359')
  await expect(field(page, 'Valor do serviço')).toHaveValue('R$ 1.234,35')
  await field(page, 'Valor das peças').fill('0,1')
  await field(page, 'Valor das peças').blur()
  await expect(page.getByLabel('Valor total')).toHaveText('R$ 1.234,45')
  expect(await page.getByLabel('Valor total').evaluate(({ tagName }) => tagName)).toBe('OUTPUT')

  await button(page, 'Cancelar').click()
  await expect(confirmDialog(page)).toContainText('Descartar alterações?')
  await confirmDialog(page).getByRole('button', { name: 'Continuar editando' }).click()
  page.once('dialog', (leaving) => leaving.accept())
  await page.reload()
  await expect(page.getByText('Rascunho recuperado.')).toBeVisible()
  await expect(field(page, 'Número da OS')).toHaveValue('000201')
  await expect(chosen(page, 'Empresa')).toHaveText(fixture.matriz)
  await expect(field(page, 'Valor do serviço')).toHaveValue('R$ 1.234,35')
  const sent = recordCalls(page, 'orders.open')
  await button(page, 'Criar OS').click()
  await expect(notice(page, DONE, 'Ordem de Serviço 000201 foi criada.')).toBeVisible()
  await expect(page).toHaveURL(/\/os\/\d+$/)
  expect(sent).toMatchObject([{ vehicle_plate: 'ABC1234', service_value: 1234.35, parts_value: 0.1 }])

  await page.goto(`${product.url}/nova-os`)
  await expect(page.getByText('Rascunho recuperado.')).toHaveCount(0)
  await field(page, 'Número da OS').fill('000201')
  await field(page, 'Marca').selectOption({ label: 'Honda' })
  await company.selectOption({ label: fixture.matriz })
  await button(page, 'Criar OS').click()
  await expect(notice(page, 'Erro ao criar OS', 'Já existe uma OS 000201 nesta empresa.')).toBeVisible()
  await expectFieldError(field(page, 'Número da OS'), 'Já existe uma OS 000201 nesta empresa.')
  await expect(field(page, 'Número da OS')).toBeFocused()
  await intercept(page, '**/trpc/orders.open**', (route) => route.abort())
  await field(page, 'Número da OS').fill('000299')
  await button(page, 'Criar OS').click()
  await expect(notice(page, 'Erro ao criar OS', 'Erro desconhecido')).toBeVisible()
  await button(page, 'Cancelar').click()
  await confirmDialog(page).getByRole('button', { name: 'Descartar' }).click()
  await expect(page).toHaveURL(/\/lista-os$/)
})

test('the page of a new order by keyboard alone (NEW-2 to NEW-4, NEW-6, VAL-13)', {
  tag: '@exhaustive',
}, async ({ page }) => {
  await openPage(page, '/nova-os', 'Nova OS')
  await expect(field(page, 'Número da OS')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+s')
  await expectFieldError(field(page, 'Marca'), 'Marca é obrigatória')
  await page.keyboard.type('000202')
  await tabTo(page, field(page, 'Marca'))
  await page.keyboard.type('Honda')
  await tabTo(page, field(page, 'Empresa'))
  await page.keyboard.type(fixture.matriz.slice(0, 10))
  await expect(chosen(page, 'Empresa')).not.toHaveText('Selecione uma empresa')
  await typeInto(page, field(page, 'Chassi'), '9bgrdo8x04g117974')
  await tabToAndPress(page, page.getByRole('button', { name: 'Trocar por 9BGRD08X04G117974' }))
  await expect(field(page, 'Chassi')).toBeFocused()
  await typeInto(page, field(page, 'Valor do serviço'), '10,5')
  await typeInto(page, field(page, 'Valor das peças'), '0,25')
  await expect(page.getByLabel('Valor total')).toHaveText('R$ 10,75')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(notice(page, DONE)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'OS 000202' })).toBeVisible()
})

const main = 'Informações Principais'
const people = 'Cliente e Veículo'
async function openDialog(page: Page) {
  await openPage(page, '/lista-os', 'Ordens de Serviço')
  await button(page, 'Nova OS').first().click()
  await expect(field(page, 'Número da OS')).toBeFocused()
}

test('the two tabs of a new order by mouse (MOD-1 to MOD-3, MOD-6 to MOD-18, ERR-6)', async ({ page }) => {
  await openDialog(page)
  await expect(dialog(page).getByRole('tab')).toHaveText([main, people])
  await button(page, 'Próximo').click()
  await expect(
    notice(page, 'Campos obrigatórios', 'Marca, Empresa, Descrição do problema').first(),
  ).toBeVisible()
  await expectFieldError(field(page, 'Marca'), 'Marca é obrigatória')
  await expectFieldError(field(page, 'Empresa'), 'Empresa é obrigatória')
  await expectFieldError(field(page, 'Descrição do problema'), 'Descrição do problema é obrigatória')
  await expect(field(page, 'Marca')).toBeFocused()
  await expect(tab(page, main)).toHaveAttribute('aria-selected', 'true')
  await field(page, 'Marca').selectOption({ label: 'Honda' })
  await field(page, 'Empresa').selectOption({ label: fixture.matriz })
  await field(page, 'Descrição do problema').fill('Ruído na suspensão dianteira')
  await button(page, 'Próximo').click()
  await expect(tab(page, people)).toHaveAttribute('aria-selected', 'true')
  await button(page, 'Criar OS').click()
  await expect(notice(page, 'Campos obrigatórios', 'Número da OS').first()).toBeVisible()
  await expect(tab(page, main)).toHaveAttribute('aria-selected', 'true')
  await expect(field(page, 'Número da OS')).toBeFocused()
  await expectFieldError(field(page, 'Número da OS'), 'Número da OS é obrigatório')
  await field(page, 'Número da OS').fill('000203')
  await tab(page, people).click()
  await button(page, 'Criar OS').click()
  await expectFieldError(field(page, 'Nome do cliente'), 'Nome do cliente é obrigatório')
  await expectFieldError(field(page, 'Telefone'), 'Telefone é obrigatório')
  await expectFieldError(field(page, 'Modelo'), 'Modelo é obrigatório')
  await expect(field(page, 'Nome do cliente')).toBeFocused()
  await field(page, 'Nome do cliente').fill('José da Silva')
  await field(page, 'Telefone').fill('1198765')
  await expectFieldError(field(page, 'Telefone'), 'Telefone inválido')
  // The area code is optional while typing too: it is one from the tenth digit on (MOD-13).
  await field(page, 'Telefone').fill('')
  for (const [typed, shown] of [
    ['87654321', '8765-4321'],
    ['987654321', '98765-4321'],
    ['1187654321', '(11) 8765-4321'],
    ['11987654321', '(11) 98765-4321'],
  ] as const) {
    await field(page, 'Telefone').fill('')
    await field(page, 'Telefone').pressSequentially(typed)
    await expect(field(page, 'Telefone')).toHaveValue(shown)
    await expect(field(page, 'Telefone')).not.toHaveAttribute('aria-invalid')
  }
  await field(page, 'Modelo').fill('Civic')
  const document = field(page, 'CPF ou CNPJ')
  await document.fill('52998224725')
  await expect(document).toHaveValue('529.982.247-25')
  await document.fill('11111111111111')
  await document.blur()
  await expect(document).toHaveValue('11.111.111/1111-11')
  await expectFieldError(document, 'CPF/CNPJ inválido')
  await document.fill('')
  await field(page, 'Placa').pressSequentially('abc12345')
  await expect(field(page, 'Placa')).toHaveValue('ABC-1234')
  await field(page, 'Placa').fill('AB1')
  await field(page, 'Placa').blur()
  await expectFieldError(field(page, 'Placa'), 'Placa inválida (ABC-1234 ou ABC1D23)')
  await field(page, 'Placa').fill('abc1d23')
  await button(page, 'Criar OS').click()
  await expect(notice(page, DONE, 'Ordem de Serviço 000203 foi criada.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'OS 000203' })).toBeVisible()
})

test('the two tabs by keyboard, and on to the page with the typed values (MOD-1, MOD-2, D-29)', async ({
  page,
}) => {
  await openPage(page, '/lista-os', 'Ordens de Serviço')
  await page.keyboard.press('n')
  await expect(field(page, 'Número da OS')).toBeFocused()
  await page.keyboard.type('000204')
  await page.keyboard.press('Enter')
  await expect(notice(page, 'Campos obrigatórios').first()).toBeVisible()
  await expect(field(page, 'Marca')).toBeFocused()
  // A select has no options until its list is loaded.
  await expect(field(page, 'Marca').getByRole('option', { name: 'Honda' })).toBeAttached()
  await page.keyboard.type('Honda')
  await tabTo(page, field(page, 'Empresa'))
  await page.keyboard.type(fixture.matriz.slice(0, 10))
  await typeInto(page, field(page, 'Descrição do problema'), 'Não liga')
  await tabToAndPress(page, button(page, 'Próximo'))
  await expect(tab(page, people)).toHaveAttribute('aria-selected', 'true')
  await typeInto(page, field(page, 'Nome do cliente'), 'Ana Lima')
  await page.keyboard.press('Escape')
  await expect(confirmDialog(page)).toContainText('Descartar alterações?')
  await page.keyboard.press('Enter')
  await tabToAndPress(page, button(page, 'Abrir em página'))
  await expect(page).toHaveURL(/\/nova-os$/)
  await expect(page.getByText('Rascunho recuperado.')).toBeVisible()
  await expect(field(page, 'Número da OS')).toHaveValue('000204')
  await expect(field(page, 'Nome do cliente')).toHaveValue('Ana Lima')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByRole('heading', { name: 'OS 000204' })).toBeVisible()
})

const NFE = `<nfeProc><NFe><infNFe versao="4.00"><ide><nNF>77</nNF></ide>
<det nItem="1"><prod><cProd>A1</cProd><xProd>Bomba</xProd><qCom>2.0000</qCom><vProd>21.10</vProd></prod></det>
</infNFe></NFe></nfeProc>`

/** What the live region of the import says from now on, once for each change. */
async function announcements(page: Page) {
  await page.evaluate(() => {
    const said: string[] = []
    const region = document.querySelector('.page-header + [role="status"]')
    if (!region) throw new Error('the region is not there before its text')
    new MutationObserver(() => region.textContent && said.push(region.textContent)).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    })
    Object.assign(window, { said })
  })
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said)
}

test('a workbook is imported, and the columns that were chosen outlive an expired session (D-66, D-49)', async ({
  page,
}) => {
  const rows = [
    ['Ordem', 'Montadora', 'Quem', 'Aberta em'],
    [600_101, 'Honda', 'Rita Lima', new Date(Date.UTC(2026, 9, 5))],
    ['600102', 'Honda', 'Ana Souza', null],
  ]
  const sheet = { name: 'OS', rows }
  await openPage(page, '/importar', 'Importar OS')
  await field(page, 'Empresa').selectOption({ label: fixture.filial })
  await page.getByLabel('Arquivo', { exact: true }).setInputFiles({
    name: 'junho.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(await writeXlsx({ sheets: [sheet] })),
  })
  await tabToAndPress(page, button(page, 'Enviar arquivo'))
  const columns = page.getByRole('form', { name: 'Colunas' })
  await expect(columns).toBeVisible()
  await columns.getByLabel('Número da OS').selectOption({ label: 'Ordem' })
  await columns.getByLabel('Nome do cliente').selectOption({ label: 'Quem' })
  await columns.getByLabel('Marca', { exact: true }).selectOption({ label: 'Montadora' })
  await expect(columns.getByText('600101')).toBeVisible()
  await page.evaluate(() => localStorage.setItem('access_token', 'vencido'))
  await button(page, 'Conferir').click()
  await expect(page.getByText('O que você digitou está guardado')).toBeVisible()
  await submitSignIn(page, product.firstSuperuser)
  await expect(columns.getByLabel('Nome do cliente').locator('option:checked')).toHaveText('Quem')
  await tabToAndPress(page, button(page, 'Conferir'))
  await tabToAndPress(page, button(page, 'Importar 2 OS'))
  await expect(page.getByText(/^2 OS criadas\./)).toBeVisible()
  await page.goto(`${product.url}/lista-os?search=600101`)
  await expect(page.getByRole('row', { name: /600101/ })).toContainText('Rita Lima')
})

test('orders come from a file, and a new one from an earlier one of its chassis (D-66)', async ({ page }) => {
  await openPage(page, '/lista-os', 'Ordens de Serviço')
  await button(page, 'Importar').click()
  await field(page, 'Empresa').selectOption({ label: fixture.matriz })
  const csv = [
    'O.S.;Marca;Cliente;CPF;Chassi;Obs',
    '600001;Honda;Rita Lima;529.982.247-25;9BWZZZ377VT004251;a',
    '600002;Honda;Ana;111.111.111-11;;b',
  ].join('\n')
  const template = page.waitForEvent('download')
  await button(page, 'Baixar um modelo (CSV)').click()
  const headings = await readFile(await (await template).path(), 'utf8')
  expect(headings).toMatch(/^\ufeffNúmero da OS;Marca;.*;Valor das peças\r\n$/)
  const said = await announcements(page)
  const chooser = page.waitForEvent('filechooser')
  await page.getByText('Arquivo', { exact: true }).click()
  await (await chooser).setFiles({ name: 'maio.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await expect(button(page, 'Arquivo: Trocar arquivo')).toBeVisible()
  await button(page, 'Enviar arquivo').click()
  await expect(field(page, 'Nome do cliente').locator('option:checked')).toHaveText('Cliente')
  await button(page, 'Conferir').click()
  const problems = page.getByRole('region', { name: 'Problemas' })
  await expect(problems.getByRole('row').nth(1)).toHaveText(
    '3600002CPF ou CNPJ111.111.111-11CPF/CNPJ inválido',
  )
  const saved = page.waitForEvent('download')
  await button(page, 'Baixar todos os problemas (CSV)').click()
  expect((await saved).suggestedFilename()).toMatch(/^importacao-\d+-problemas\.csv$/)
  await page.getByText('Não importar nada enquanto houver problemas').click()
  await expect(button(page, 'Importar 1 OS')).toBeDisabled()
  await page.getByText(/^Importar só as linhas sem problemas/).click()
  await button(page, 'Importar 1 OS').click()
  await expect(page.getByText(/^1 OS criada · 1 linha recusada\./)).toBeVisible()
  await expect(problems.getByRole('row').nth(1)).toContainText('CPF/CNPJ inválido')
  const steps = ['Lendo o arquivo', 'Arquivo lido: 2 linhas', 'Importando']
  const outcome = 'Arquivo importado. 1 OS criada · 1 linha recusada'
  expect((await said()).filter((text) => !steps.includes(text))).toEqual([outcome])
  await button(page, 'Conferir de novo').click()
  await button(page, 'Conferir').click()
  await expect(
    page.getByText(
      'Nada a importar: as linhas de OS novas têm problemas. Corrija o arquivo e confira de novo.',
    ),
  ).toBeVisible()

  await page.goto(`${product.url}/nova-os`)
  await field(page, 'Marca').selectOption({ label: 'Honda' })
  await field(page, 'Empresa').selectOption({ label: fixture.matriz })
  await button(page, 'Usar 600002').click()
  await expect(field(page, 'Número da OS')).toHaveValue('600002')
  await field(page, 'Número da OS').fill('')
  await tabToAndPress(page, button(page, 'Usar 600002'))
  await expect(field(page, 'Número da OS')).toHaveValue('600002')
  await field(page, 'Chassi').fill('9BWZZZ377VT004251')
  await expect(page.getByText(/^9BW costuma ser Volkswagen/)).toBeVisible()
  await tabToAndPress(page, button(page, 'Usar veículo e cliente'))
  await expect(field(page, 'Nome do cliente')).toHaveValue('Rita Lima')
  await expect(field(page, 'CPF ou CNPJ')).toHaveValue('529.982.247-25')
  await page
    .getByLabel('XML da NF-e')
    .setInputFiles({ name: 'nota.xml', mimeType: 'text/xml', buffer: Buffer.from(NFE) })
  await expect(field(page, 'Peças substituídas')).toHaveValue('2 × Bomba (A1)')
  await expect(field(page, 'Valor das peças')).toHaveValue('R$ 21,10')
  await button(page, 'Criar OS').click()
  await expect(page.getByRole('heading', { name: 'OS 600002' })).toBeVisible()
})
