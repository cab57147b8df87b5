import { expect, test } from '@playwright/test'
import { openSignedIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import {
  blockProcedures,
  collectPageErrors,
  LONG_NAME,
  screenHelpers,
  seedOrders,
  seedPeople,
} from './screens-fixture.ts'

let product: Product
test.beforeAll(async () => {
  product = await openProduct()
  await seedOrders(await seedPeople(product))
})

test('the sign-in screens pass the visual audit, also with errors (LOGIN-1, SIGN-1, REC-1, RST-1)', async ({
  page,
}) => {
  test.setTimeout(600_000)
  const complaints = collectPageErrors(page)
  const { audit, open, text, button } = screenHelpers(page, product)
  await open('/login')
  await page.getByLabel('Email ou nome de usuário').fill('ninguem')
  await page.getByLabel('Senha', { exact: true }).fill('senha-errada')
  await button('Entrar').click()
  await text('Usuário ou senha incorretos.')
  await audit('login-recusado')
  await open('/signup')
  await button('Criar conta').click()
  await text('Nome completo é obrigatório')
  await audit('signup-erros')
  await open('/recover-password')
  await expect(page.getByRole('heading', { name: 'Recuperar senha' })).toBeVisible()
  await audit('recover-password')
  await open('/reset-password')
  await expect(button('Pedir um novo link')).toBeVisible()
  await audit('reset-password-sem-codigo')
  await open('/reset-password?token=qualquer')
  await button('Redefinir senha').click()
  await text('Senha é obrigatória')
  await audit('reset-password-erros')
  await open('/undo-login?token=qualquer')
  await button('Não fui eu: desfazer').click()
  await text('O link é inválido, já foi usado ou expirou. Fale com um administrador.')
  await audit('undo-login-recusado')
  expect(complaints('400 (Bad Request)')).toEqual([])
})

test('each tab of the settings passes the visual audit (SET-1)', async ({ page }) => {
  test.setTimeout(600_000)
  const complaints = collectPageErrors(page)
  const { audit, open, text, button, dialog } = screenHelpers(page, product)
  await openSignedIn(page, product, product.firstSuperuser)
  await open('/settings')
  await button('Editar').click()
  await expect(page.getByLabel('Nome completo')).toBeVisible()
  await audit('settings-perfil')
  await open('/settings?tab=senha')
  await button('Salvar').click()
  await text('Confirmação de senha é obrigatória')
  await audit('settings-senha')
  await open('/settings?tab=aparencia')
  await expect(page.getByRole('radio', { checked: true })).toBeVisible()
  await audit('settings-aparencia')
  await open('/settings?tab=sessoes')
  await text('Esta sessão')
  await audit('settings-sessoes')
  await open('/settings?tab=tokens')
  await button('Criar token').click()
  await text('Nome do token é obrigatório')
  await audit('settings-tokens')
  await open('/settings?tab=caixa')
  await text('Guardada aqui')
  await audit('settings-caixa')
  await page.getByText('bia@exemplo.com.br').filter({ visible: true }).click()
  await expect(dialog.getByText(/reset-password/)).toBeVisible()
  await audit('settings-mensagem')
  await open('/settings?tab=auditoria')
  await text('Entrada · Usuário')
  await audit('settings-auditoria')
  await open('/settings?tab=registro')
  const log = page.getByRole('list', { name: 'Registro de segurança' })
  await expect(log.locator('time').first().or(page.getByText('Nenhum registro'))).toBeVisible()
  await audit('settings-seguranca')
  await open('/settings?tab=armazenamento')
  await text('Cabe ainda')
  await audit('settings-armazenamento')
  await blockProcedures(page, ['audit.list', 'mail.list'], 'error')
  await open('/settings?tab=caixa')
  await text('Tentar novamente')
  await audit('settings-caixa-erro')
  expect(complaints('Failed to load resource')).toEqual([])
})

test('companies and users pass the visual audit full, empty, loading, failed, edited and removed (COMP-1, ADM-1)', async ({
  page,
}) => {
  test.setTimeout(900_000)
  const complaints = collectPageErrors(page)
  const { audit, open, text, button, dialog, confirmDialog, menu } = screenHelpers(page, product)
  const company = 'Concessionária Pernambucana de Veículos e Peças Automotivas'
  const save = () => dialog.getByRole('button', { name: 'Salvar' }).click()
  const cancel = () => dialog.getByRole('button', { name: 'Cancelar' }).click()
  await openSignedIn(page, product, product.firstSuperuser)

  await open('/companies')
  await text('Auto Sul 1')
  await audit('companies')
  await open('/companies?search=Pernambucana')
  await text(company)
  await audit('companies-acoes', { prepare: menu(`Ações de ${company}`) })
  await page.getByRole('menuitem', { name: 'Editar' }).click()
  await expect(dialog.getByLabel('Nome Fantasia')).toHaveValue(company)
  await audit('companies-editar')
  await cancel()
  await button('Adicionar Empresa').click()
  await save()
  await expect(dialog.getByText('CNPJ é obrigatório')).toBeVisible()
  await audit('companies-nova-erros')
  await cancel()
  await button(`Ações de ${company}`).click()
  await page.getByRole('menuitem', { name: 'Excluir' }).click()
  await confirmDialog.getByRole('button', { name: 'Excluir', exact: true }).click()
  await text(/A empresa possui registros vinculados/)
  await page.locator('.toast').getByRole('button', { name: 'Fechar' }).click()
  await audit('companies-excluir-conflito')
  await open('/companies?search=nada')
  await text('Nenhuma empresa encontrada')
  await audit('companies-vazia')

  await open('/admin')
  await text(LONG_NAME)
  await audit('admin')
  await button('Adicionar Usuário').click()
  await save()
  await expect(dialog.getByText('Nome completo é obrigatório')).toBeVisible()
  await audit('admin-novo-dados')
  await dialog.getByRole('tab', { name: 'Organização' }).click()
  await audit('admin-novo-organizacao')
  await dialog.getByRole('tab', { name: 'Segurança' }).click()
  await audit('admin-novo-seguranca')
  await cancel()
  await button('Ações de Gil Gestor').click()
  await page.getByRole('menuitem', { name: 'Editar' }).click()
  await expect(dialog.getByLabel('Nome completo')).toHaveValue('Gil Gestor')
  await dialog.getByLabel('Nome completo').fill('Gil G.')
  await cancel()
  await expect(confirmDialog).toContainText('Descartar alterações?')
  await audit('admin-descartar')

  await blockProcedures(page, ['companies.list', 'users.list'], 'never')
  for (const path of ['companies', 'admin']) {
    await open(`/${path}`)
    await expect(page.locator('.skeleton').first()).toBeAttached()
    await audit(`${path}-carregando`)
  }
  await blockProcedures(page, ['companies.list', 'users.list'], 'error')
  for (const path of ['companies', 'admin']) {
    await open(`/${path}`)
    await text('Tentar novamente')
    await audit(`${path}-erro`)
  }
  expect(complaints('Failed to load resource')).toEqual([])
})

test('brands and their rules pass the visual audit full, refused, loading and failed (BRD-1)', async ({
  page,
}) => {
  test.setTimeout(600_000)
  const complaints = collectPageErrors(page)
  const { audit, open, text, button } = screenHelpers(page, product)
  await openSignedIn(page, product, product.firstSuperuser)
  await open('/brands')
  await expect(page.getByRole('heading', { name: 'Volkswagen' })).toBeVisible()
  await audit('brands')
  await button('Editar regras de Volkswagen').click()
  await page.getByLabel('Modelo de nome').fill('{vin}')
  await page.getByLabel('Modelo de nome').blur()
  await text('Variável desconhecida: {vin}')
  await audit('brands-regras')
  await blockProcedures(page, ['brands.list'], 'never')
  await open('/brands')
  await expect(page.locator('.skeleton').first()).toBeAttached()
  await audit('brands-carregando')
  await blockProcedures(page, ['brands.list'], 'error')
  await open('/brands')
  await text('Tentar novamente')
  await audit('brands-erro')
  expect(complaints('Failed to load resource')).toEqual([])
})

test('toasts pass the visual audit, and stay in the corner of the window however far the page is scrolled (GEN-8)', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const { audit, open, button, confirmDialog } = screenHelpers(page, product)
  await openSignedIn(page, product, product.firstSuperuser)
  await page.setViewportSize({ width: 390, height: 700 })
  await open('/companies')
  await button('Ações de Auto Sul 6').click()
  await page.getByRole('menuitem', { name: 'Excluir' }).click()
  await confirmDialog.getByRole('button', { name: 'Excluir', exact: true }).click()
  const notice = page.locator('.toast').first()
  await expect(notice).toBeInViewport({ ratio: 1 })
  // A toast with the focus inside does not time out.
  await notice.getByRole('button', { name: 'Fechar' }).focus()
  await audit('aviso', { withNotices: true })
})

test('a menu opens at its button, and the page keeps its scroll position', async ({ page }) => {
  const { open, button } = screenHelpers(page, product)
  await openSignedIn(page, product, product.firstSuperuser)
  await page.setViewportSize({ width: 390, height: 700 })
  await open('/companies')
  const opener = button(/^Ações de /).last()
  await opener.scrollIntoViewIfNeeded()
  // Raw mouse events: a locator, and its checks, would scroll.
  const { x = 0, y = 0, height = 0 } = (await opener.boundingBox()) ?? {}
  await page.mouse.click(x + 8, y + 8)
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  const menu = page.getByRole('menu')
  await expect.poll(async () => (await menu.boundingBox())?.y).toBeGreaterThan(y + height)
  expect((await opener.boundingBox())?.y).toBe(y)
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0)
})
