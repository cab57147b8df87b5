import { expect, test } from '@playwright/test'
import {
  apiAs,
  expectFieldError,
  notice,
  PASSWORD,
  recordCalls,
  tabTo,
  tabToAndPress,
  typeInto,
} from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import {
  actionsOf,
  add,
  dialog,
  field,
  hireTeam,
  invalidTabNotice,
  openUsers,
  rowOf,
  rows,
  save,
  search,
  tab,
} from './users-screen.ts'

let product: Product
let company_id: number
let manager_id: number
test.beforeAll(async () => {
  product = await openProduct()
  ;({ company_id, manager_id } = await hireTeam(product))
})

test('a user is added by mouse, with errors on every tab (ADM-3, ADM-18 to ADM-39, ADM-42, CON-15, ERR-7)', async ({
  page,
}) => {
  await openUsers(page, product)
  const sent = recordCalls(page, 'users.open')
  const companiesAsked = recordCalls(page, 'companies.active')
  await add(page).click()
  await expect(field(page, 'Nome completo')).toBeFocused()
  await expect(dialog(page).getByRole('tab')).toHaveText(['Dados Pessoais', 'Organização', 'Segurança'])
  await save(page).click()
  await expect(invalidTabNotice(page, 'Dados Pessoais')).toBeVisible()
  await expect(field(page, 'Nome completo')).toBeFocused()
  await expectFieldError(field(page, 'Nome completo'), 'Nome completo é obrigatório')
  await expectFieldError(field(page, 'Email ou nome de usuário'), 'Email ou nome de usuário é obrigatório')
  await field(page, 'Nome completo').fill('Nova Pessoa')
  await field(page, 'Email ou nome de usuário').fill('gil')
  const cpf = field(page, 'CPF')
  await cpf.pressSequentially('123')
  await cpf.blur()
  await expectFieldError(cpf, 'CPF deve conter 11 dígitos')
  await cpf.fill('11111111111')
  await expectFieldError(cpf, 'CPF inválido')
  await cpf.fill('')
  await cpf.pressSequentially('39053344705')
  await expect(cpf).toHaveValue('390.533.447-05')
  await field(page, 'Telefone').pressSequentially('11987654321')
  await expect(field(page, 'Telefone')).toHaveValue('(11) 98765-4321')

  await tab(page, 'Organização').click()
  const [role, company] = [field(page, 'Função'), field(page, 'Empresa')]
  const manager = field(page, 'Gestor responsável')
  await expect(role).toHaveValue('technician')
  await expect(company).toHaveValue(String(company_id))
  await expect(manager).not.toHaveValue('')
  const leaders = await manager.locator('option').allTextContents()
  expect(leaders.filter((one) => one.startsWith('Técnico'))).toEqual([])
  expect(leaders.join()).toContain('Gil Gestor (Gestor)')
  await company.selectOption('')
  await tab(page, 'Segurança').click()
  await expect(field(page, 'Senha')).toHaveAttribute('placeholder', /8/)
  await save(page).click()
  await expect(invalidTabNotice(page, 'Organização')).toBeVisible()
  await expect(company).toBeFocused()
  await expectFieldError(company, 'Empresa é obrigatória')
  await company.selectOption({ label: 'Auto Sul' })
  await role.selectOption('')
  await expectFieldError(role, 'Função é obrigatória')
  await role.selectOption('admin')
  await expect(manager).toBeDisabled()
  await expect(manager).toHaveValue('')
  await role.selectOption('technician')
  await expect(manager).toBeEnabled()
  await expectFieldError(manager, 'Gestor responsável é obrigatório para técnicos')
  await manager.selectOption(String(manager_id))

  await save(page).click()
  await expect(invalidTabNotice(page, 'Segurança')).toBeVisible()
  await expect(field(page, 'Senha')).toBeFocused()
  await expectFieldError(field(page, 'Senha'), 'Senha é obrigatória')
  await field(page, 'Senha').fill('curta')
  await expectFieldError(field(page, 'Senha'), 'Senha deve ter pelo menos 8 caracteres')
  await field(page, 'Senha').fill(PASSWORD)
  await field(page, 'Confirmar senha').fill('outra')
  await expectFieldError(field(page, 'Confirmar senha'), 'As senhas não coincidem')
  await field(page, 'Confirmar senha').fill(PASSWORD)
  await save(page).click()
  await expect(notice(page, 'Erro', 'Já existe um usuário com este email.')).toBeVisible()
  await expect(field(page, 'Email ou nome de usuário')).toBeFocused()
  await field(page, 'Email ou nome de usuário').fill('nova.pessoa')
  await save(page).click()
  await expect(notice(page, 'Sucesso!', 'Usuário criado com sucesso.')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  expect(sent.at(-1)).toMatchObject({
    full_name: 'Nova Pessoa',
    email: 'nova.pessoa',
    cpf: '39053344705',
    role: 'technician',
    manager_id,
    is_active: true,
  })
  expect(sent.at(-1)).not.toHaveProperty('confirm_password')
  await apiAs(product, { email: 'nova.pessoa', password: PASSWORD })
  await add(page).click()
  await expect(field(page, 'Nome completo')).toBeFocused()
  expect(companiesAsked).toHaveLength(1)
})

test('a user is changed and deactivated by mouse, and only changed fields are sent (ADM-19, ADM-32 to ADM-34, ADM-40, ADM-41, ROLE-7)', async ({
  page,
}) => {
  await openUsers(page, product, '?search=gil')
  const sent = recordCalls(page, 'users.change')
  await actionsOf(page, 'Gil Gestor').click()
  await expect(page.getByRole('menuitem')).toHaveText(['Editar', 'Excluir'])
  await page.getByRole('menuitem', { name: 'Editar' }).click()
  await expect(field(page, 'Nome completo')).toHaveValue('Gil Gestor')
  await expect(field(page, 'CPF')).toHaveValue('529.982.247-25')
  await expect(save(page)).toBeDisabled()
  await tab(page, 'Organização').click()
  await expect(field(page, 'Gestor responsável')).toBeDisabled()
  expect((await field(page, 'Gestor responsável').locator('option').allTextContents()).join()).not.toContain(
    'Gil',
  )
  await field(page, 'Departamento').fill('Garantia')
  await field(page, 'Departamento').fill('')
  await expect(save(page)).toBeDisabled()
  await field(page, 'Departamento').fill('Garantia')
  await save(page).click()
  await expect(notice(page, 'Sucesso!', 'Usuário atualizado com sucesso.')).toBeVisible()
  expect(sent).toEqual([{ id: expect.any(Number), change: { department: 'Garantia' } }])
  await apiAs(product, { email: 'gil', password: PASSWORD })

  const deactivated = { email: 'tecnico2@exemplo.com.br', password: PASSWORD }
  const { token } = await apiAs(product, deactivated)
  await search(page).fill('Número 02')
  await rowOf(page, 'Técnico Número 02').click()
  await tab(page, 'Segurança').click()
  await dialog(page).getByText('Usuário ativo').click()
  await expect(dialog(page).getByRole('switch', { name: 'Usuário ativo' })).not.toBeChecked()
  await save(page).click()
  await expect(rowOf(page, 'Técnico Número 02')).toContainText('Inativo')
  expect(sent.at(-1)).toMatchObject({ change: { is_active: false } })
  const answer = await fetch(`${product.url}/api/v1/users/me`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.status).toBe(401)
})

test('a user with records is deactivated, one without is deleted, by mouse (ADM-11, ADM-42, ROLE-6, D-17)', async ({
  page,
}) => {
  await openUsers(page, product, '?search=gil')
  const question = page.getByRole('alertdialog')
  await actionsOf(page, 'Gil Gestor').click()
  await page.getByRole('menuitem', { name: 'Excluir' }).click()
  await expect(question).toContainText('Excluir «Gil Gestor»?')
  await question.getByRole('button', { name: 'Excluir', exact: true }).click()
  await expect(question.getByRole('alert')).toContainText('O usuário possui registros vinculados')
  await expect(notice(page, 'Erro', 'O usuário não foi excluído.')).toBeVisible()
  await expect(question.getByRole('button', { name: 'Desativar' })).toBeVisible()
  await expect(question).toContainText('Desativar «Gil Gestor»?')
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await expect(question).toHaveCount(0)

  await search(page).fill('Número 11')
  await actionsOf(page, 'Técnico Número 11').click()
  await page.getByRole('menuitem', { name: 'Excluir' }).click()
  await question.getByRole('button', { name: 'Excluir', exact: true }).click()
  await expect(notice(page, 'Sucesso!', 'Usuário excluído(a) com sucesso.')).toBeVisible()
  await expect(page.getByText('Nenhum usuário encontrado')).toBeVisible()
  await page.getByRole('button', { name: 'Limpar busca' }).click()
  await expect(rows(page)).toHaveCount(10)
})

test('the whole screen by keyboard alone (ADM-3, ADM-18 to ADM-24, ADM-33, ADM-39, ADM-40)', {
  tag: '@exhaustive',
}, async ({ page }) => {
  await openUsers(page, product)
  await page.keyboard.press('n')
  await expect(field(page, 'Nome completo')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+s')
  await expect(invalidTabNotice(page, 'Dados Pessoais')).toBeVisible()
  await expect(field(page, 'Nome completo')).toBeFocused()
  await page.keyboard.type('Zeca Teclado')
  await typeInto(page, field(page, 'Email ou nome de usuário'), 'zeca')
  await tabTo(page, tab(page, 'Dados Pessoais'), 'Shift+Tab')
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Organização')).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, field(page, 'Função'))
  await page.keyboard.press('ArrowDown')
  await expect(field(page, 'Função')).toHaveValue('manager')
  await typeInto(page, field(page, 'Cargo'), 'Consultor')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(invalidTabNotice(page, 'Segurança')).toBeVisible()
  await expect(field(page, 'Senha')).toBeFocused()
  await page.keyboard.type(PASSWORD)
  await typeInto(page, field(page, 'Confirmar senha'), PASSWORD)
  await page.keyboard.press('Enter')
  await expect(notice(page, 'Sucesso!', 'Usuário criado com sucesso.')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)

  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await page.keyboard.type('zeca')
  await expect(rows(page)).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(rowOf(page, 'Zeca Teclado')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(field(page, 'Nome completo')).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.type(' Junior')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toContainText('Descartar alterações?')
  await expect(page.getByRole('button', { name: 'Continuar editando' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await tabTo(page, field(page, 'Nome completo'))
  await page.keyboard.press('Enter')
  await expect(notice(page, 'Sucesso!', 'Usuário atualizado com sucesso.')).toBeVisible()
  await expect(rowOf(page, 'Zeca Teclado Junior')).toBeFocused()

  await page.keyboard.press('Tab')
  await expect(actionsOf(page, 'Zeca Teclado Junior')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Editar' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog')
  await expect(question.getByRole('button', { name: 'Cancelar' })).toBeFocused()
  await tabToAndPress(page, question.getByRole('button', { name: 'Excluir', exact: true }))
  await expect(notice(page, 'Sucesso!', 'Usuário excluído(a) com sucesso.')).toBeVisible()
})
