import { expect, test } from '@playwright/test'
import { photo } from '../support/media.ts'
import { type Product, startProduct } from '../support/product.ts'
import { initialiseBrands, openOrder, signIn, temporary } from './clerk.ts'
import { judgeInAllLooks } from './judge.ts'
import { apiAs, comeAs, PASSWORD, signUp, UNLIMITED } from './people.ts'

let product: Product
test.beforeAll(async ({ browser }) => {
  product = await startProduct(UNLIMITED)
  const page = await browser.newPage()
  await signIn(page, product)
  await initialiseBrands(page)
  await openOrder(page, '000123', 'Honda')
  await page.getByRole('tab', { name: /Evidências/ }).click()
  await page.getByRole('button', { name: 'Upload' }).click()
  const dir = await temporary()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([await photo(dir), await photo(dir, { name: 'outra', noise: 90 })])
  await page.getByRole('button', { name: 'Enviar' }).click()
  await expect(page.getByText('Evidências enviadas com sucesso')).toBeVisible()
  await page.getByRole('button', { name: 'Processar' }).first().click()
  await expect(page.getByText('Pronto', { exact: true })).toHaveCount(1, { timeout: 60_000 })
  await page.close()
  await seedPeople()
})
test.afterAll(() => product.stop())

test('every screen is sound in both themes at three widths (GEN-2, NAV-1 to NAV-23)', async ({ page }) => {
  test.setTimeout(900_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  const seen = (name: string) => judgeInAllLooks(page, name)

  await page.goto(`${product.url}/login`)
  await seen('login')
  await signIn(page, product)
  await expect(page.getByRole('link', { name: /000123/ })).toBeVisible()
  await expect(page.getByRole('img', { name: /Ordens por marca/ })).toBeVisible()
  await seen('dashboard')
  await page.goto(`${product.url}/lista-os`)
  await expect(page.getByText(/^(OS )?000123$/).filter({ visible: true })).toHaveCount(1)
  await seen('lista-os')
  await page.goto(`${product.url}/lista-os?search=nada`)
  await expect(page.getByText('Nenhuma ordem de serviço encontrada')).toBeVisible()
  await seen('lista-os-vazia')
  await page.goto(`${product.url}/brands`)
  await expect(page.getByRole('heading', { name: 'Volkswagen' })).toBeVisible()
  await seen('brands')
  await page.getByRole('button', { name: 'Editar regras de Volkswagen' }).click()
  await page.getByLabel('Modelo de nome').fill('{vin}')
  await page.getByLabel('Modelo de nome').blur()
  await expect(page.getByText('Variável desconhecida: {vin}')).toBeVisible()
  await seen('brands-regras')
  await page.goto(`${product.url}/nova-os`)
  await page.getByRole('button', { name: 'Criar OS' }).click()
  await expect(page.getByText('Número da OS é obrigatório')).toBeVisible()
  await seen('nova-os-erros')
  await page.goto(`${product.url}/os/1`)
  await expect(page.getByRole('heading', { name: 'OS 000123' })).toBeVisible()
  await seen('os-geral')
  await page.goto(`${product.url}/os/1?tab=evidencias`)
  await expect(page.getByText('Pronto', { exact: true })).toBeVisible()
  const checklist = page.getByRole('region', { name: 'Exigido por Honda' })
  await expect(checklist.getByText('Odômetro')).toBeVisible()
  await expect(checklist.getByRole('list', { name: 'Pendências' })).toBeVisible()
  await seen('os-evidencias')
  await page.getByRole('button', { name: 'Upload' }).click()
  await expect(page.getByText('Pacote final até 10 MB.')).toBeVisible()
  await seen('os-upload')
  await page.goto(`${product.url}/os/999`)
  await expect(page.getByText('Ordem de serviço não encontrada')).toBeVisible()
  await seen('os-ausente')
  await page.goto(`${product.url}/nao-existe`)
  await expect(page.getByText('Essa página ainda não está disponível.')).toBeVisible()
  await seen('nao-existe')
  expect(complaints.filter((text) => !text.includes('404 (Not Found)'))).toEqual([])
})

test('every screen about people is sound in both themes at three widths (GEN-2, SIGN-1, REC-1, RST-1, SET-1, COMP-16, ADM-18)', async ({
  page,
}) => {
  test.setTimeout(900_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  const seen = (name: string) => judgeInAllLooks(page, name)
  const open = (path: string) => page.goto(`${product.url}${path}`)
  const heading = (name: string) => expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  const button = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true })
  const dialog = page.getByRole('dialog')
  const toasts = page.locator('.toast')
  const dismissNotice = async () => {
    await toasts.getByRole('button', { name: 'Fechar' }).click()
    await expect(toasts).toHaveCount(0)
  }

  await open('/signup')
  await button('Criar conta').click()
  await expect(page.getByText('Nome completo é obrigatório')).toBeVisible()
  await seen('signup-erros')
  await open('/recover-password')
  await heading('Recuperar senha')
  await seen('recover-password')
  await open('/reset-password')
  await expect(button('Pedir um novo link')).toBeVisible()
  await seen('reset-password-sem-codigo')
  await open('/reset-password?token=qualquer')
  await button('Redefinir senha').click()
  await expect(page.getByText('Senha é obrigatória', { exact: true })).toBeVisible()
  await seen('reset-password-erros')

  await comeAs(page, product, product.first)
  await open('/settings')
  await button('Editar').click()
  await seen('settings-perfil')
  await open('/settings?tab=senha')
  await button('Salvar').click()
  await expect(page.getByText('Confirmação de senha é obrigatória')).toBeVisible()
  await seen('settings-senha')
  await open('/settings?tab=aparencia')
  await expect(page.getByRole('radio', { checked: true })).toBeVisible()
  await seen('settings-aparencia')
  await open('/settings?tab=sessoes')
  await expect(page.getByText('Esta sessão')).toBeVisible()
  await seen('settings-sessoes')
  await open('/settings?tab=tokens')
  await button('Criar token').click()
  await expect(page.getByText('Nome do token é obrigatório')).toBeVisible()
  await seen('settings-tokens')
  await open('/settings?tab=caixa')
  await expect(page.getByText('Guardada aqui').filter({ visible: true })).toBeVisible()
  await seen('settings-caixa')
  await page.getByText('ana@exemplo.com.br').filter({ visible: true }).click()
  await expect(dialog.getByText(/reset-password/)).toBeVisible()
  await seen('settings-mensagem')

  await open('/settings?tab=auditoria')
  await expect(page.getByText('Entrada · Usuário').first()).toBeVisible()
  await seen('settings-auditoria')

  await open('/companies')
  await expect(page.getByText('Auto Sul', { exact: true }).filter({ visible: true })).toBeVisible()
  await seen('companies')
  await button('Adicionar Empresa').click()
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('CNPJ é obrigatório')).toBeVisible()
  await seen('companies-nova-erros')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await button('Ações de Auto Sul').click()
  await page.getByRole('menuitem', { name: 'Editar' }).click()
  await expect(dialog.getByLabel('Nome Fantasia')).toHaveValue('Auto Sul')
  await seen('companies-editar')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await button('Ações de Auto Sul').click()
  await page.getByRole('menuitem', { name: 'Excluir' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir', exact: true }).click()
  await expect(page.getByText(/A empresa possui registros vinculados/)).toBeVisible()
  await dismissNotice()
  await seen('companies-excluir-conflito')
  await open('/companies?search=nada')
  await expect(page.getByText('Nenhuma empresa encontrada')).toBeVisible()
  await seen('companies-vazia')

  await open('/admin')
  await expect(page.getByText('Gil Gestor').filter({ visible: true })).toBeVisible()
  await seen('admin')
  await button('Adicionar Usuário').click()
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Nome completo é obrigatório')).toBeVisible()
  await seen('admin-novo-dados')
  await dialog.getByRole('tab', { name: 'Organização' }).click()
  await seen('admin-novo-organizacao')
  await dialog.getByRole('tab', { name: 'Segurança' }).click()
  await seen('admin-novo-seguranca')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await button('Ações de Gil Gestor').click()
  await page.getByRole('menuitem', { name: 'Editar' }).click()
  await expect(dialog.getByLabel('Nome completo')).toHaveValue('Gil Gestor')
  await dialog.getByLabel('Nome completo').fill('Gil G.')
  await seen('admin-editar')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Descartar alterações?')
  await seen('admin-descartar')
  expect(complaints.filter((text) => !text.includes('409 (Conflict)'))).toEqual([])
})

/** A company with a branch, a manager with a technician, and a mail that waits. */
async function seedPeople() {
  const { post } = await apiAs(product, product.first)
  const company = { legal_name: 'Auto Sul Veículos e Peças Ltda', type: 'matriz', is_active: true }
  const { id: company_id } = await post('/companies', {
    ...company,
    trading_name: 'Auto Sul',
    tax_id: '11444777000161',
  })
  await post('/companies', {
    ...company,
    trading_name: 'Auto Sul Centro',
    tax_id: '12ABC34501DE35',
    type: 'filial',
    parent_id: company_id,
    is_active: false,
  })
  const person = { company_id, password: PASSWORD }
  const { id: manager_id } = await post('/users', {
    ...person,
    full_name: 'Gil Gestor',
    email: 'gil',
    role: 'manager',
    cpf: '52998224725',
    department: 'Garantia',
    position: 'Gerente de pós-venda',
  })
  await post('/users', { ...person, full_name: 'Tina Torres', email: 'tina', role: 'technician', manager_id })
  const ana = await signUp(product, 'Ana Lima', 'ana@exemplo.com.br')
  await post(`/password-recovery/${ana.email}`)
}
