import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { createOrderFixture } from './order-fixture.ts'
import {
  apiAs,
  expectFieldError,
  loginField,
  notice,
  openSignedIn,
  PASSWORD,
  recordCalls,
  refusal,
  signUp,
  submitSignIn,
  tabTo,
  tabToAndPress,
  typeInto,
} from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
test.beforeAll(async () => {
  product = await openProduct()
})

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const at = (path: string) => `${product.url}${path}`

test('the profile, by mouse, and the daily mail, by mouse and by keyboard (SET-1 to SET-6)', async ({
  page,
}) => {
  await openSignedIn(page, product, await signUp(product, 'Fábio Nunes', 'fabio@exemplo.com.br'))
  const sent = recordCalls(page, 'account.change')
  await page.goto(at('/settings'))
  await expect(page.getByRole('tab')).toHaveText([
    'Meu Perfil',
    'Senha',
    'Aparência (tema)',
    'Segurança',
    'Sessões',
    'Tokens de API',
  ])
  const facts = page.getByRole('region', { name: 'Meus dados' })
  await expect(facts).toContainText('Fábio Nunes')
  await expect(facts).toContainText('fabio@exemplo.com.br')
  const edit = page.getByRole('button', { name: 'Editar' })
  await edit.click()
  const [name, save] = [field(page, 'Nome completo'), page.getByRole('button', { name: 'Salvar' })]
  await expect(save).toBeDisabled()
  await name.fill('x'.repeat(31))
  await name.blur()
  await expectFieldError(name, 'Máximo de 30 caracteres')
  await loginField(page).fill('')
  await expect(save).toBeDisabled()
  await loginField(page).blur()
  await expectFieldError(loginField(page), 'Email ou nome de usuário é obrigatório')
  await loginField(page).fill('ab')
  await expectFieldError(loginField(page), 'Mínimo de 3 caracteres')
  await page.getByRole('tab', { name: 'Senha' }).click()
  await page.getByRole('button', { name: 'Continuar editando' }).click()
  await page.getByRole('button', { name: 'Cancelar' }).click()
  await expect(facts).toContainText('Fábio Nunes')
  await expect(edit).toBeFocused()

  await edit.click()
  await loginField(page).fill(product.firstSuperuser.email)
  await save.click()
  await expect(notice(page, 'Erro', 'Já existe um usuário com este email.')).toBeVisible()
  await expect(loginField(page)).toBeFocused()
  await loginField(page).fill('fabio@exemplo.com.br')
  await name.fill('Fábio N. Souza')
  await save.click()
  await expect(notice(page, 'Sucesso!', 'Usuário atualizado com sucesso.')).toBeVisible()
  await expect(facts).toContainText('Fábio N. Souza')
  // The daily mail is chosen by mouse and taken back by keyboard.
  const digest = page.getByRole('switch', { name: 'Resumo diário por email' })
  await expect(digest).not.toBeChecked()
  await page.getByText('Resumo diário por email').click()
  await expect(digest).toBeChecked()
  await page.reload()
  await expect(digest).toBeChecked()
  await tabToAndPress(page, digest, 'Space')
  await expect(digest).not.toBeChecked()
  expect(sent.at(-1)).toEqual({ full_name: 'Fábio N. Souza' })
})

test('by keyboard alone: profile, password, theme, sessions, account deletion (SET-1 to SET-10)', async ({
  page,
}) => {
  await openSignedIn(page, product, await signUp(product, 'Gabi Melo', 'gabi@exemplo.com.br'))
  await page.goto(at('/settings'))
  await tabToAndPress(page, page.getByRole('button', { name: 'Editar' }))
  await expect(field(page, 'Nome completo')).toBeFocused()
  await typeInto(page, field(page, 'Nome completo'), 'Gabi M. Melo')
  const sent = recordCalls(page, 'account.change')
  // A long key press: Enter repeats while the form closes, and is released over the button that reappears.
  for (let press = 0; press < 5; press++) await page.keyboard.down('Enter')
  await expect(notice(page, 'Sucesso!', 'Usuário atualizado com sucesso.')).toBeVisible()
  const edit = page.getByRole('button', { name: 'Editar' })
  await expect(edit).toBeFocused()
  for (let press = 0; press < 5; press++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  expect(sent).toHaveLength(1)
  await expect(edit).toBeFocused()

  await tabTo(page, tab(page, 'Meu Perfil'), 'Shift+Tab')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(at('/settings?tab=senha'))
  await typeInto(page, field(page, 'Senha atual'), PASSWORD)
  await typeInto(page, field(page, 'Nova senha'), 'senha-nova-da-gabi')
  await typeInto(page, field(page, 'Confirmar senha'), 'senha-nova-da-gabi')
  await page.keyboard.press('Enter')
  await expect(notice(page, 'Senha alterada com sucesso.')).toBeVisible()

  await tabTo(page, tab(page, 'Senha'), 'Shift+Tab')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('radio', { name: /Escuro/ }))
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: /Claro/ })).toBeChecked()
  await page.reload()
  await expect(page.getByRole('radio', { name: /Claro/ })).toBeChecked()

  await apiAs(product, { email: 'gabi@exemplo.com.br', password: 'senha-nova-da-gabi' })
  await tabTo(page, tab(page, 'Aparência (tema)'))
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Segurança')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await tabToAndPress(page, page.getByRole('button', { name: /^Encerrar:/ }))
  await expect(notice(page, 'Sessão encerrada')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Sessões abertas' })).toBeFocused()

  await tabTo(page, tab(page, 'Sessões'), 'Shift+Tab')
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Tokens de API')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Meu Perfil')).toBeFocused()
  await page.keyboard.press('Enter')
  await tabToAndPress(page, page.getByRole('button', { name: 'Excluir minha conta' }))
  const question = page.getByRole('alertdialog')
  await expect(question.getByRole('button', { name: 'Cancelar' })).toBeFocused()
  await tabToAndPress(page, question.getByRole('button', { name: 'Excluir minha conta' }))
  await expect(page).toHaveURL(at('/login'))
  await expect(notice(page, 'Conta excluída com sucesso.')).toBeVisible()
  await submitSignIn(page, { email: 'gabi@exemplo.com.br', password: 'senha-nova-da-gabi' })
  await expect(refusal(page, 'Usuário ou senha incorretos.')).toBeVisible()
})

test('the password, by mouse (SET-7 to SET-9)', async ({ page }) => {
  const hugo = await signUp(product, 'Hugo Pinto', 'hugo@exemplo.com.br')
  await openSignedIn(page, product, hugo)
  await page.goto(at('/settings'))
  await page.getByRole('tab', { name: 'Senha' }).click()
  const [now, chosen] = [field(page, 'Senha atual'), field(page, 'Nova senha')]
  const [repeated, save] = [field(page, 'Confirmar senha'), page.getByRole('button', { name: 'Salvar' })]
  await save.click()
  await expectFieldError(now, 'Senha é obrigatória')
  await expectFieldError(chosen, 'Senha é obrigatória')
  await expectFieldError(repeated, 'Confirmação de senha é obrigatória')
  await now.fill('senha-errada')
  await chosen.fill('curta')
  await expectFieldError(chosen, 'Senha deve ter pelo menos 8 caracteres')
  await chosen.fill('senha-nova-do-hugo')
  await repeated.fill('outra')
  await expectFieldError(repeated, 'As senhas não coincidem')
  await repeated.fill('senha-nova-do-hugo')
  await save.click()
  await expect(notice(page, 'Erro', 'Senha atual incorreta')).toBeVisible()
  await now.fill(PASSWORD)
  await save.click()
  await expect(notice(page, 'Senha alterada com sucesso.')).toBeVisible()
  await expect(chosen).toHaveValue('')
  await expect(page.locator('.field-error')).toHaveCount(0)
  await apiAs(product, { ...hugo, password: 'senha-nova-do-hugo' })
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Senha' })).toHaveAttribute('aria-selected', 'true')
})

test('a success toast stays five seconds (GEN-8, GEN-9, SET-9)', async ({ page }) => {
  await openSignedIn(page, product, await signUp(product, 'Kátia Luz', 'katia@exemplo.com.br'))
  await page.clock.install()
  await page.goto(at('/settings'))
  await page.getByRole('button', { name: 'Editar' }).click()
  await field(page, 'Nome completo').fill('Kátia Luz Dias')
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await page.getByRole('button', { name: 'Salvar' }).click()
  const done = notice(page, 'Sucesso!', 'Usuário atualizado com sucesso.')
  await expect(async () => {
    await page.clock.runFor(50)
    await expect(done).toBeVisible({ timeout: 100 })
  }).toPass()
  await page.clock.runFor(4_500)
  await expect(done).toBeVisible()
  await page.clock.runFor(1_000)
  await page.clock.resume()
  await expect(done).toHaveCount(0, { timeout: 3_000 })
})

test('closing one of two toasts leaves the newer one as it was', async ({ page }) => {
  await openSignedIn(page, product, await signUp(product, 'Nara Reis', 'nara@exemplo.com.br'))
  await page.goto(at('/settings'))
  for (const name of ['Nara Reis Neto', 'Nara Reis Nunes']) {
    await page.getByRole('button', { name: 'Editar' }).click()
    await field(page, 'Nome completo').fill(name)
    await page.getByRole('button', { name: 'Salvar' }).click()
    await expect(page.getByRole('button', { name: 'Editar' })).toBeVisible()
  }
  const notices = page.locator('.toast')
  await expect(notices).toHaveCount(2)
  const leaving = await notices.evaluateAll(async (all) => {
    all.at(-1)?.querySelector<HTMLElement>('[aria-label="Fechar"]')?.click()
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
    return all.map((one) => one.matches('.bp6-toast-exit-active'))
  })
  expect(leaving).toEqual([false, true])
  await expect(notices).toHaveCount(1)
})

test('theme and sessions, by mouse (SET-10, GEN-2, D-36)', { tag: '@exhaustive' }, async ({ page }) => {
  const iara = await signUp(product, 'Iara Prado', 'iara@exemplo.com.br')
  await openSignedIn(page, product, iara)
  const { token } = await apiAs(product, iara)
  await page.goto(at('/settings?tab=aparencia'))
  await expect(page.getByRole('radio', { name: /Escuro/ })).toBeChecked()
  await expect(page.locator('html')).toHaveClass(/bp6-dark/)
  await page.getByRole('radio', { name: /Claro/ }).check()
  await page.reload()
  await expect(page.getByRole('radio', { name: /Claro/ })).toBeChecked()
  await expect(page.locator('html')).not.toHaveClass(/bp6-dark/)

  await page.getByRole('tab', { name: 'Sessões' }).click()
  const sessions = page.getByRole('list', { name: 'Sessões abertas' }).getByRole('listitem')
  await expect(sessions).toHaveCount(2)
  await expect(sessions.first()).toContainText('Esta sessão')
  await sessions
    .last()
    .getByRole('button', { name: /^Encerrar/ })
    .click()
  await expect(notice(page, 'Sessão encerrada')).toBeVisible()
  await expect(sessions).toHaveCount(1)
  const answer = await fetch(at('/api/v1/users/me'), { headers: { authorization: `Bearer ${token}` } })
  expect(answer.status).toBe(401)
})

test('without a mail server the superuser passes the recovery mail on (D-46, REC-3)', async ({ page }) => {
  const joao = await signUp(product, 'João Braga', 'joao@exemplo.com.br')
  await page.goto(at('/recover-password'))
  await field(page, 'Email').fill(joao.email)
  await page.getByRole('button', { name: 'Enviar instruções' }).click()
  await expect(page.getByText('Nós enviamos um email com instruções')).toBeVisible()
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(at('/settings'))
  await page.getByRole('tab', { name: 'Caixa de saída' }).click()
  const row = page.getByRole('row').filter({ hasText: joao.email })
  await expect(row).toContainText('Guardada aqui')
  await row.click()
  const mailDialog = page.getByRole('dialog')
  await expect(mailDialog).toContainText(`${product.url}/reset-password?token=`)
  await page.keyboard.press('Escape')
  await expect(mailDialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Excluir minha conta' })).toHaveCount(0)
})

test('a superuser reads the audit trail; others have no such tab (D-38)', async ({ page }) => {
  const { post, patch } = await apiAs(product, product.firstSuperuser)
  const matriz = { trading_name: 'Auto Leste', legal_name: 'Auto Leste Ltda', tax_id: '11444777000161' }
  const { id } = await post('/companies', { ...matriz, type: 'matriz' })
  await patch(`/companies/${id}`, { city: 'Santos' })
  const lia = await signUp(product, 'Lia Moura', 'lia@exemplo.com.br')
  await openSignedIn(page, product, lia)
  await page.goto(at('/settings?tab=auditoria'))
  await expect(tab(page, 'Meu Perfil')).toHaveAttribute('aria-selected', 'true')
  await expect(tab(page, 'Auditoria')).toHaveCount(0)

  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(at('/settings'))
  await tab(page, 'Auditoria').click()
  const entries = page.getByRole('list', { name: 'Auditoria' }).getByRole('listitem')
  await expect(entries.filter({ hasText: 'Entrada' }).first()).toContainText('127.0.0.1')
  await page.getByLabel('Assunto').selectOption('company')
  await expect(entries).toHaveCount(2)
  await expect(entries.first()).toContainText('Alteração · Empresa Auto Leste')
  await expect(entries.first()).toContainText('Cidade: — → Santos')
  await page.getByLabel('Assunto').selectOption('')
  const more = page.getByRole('button', { name: 'Mostrar mais' })
  await expect(entries).toHaveCount(25)
  await more.click()
  await expect.poll(() => entries.count()).toBeGreaterThan(25)
})

test('a superuser reads who saw personal data and what was refused, and exports it (D-38)', async ({
  page,
}) => {
  await fetch(`${product.url}/api/v1/login/access-token`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'ninguem', password: 'errada' }),
  })
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(at('/settings'))
  await tab(page, 'Registro de segurança').click()
  const entries = page.getByRole('list', { name: 'Registro de segurança' }).getByRole('listitem')
  await expect(async () => {
    await page.getByRole('button', { name: 'Atualizar' }).click()
    await expect(entries.filter({ hasText: 'Entrada recusada' })).toContainText('127.0.0.1', { timeout: 500 })
  }).toPass()
  await page.getByLabel('Mostrar').selectOption('reads')
  await expect(entries.filter({ hasText: 'Entrada recusada' })).toHaveCount(0)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar (JSON)' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toMatch(/^registro-de-seguranca-\d{8}\.jsonl$/)
  const lines = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).kind)).toContain('refused.sign_in')
  expect(JSON.parse(lines.at(-1) ?? '').kind).toBe('security_log.exported')
  await page.getByRole('button', { name: 'Atualizar' }).click()
  await expect(entries.first()).toContainText('Registro de segurança exportado')
})

test('an administrator sees what is used of disk and limits; others have no such tab (D-38)', async ({
  page,
}) => {
  const { post } = await apiAs(product, product.firstSuperuser)
  const norte = { trading_name: 'Auto Norte', legal_name: 'Auto Norte Ltda', tax_id: '11222333000181' }
  await post('/companies', { ...norte, type: 'matriz' })
  await openSignedIn(page, product, await signUp(product, 'Nina Reis', 'nina@exemplo.com.br'))
  await page.goto(at('/settings?tab=armazenamento'))
  await expect(tab(page, 'Meu Perfil')).toHaveAttribute('aria-selected', 'true')
  await expect(tab(page, 'Armazenamento')).toHaveCount(0)

  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(at('/settings'))
  await tab(page, 'Armazenamento').click()
  const part = (name: string) => page.getByRole('region', { name })
  await expect(part('Disco')).toContainText('Cabe ainda')
  await expect(part('Seu uso').getByRole('listitem')).toContainText([
    /Envios em aberto\s*0 B de 20 GB/,
    /Enviado em 24 horas\s*0 B de 50 GB/,
    /Dossiês pedidos nesta hora\s*0 de 60/,
  ])
  await expect(part('Concessionárias').getByRole('listitem').filter({ hasText: 'Auto Norte' })).toContainText(
    '0 B de 5.000 GB',
  )
  await expect(page.getByRole('progressbar', { name: 'Auto Norte' })).toHaveAttribute(
    'aria-valuetext',
    '0 B de 5.000 GB',
  )
})

test('another system is told of what happens, and told again, by keyboard, by superusers alone', async ({
  page,
}) => {
  const ana = await signUp(product, 'Ana Webhook', 'ana.webhook@exemplo.com.br')
  await openSignedIn(page, product, ana)
  await page.goto(at('/settings?tab=webhooks'))
  await expect(tab(page, 'Meu Perfil')).toHaveAttribute('aria-selected', 'true')
  await expect(tab(page, 'Webhooks')).toHaveCount(0)

  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(at('/settings?tab=webhooks'))
  await expect(page.getByText('Nenhum sistema é avisado')).toBeVisible()
  await typeInto(page, field(page, 'Endereço'), 'dms.example')
  await page.keyboard.press('Enter')
  await expectFieldError(field(page, 'Endereço'), 'O endereço deve começar com https://')
  await field(page, 'Endereço').fill('https://[::1]/avisos')
  await tabToAndPress(page, page.getByRole('checkbox', { name: 'Evidências' }), 'Space')
  await page.keyboard.press('Control+s')
  await expect(field(page, 'Segredo criado')).toHaveValue(/^whsec_[\w+/]{43}=$/)
  await tabToAndPress(page, page.getByRole('button', { name: 'Já guardei o segredo' }))
  const row = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem')
  await expect(row).toContainText('OS, Conversão, Pacotes, Dossiês, Solicitações')

  const fixture = await createOrderFixture(product)
  await fixture.order({ os_number: '000777' })
  await tabToAndPress(page, page.getByRole('button', { name: 'Mensagens: https://[::1]/avisos' }))
  const messages = page.getByRole('dialog').getByRole('listitem')
  await expect(messages).toContainText(/Desistiu.*order\.opened.*OS 000777/, { timeout: 30_000 })
  await tabToAndPress(page, page.getByRole('button', { name: 'Reenviar as que falharam' }))
  await expect(notice(page, 'Reenvio pedido', '1 mensagem na fila')).toBeVisible()
  await page.keyboard.press('Escape')
  await tabToAndPress(page, page.getByRole('button', { name: 'Remover: https://[::1]/avisos' }))
  await tabToAndPress(page, page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }))
  await expect(notice(page, 'Webhook removido', 'https://[::1]/avisos')).toBeVisible()
})
