import { expect, type Page, test } from '@playwright/test'
import { seedCompanyGroup } from './companies-group.ts'
import {
  apiAs,
  expectFieldError,
  notice,
  openSignedIn,
  PASSWORD,
  recordCalls,
  tabTo,
  tabToAndPress,
  typeInto,
} from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product

const dialog = (page: Page) => page.getByRole('dialog')
const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })
const rows = (page: Page) => page.getByRole('grid', { name: 'Empresas' }).locator('tbody tr[data-row]')
const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text })
const search = (page: Page) => page.getByLabel('Buscar empresas')
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Salvar' })
const actionsOf = (page: Page, name: string) =>
  page.getByRole('grid').getByRole('button', { name: `Ações de ${name}`, exact: true })
const CREATED = 'Empresa criada com sucesso.'
const CHANGED = 'Empresa atualizada com sucesso.'

async function openCompanies(page: Page, query = '', who = product.firstSuperuser) {
  await openSignedIn(page, product, who)
  await page.goto(`${product.url}/companies${query}`)
  await expect(page.getByRole('heading', { name: 'Gestão de Empresas' })).toBeVisible()
}

test.describe('the first company', () => {
  test.beforeAll(async () => {
    product = await openProduct()
  })

  test('companies are added and changed by mouse (COMP-1, COMP-7, COMP-9 to COMP-11, COMP-16 to COMP-30, COMP-32, COMP-33)', async ({
    page,
  }) => {
    await openCompanies(page)
    await expect(page.getByText('Nenhuma empresa encontrada')).toBeVisible()
    await page.getByRole('button', { name: 'Adicionar Empresa' }).first().click()
    const [taxId, type, parent] = [field(page, 'CNPJ'), field(page, 'Tipo'), field(page, 'Empresa Matriz')]
    await expect(type).toHaveValue('filial')
    await expect(dialog(page).getByRole('switch', { name: 'Empresa ativa' })).toBeChecked()
    await save(page).click()
    await expectFieldError(field(page, 'Nome Fantasia'), 'Nome Fantasia é obrigatório')
    await expect(field(page, 'Nome Fantasia')).toBeFocused()
    await expectFieldError(field(page, 'Razão Social'), 'Razão Social é obrigatória')
    await expectFieldError(taxId, 'CNPJ é obrigatório')
    await expectFieldError(parent, 'Empresa Matriz é obrigatória para filiais')
    await dialog(page).getByRole('button', { name: 'Cadastrar como matriz' }).click()
    await expect(type).toHaveValue('matriz')
    await expect(parent).toBeDisabled()
    await field(page, 'Nome Fantasia').fill('Auto Sul')
    await field(page, 'Razão Social').fill('Auto Sul Veículos Ltda')
    await taxId.pressSequentially('1122233300018')
    await expectFieldError(taxId, 'CNPJ deve conter 14 dígitos')
    await taxId.pressSequentially('0')
    await expectFieldError(taxId, 'CNPJ inválido')
    await taxId.fill('11111111111111')
    await expectFieldError(taxId, 'CNPJ inválido')
    await taxId.fill('')
    await taxId.pressSequentially('11222333000181')
    await expect(taxId).toHaveValue('11.222.333/0001-81')
    await taxId.pressSequentially('9')
    await expect(taxId).toHaveValue('11.222.333/0001-81')
    await field(page, 'Estado').pressSequentially('p')
    await field(page, 'Estado').blur()
    await expectFieldError(field(page, 'Estado'), 'Estado deve ter 2 caracteres (ex: SP)')
    await field(page, 'Estado').fill('pr')
    await expect(field(page, 'Estado')).toHaveValue('PR')
    await field(page, 'Telefone').pressSequentially('41987654321')
    await field(page, 'CEP').pressSequentially('80010000')
    await expect(field(page, 'CEP')).toHaveValue('80010-000')
    await save(page).click()
    await expect(notice(page, 'Sucesso!', CREATED)).toBeVisible()
    await expect(dialog(page)).toHaveCount(0)
    await expect(rowOf(page, 'Auto Sul')).toBeVisible()

    await page.getByRole('button', { name: 'Adicionar Empresa' }).click()
    await field(page, 'Nome Fantasia').fill('Auto Sul Centro')
    await field(page, 'Razão Social').fill('Auto Sul Veículos Ltda')
    await taxId.pressSequentially('11222333000181')
    await parent.selectOption({ label: 'Auto Sul' })
    await type.selectOption('matriz')
    await expect(parent).toHaveValue('')
    await type.selectOption('filial')
    await parent.selectOption({ label: 'Auto Sul' })
    await save(page).click()
    await expect(notice(page, 'Erro', 'Já existe uma empresa com este CNPJ.')).toBeVisible()
    await expect(taxId).toBeFocused()
    await taxId.fill('')
    await taxId.pressSequentially('12abc34501de35')
    await expect(taxId).toHaveValue('12.ABC.345/01DE-35')
    await expect(dialog(page).getByText('A raiz deste CNPJ é diferente da raiz da matriz.')).toBeVisible()
    await dialog(page).getByText('Empresa ativa').click()
    await save(page).click()
    await expect(rowOf(page, 'Auto Sul Centro')).toBeVisible()

    const cells = rowOf(page, 'Auto Sul Centro').getByRole('gridcell')
    await expect(cells.nth(0)).toContainText('Inativa')
    await expect(cells.nth(1)).toHaveText('Auto Sul Veículos Ltda')
    await expect(cells.nth(2)).toHaveText('12.ABC.345/01DE-35')
    await expect(cells.nth(3).locator('.badge')).toHaveClass(/badge-blue/)
    await expect(rowOf(page, '11.222.333/0001-81').locator('.badge')).toHaveClass(/badge-purple/)

    const sent = recordCalls(page, 'companies.change')
    await actionsOf(page, 'Auto Sul Centro').click()
    await expect(page.getByRole('menuitem')).toHaveText(['Editar', 'Excluir'])
    await page.getByRole('menuitem', { name: 'Editar' }).click()
    await type.focus()
    await type.selectOption('')
    await field(page, 'Cidade').click()
    await expectFieldError(type, 'Tipo é obrigatório')
    await type.selectOption('filial')
    await save(page).click()
    await expect(dialog(page)).toHaveCount(0)
    expect(sent).toEqual([])
    await rowOf(page, 'Auto Sul Centro').click()
    await field(page, 'Cidade').fill('Curitiba')
    await save(page).click()
    await expect(notice(page, 'Sucesso!', CHANGED)).toBeVisible()
    expect(sent).toEqual([{ id: expect.any(Number), change: { city: 'Curitiba' } }])
  })
})

test.describe('a group of companies', () => {
  let company_id: number
  test.beforeAll(async () => {
    product = await openProduct()
    company_id = await seedCompanyGroup(product)
  })

  test('the list filters, pages and deletes by mouse (COMP-2 to COMP-6, COMP-8, COMP-12 to COMP-15, COMP-31, CON-11, ERR-7, D-17)', async ({
    page,
  }) => {
    const asked = recordCalls(page, 'companies.list')
    await openCompanies(page)
    const next = page.getByRole('button', { name: 'Próximo' })
    const former = page.getByRole('button', { name: 'Anterior' })
    await expect(rows(page)).toHaveCount(10)
    await expect(page.getByText('Página 1')).toBeVisible()
    await expect(former).toBeDisabled()
    await expect.poll(() => asked).toContainEqual({ skip: 10, limit: 10 })
    await next.click()
    await expect(page).toHaveURL(/\/companies\?page=2$/)
    await expect(rows(page)).toHaveCount(3)
    await expect(next).toBeDisabled()
    await page.reload()
    await expect(rows(page)).toHaveCount(3)
    await page.getByLabel('Tipo', { exact: true }).selectOption('matriz')
    await expect(page).toHaveURL(/\/companies\?type=matriz$/)
    await expect(rows(page)).toHaveCount(1)
    await page.getByLabel('Tipo', { exact: true }).selectOption('')
    await page.getByLabel('Situação').selectOption('false')
    await expect(page).toHaveURL(/\/companies\?is_active=false$/)
    await expect(rows(page)).toHaveText([/Filial 01/])
    await page.getByLabel('Situação').selectOption('')
    await search(page).fill('11222333000343')
    await expect(rows(page)).toHaveText([/Filial 02/])
    await search(page).fill('11.222.333/0004-24')
    await expect(rows(page)).toHaveText([/Filial 03/])
    await search(page).fill('auto sul ltda')
    await expect(rows(page)).toHaveCount(10)
    await next.click()
    await expect(page).toHaveURL(/page=2/)
    await page.goBack()
    await expect(page).not.toHaveURL(/page=/)
    await expect(rows(page)).toHaveCount(10)
    await page.goto(`${product.url}/companies?page=abc&type=&search=&is_active=x`)
    await expect(page.getByText('Página 1')).toBeVisible()
    await expect(page.getByText('13 empresas')).toBeVisible()

    const question = page.getByRole('alertdialog')
    await search(page).fill('Auto Sul')
    await actionsOf(page, 'Auto Sul').click()
    await page.getByRole('menuitem', { name: 'Excluir' }).click()
    await expect(question).toContainText('Excluir «Auto Sul»?')
    await question.getByRole('button', { name: 'Excluir', exact: true }).click()
    await expect(question.getByRole('alert')).toContainText('A empresa possui registros vinculados')
    await question.getByRole('button', { name: 'Cancelar' }).click()
    await search(page).fill('11222333001315')
    await actionsOf(page, 'Filial 12').click()
    await page.getByRole('menuitem', { name: 'Excluir' }).click()
    await question.getByRole('button', { name: 'Excluir', exact: true }).click()
    await expect(notice(page, 'Sucesso!', 'Empresa excluído(a) com sucesso.')).toBeVisible()
    await expect(page.getByText('Nenhuma empresa encontrada')).toBeVisible()

    // No next page when the last page is exactly full.
    await page.goto(`${product.url}/companies?type=filial&is_active=true`)
    await expect(page.getByText('10 empresas')).toBeVisible()
    await expect(rows(page)).toHaveCount(10)
    await expect(next).toBeDisabled()
  })

  test('the whole screen by keyboard alone (COMP-7, COMP-8, COMP-11, COMP-12, COMP-16 to COMP-32)', {
    tag: '@exhaustive',
  }, async ({ page }) => {
    await openCompanies(page)
    await expect(rows(page)).toHaveCount(10)
    await page.keyboard.press('n')
    await expect(field(page, 'Nome Fantasia')).toBeFocused()
    await page.keyboard.press('ControlOrMeta+s')
    await expectFieldError(field(page, 'Nome Fantasia'), 'Nome Fantasia é obrigatório')
    await expectFieldError(field(page, 'Razão Social'), 'Razão Social é obrigatória')
    await expectFieldError(field(page, 'CNPJ'), 'CNPJ é obrigatório')
    await expect(field(page, 'Nome Fantasia')).toBeFocused()
    await page.keyboard.type('Auto Norte')
    await typeInto(page, field(page, 'Razão Social'), 'Auto Norte Ltda')
    await typeInto(page, field(page, 'CNPJ'), '12abc34501de35')
    await tabTo(page, field(page, 'Tipo'))
    await page.keyboard.press('ArrowUp')
    await expect(field(page, 'Tipo')).toHaveValue('matriz')
    await tabToAndPress(page, dialog(page).getByRole('switch', { name: 'Empresa ativa' }), 'Space')
    await page.keyboard.press('Escape')
    const question = page.getByRole('alertdialog')
    await expect(question.getByRole('button', { name: 'Continuar editando' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(question).toHaveCount(0)
    await page.keyboard.press('ControlOrMeta+s')
    await expect(notice(page, 'Sucesso!', CREATED)).toBeVisible()
    await expect(dialog(page)).toHaveCount(0)

    await page.keyboard.press(']')
    await expect(page.getByText('Página 2')).toBeVisible()
    await page.keyboard.press('[')
    await expect(page.getByText('Página 1')).toBeVisible()
    await page.keyboard.press('/')
    await page.keyboard.type('norte')
    await expect(rows(page)).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(rowOf(page, 'Auto Norte')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(actionsOf(page, 'Auto Norte')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Editar' })).toBeFocused()
    await page.keyboard.press('Enter')
    await typeInto(page, field(page, 'Cidade'), 'Manaus')
    await page.keyboard.press('Enter')
    await expect(notice(page, 'Sucesso!', CHANGED)).toBeVisible()
    await expect(actionsOf(page, 'Auto Norte')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Editar' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(question.getByRole('button', { name: 'Cancelar' })).toBeFocused()
    await tabToAndPress(page, question.getByRole('button', { name: 'Excluir', exact: true }))
    await expect(notice(page, 'Sucesso!', 'Empresa excluído(a) com sucesso.')).toBeVisible()
  })

  test('technicians only read, managers change all but type, tax id and parent (ROLE-1 to ROLE-3, COMP-7, COMP-11)', async ({
    page,
  }) => {
    const { post } = await apiAs(product, product.firstSuperuser)
    const gil = { email: 'gil', password: PASSWORD }
    const tina = { email: 'tina', password: PASSWORD }
    const manager = await post('/users', { ...gil, full_name: 'Gil Gestor', company_id, role: 'manager' })
    const rest = { full_name: 'Tina Torres', company_id, role: 'technician', manager_id: manager.id }
    await post('/users', { ...tina, ...rest })

    await openCompanies(page, '?type=matriz', tina)
    await expect(rowOf(page, 'Auto Sul')).toBeVisible()
    await expect(page.getByRole('button', { name: /^(Adicionar Empresa|Ações de)/ })).toHaveCount(0)
    await rowOf(page, 'Auto Sul').click()
    await expect(dialog(page)).toHaveCount(0)

    await openCompanies(page, '?type=matriz', gil)
    await actionsOf(page, 'Auto Sul').click()
    await expect(page.getByRole('menuitem')).toHaveText(['Editar'])
    await page.getByRole('menuitem', { name: 'Editar' }).click()
    for (const label of ['CNPJ', 'Tipo', 'Empresa Matriz']) await expect(field(page, label)).toBeDisabled()
    await field(page, 'Cidade').fill('Londrina')
    await save(page).click()
    await expect(notice(page, 'Sucesso!', CHANGED)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Adicionar Empresa' })).toHaveCount(0)
  })
})
