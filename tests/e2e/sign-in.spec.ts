import { expect, type Locator, type Page, test } from '@playwright/test'
import { TOTP } from 'otpauth'
import { Client } from 'pg'
import { CLIENT, startDirectory } from '../support/directory.ts'
import { freePort } from '../support/product.ts'
import { apiAs, loginField, notice, openSignedIn, PASSWORD, signUp, storedToken } from './page-helpers.ts'
import { type OwnProduct, startProduct } from './product.ts'
import { auditAllViewports } from './visual-audit.ts'

const people = {
  iris: { email: 'iris@exemplo.com.br', name: 'Íris Prado', groups: ['pos-venda'] },
}
let directory: Awaited<ReturnType<typeof startDirectory>>
let product: OwnProduct
/** The product by a name, since browsers make passkeys for no IP address. */
let named = ''
test.beforeAll(async () => {
  const port = await freePort()
  directory = await startDirectory(people, { url: `http://127.0.0.1:${port}` })
  product = await startProduct({
    ...CLIENT,
    PORT: String(port),
    OIDC_ISSUER: directory.issuer,
    OIDC_NAME: 'conta Exemplo',
    OIDC_ROLES: 'pos-venda=manager',
    SECOND_FACTOR_REQUIRED: 'superuser',
  })
  named = product.url.replace('127.0.0.1', 'localhost')
})
test.afterAll(async () => {
  await product.stop()
  await directory.stop()
})

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
const password = (page: Page) => page.getByLabel('Senha', { exact: true })
const code = (page: Page) => page.getByLabel('Código de verificação')
const account = (page: Page, name: string) => page.getByRole('button', { name: `Menu de ${name}` })

async function fillSignIn(page: Page, email: string) {
  await loginField(page).fill(email)
  await password(page).fill(PASSWORD)
  await password(page).press('Enter')
}
async function query(text: string, values: unknown[]) {
  const client = new Client({ connectionString: product.databaseUrl })
  await client.connect()
  return client.query(text, values).finally(() => client.end())
}
/** The key of the authenticator that is being set up. */
const secretOn = async (page: Page) =>
  ((await page.locator('.totp-key').textContent()) ?? '').replaceAll(' ', '')
/** As if the person had signed in a quarter of an hour ago. */
const age = (email: string) =>
  query(
    `update sessions set confirmed_at = now() - interval '15 minutes'
      where user_id = (select id from users where email = $1)`,
    [email],
  )

test('codes are turned on, asked for at sign-in, and replaced by a recovery code, without a mouse', async ({
  page,
}) => {
  const ana = await signUp(product, 'Ana Lima', 'ana@exemplo.com.br')
  await openSignedIn(page, product, ana)
  await page.goto(`${product.url}/settings?tab=seguranca`)
  await expect(page.getByText('Este endereço não aceita chaves de acesso')).toBeVisible()
  await button(page, 'Ativar a verificação em duas etapas').press('Enter')
  await expect(page.getByRole('img', { name: 'Código QR para o aplicativo autenticador' })).toBeVisible()
  await expect(code(page)).toBeFocused()
  await auditAllViewports(page, 'seguranca-ativar')
  const secret = await secretOn(page)
  const now = (steps = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 })
  await code(page).fill('000000')
  await code(page).press('Enter')
  await expect(code(page)).toHaveAccessibleDescription(/Código de verificação incorreto\./)
  await code(page).fill(now(-1))
  await code(page).press('Enter')
  const codes = page.getByRole('list', { name: 'Códigos de recuperação' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const [recovery = ''] = await codes.allInnerTexts()
  await auditAllViewports(page, 'seguranca-codigos')
  await button(page, 'Já guardei os códigos').press('Enter')
  await expect(page.getByText('10 códigos restantes')).toBeVisible()

  for (const right of [now(), recovery]) {
    await page.evaluate(() => localStorage.clear())
    await page.goto(`${product.url}/login?redirect=%2Fsettings%3Ftab%3Dseguranca`)
    await fillSignIn(page, ana.email)
    await expect(code(page)).toBeFocused()
    await code(page).fill('000000')
    await code(page).press('Enter')
    await expect(code(page)).toHaveAccessibleDescription(/Código de verificação incorreto\./)
    await expect(code(page)).toHaveValue('000000')
    if (right === recovery) await auditAllViewports(page, 'login-codigo')
    await code(page).fill(right)
    await code(page).press('Enter')
    await expect(page.getByText('Ativada', { exact: true })).toBeVisible()
  }
  await expect(page.getByText('9 códigos restantes')).toBeVisible()
})

test('what changes who gets in asks for the password when the session is old, and then goes on by itself', async ({
  page,
}) => {
  const rui = await signUp(product, 'Rui Reis', 'rui@exemplo.com.br')
  await openSignedIn(page, product, rui)
  await page.goto(`${product.url}/settings`)
  await button(page, 'Editar').click()
  await loginField(page).fill('rui.novo')
  await age(rui.email)
  await button(page, 'Salvar').click()
  const dialog = page.getByRole('dialog', { name: 'Confirme que é você' })
  await expect(password(page)).toBeFocused()
  await password(page).fill('senha-errada')
  await password(page).press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('Senha atual incorreta')
  await auditAllViewports(page, 'confirmar-identidade')
  await button(dialog, 'Cancelar').click()
  await expect(dialog).toBeHidden()
  await expect(notice(page, 'Erro', 'Confirme a sua senha para continuar.')).toBeVisible()
  await expect(loginField(page)).toHaveValue('rui.novo')

  await button(page, 'Salvar').click()
  await password(page).fill(PASSWORD)
  await password(page).press('Enter')
  await expect(notice(page, 'Sucesso!', 'Usuário atualizado com sucesso.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Meus dados' })).toContainText('rui.novo')
})

test('who did not change their login takes the account back by the link in the mail', async ({ page }) => {
  const eva = await signUp(product, 'Eva Dias', 'eva@exemplo.com.br')
  const otherSession = await apiAs(product, eva)
  await otherSession.patch('/users/me', { email: 'ladrao' })
  await page.goto(await undoLink(eva.email))
  await button(page, 'Não fui eu: desfazer').click()
  await expect(page).toHaveURL(/\/reset-password\?token=/)
  await page.getByLabel('Nova senha', { exact: true }).fill('minha-de-novo')
  await page.getByLabel('Confirmar senha').fill('minha-de-novo')
  await button(page, 'Redefinir senha').click()
  await expect(page).toHaveURL(/\/login/)
  await loginField(page).fill('eva@exemplo.com.br')
  await password(page).fill('minha-de-novo')
  await password(page).press('Enter')
  await expect(account(page, 'Eva Dias')).toBeVisible()
})

test('every session and token is ended at once, and a new password can end the tokens too', async ({
  page,
}) => {
  const gil = await signUp(product, 'Gil Melo', 'gil@exemplo.com.br')
  const api = await apiAs(product, gil)
  await api.post('/tokens', { name: 'ERP', expires_in_days: 30, scope: 'read' })
  await openSignedIn(page, product, gil)
  await page.goto(`${product.url}/settings?tab=senha`)
  await expect(page.getByRole('switch', { name: 'Revogar também os meus tokens de API' })).toBeChecked()
  await page.getByRole('tab', { name: 'Sessões' }).click()
  await button(page, 'Encerrar todas as sessões').click()
  await auditAllViewports(page, 'encerrar-sessoes')
  await button(page, 'Encerrar todas').click()
  await expect(notice(page, 'Sessões encerradas')).toBeVisible()
  await expect(page).toHaveURL(/\/login/)
  await expect(api.patch('/users/me', { full_name: 'Outro' })).rejects.toThrow('401')
  await fillSignIn(page, gil.email)
  await expect(account(page, 'Gil Melo')).toBeVisible()
  await page.goto(`${product.url}/settings?tab=tokens`)
  await expect(page.getByText('Nenhum token criado')).toBeVisible()
})

test('an administrator lets somebody in again who has lost the telephone', async ({ page }) => {
  const [lia, chief] = [
    await signUp(product, 'Lia Nunes', 'lia@exemplo.com.br'),
    await signUp(product, 'Davi Chefe', 'davi@exemplo.com.br'),
  ]
  await query(`update users set role = 'admin' where email = $1`, [chief.email])
  await query(
    `insert into totp_secrets (user_id, encrypted_secret, confirmed_at)
      select id, 'AAAA', now() from users where email = $1`,
    [lia.email],
  )
  await openSignedIn(page, product, chief)
  await page.goto(`${product.url}/admin`)
  await button(page, 'Ações de Lia Nunes').click()
  await page.getByRole('menuitem', { name: 'Remover verificação em duas etapas' }).click()
  await auditAllViewports(page, 'admin-remover-verificacao')
  await button(page, 'Remover').click()
  await expect(notice(page, 'Verificação em duas etapas removida')).toBeVisible()
  await apiAs(product, lia)
})

test('a passkey is made on this device and opens the account without the password', async ({ page }) => {
  const bia = await signUp(product, 'Bia Souza', 'bia@exemplo.com.br')
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await openSignedIn(page, { ...product, url: named }, bia)
  await page.goto(`${named}/settings?tab=seguranca`)
  await page.getByLabel('Nome', { exact: true }).fill('Notebook da mesa')
  await button(page, 'Cadastrar chave de acesso').click()
  await expect(notice(page, 'Chave de acesso cadastrada', 'Notebook da mesa')).toBeVisible()
  const passkeys = page.getByRole('list', { name: 'Chaves de acesso cadastradas' })
  await expect(passkeys).toContainText('Nunca usada')
  await auditAllViewports(page, 'seguranca-chaves')

  await page.evaluate(() => localStorage.clear())
  await page.goto(`${named}/login?redirect=%2Fsettings%3Ftab%3Dsessoes`)
  await auditAllViewports(page, 'login-formas')
  await button(page, 'Entrar com chave de acesso').click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Esta sessão' })).toContainText(
    'Com chave de acesso',
  )

  await query('update users set is_superuser = true where email = $1', [bia.email])
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${named}/login?redirect=%2Fsettings%3Ftab%3Dsessoes`)
  await fillSignIn(page, bia.email)
  await expect(page.getByRole('heading', { name: 'Falta um passo para entrar' })).toBeVisible()
  await auditAllViewports(page, 'falta-a-chave')
  await button(page, 'Usar a chave de acesso').click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Esta sessão' })).toContainText(
    'Com chave de acesso',
  )

  await query('update users set is_superuser = false where email = $1', [bia.email])
  await page.reload()
  await age(bia.email)
  await page.getByRole('tab', { name: 'Segurança' }).click()
  await button(page, 'Remover: Notebook da mesa').click()
  await button(page, 'Remover').click()
  await button(page, 'Confirmar com chave de acesso').click()
  await expect(notice(page, 'Chave de acesso removida', 'Notebook da mesa')).toBeVisible()
  await expect(passkeys).toBeHidden()

  await page.evaluate(() => localStorage.clear())
  await page.goto(`${named}/login`)
  await button(page, 'Entrar com chave de acesso').click()
  await expect(page.getByRole('alert')).toHaveText('Esta chave de acesso não está cadastrada.')
})

test('the directory of the house opens an account with the role of its groups', async ({ page }) => {
  await page.goto(`${product.url}/login?redirect=%2Flista-os`)
  await button(page, 'Entrar com conta Exemplo').click()
  await page.locator('input[name=login]').fill('iris')
  await page.locator('input[name=password]').fill('qualquer')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await expect(page).toHaveURL(`${product.url}/lista-os`)
  await expect(account(page, 'Íris Prado')).toBeVisible()
  expect(await storedToken(page)).toMatch(/^[\w-]{43}$/)
  await page.goto(`${product.url}/settings`)
  await expect(page.getByRole('region', { name: 'Meus dados' })).toContainText('Gestor')

  await page.goto(`${product.url}/settings?tab=tokens`)
  await page.getByLabel('Nome', { exact: true }).fill('ERP da casa')
  await page.getByLabel('Permissão').selectOption('read')
  await age(people.iris.email)
  await button(page, 'Criar token').click()
  const other = page.waitForEvent('popup')
  await button(page, 'Entrar de novo com conta Exemplo, em outra aba').click()
  const tab = await other
  await tab.locator('input[name=login]').fill('iris')
  await tab.locator('input[name=password]').fill('qualquer')
  await tab.getByRole('button', { name: 'Sign-in' }).click()
  await expect(page.getByText('Token «ERP da casa» criado')).toBeVisible()
  await tab.close()

  await page.evaluate(() => localStorage.clear())
  await page.goto(`${product.url}/login?x#problem=unverified`)
  await expect(page.getByRole('alert')).toContainText('não confirmou o seu email')
})

test('a superuser who must have a second factor gets no further without one', async ({ page }) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/lista-os`)
  await expect(page.getByRole('heading', { name: 'Falta um passo para entrar' })).toBeVisible()
  await auditAllViewports(page, 'falta-um-passo')
  await button(page, 'Ativar a verificação em duas etapas').click()
  const secret = await secretOn(page)
  await code(page).fill(new TOTP({ secret }).generate())
  await button(page, 'Confirmar').click()
  await button(page, 'Já guardei os códigos').click()
  await expect(page).toHaveURL(`${product.url}/lista-os`)
  await expect(page.getByRole('heading', { name: 'Falta um passo para entrar' })).toBeHidden()
})

async function undoLink(email: string) {
  const { rows } = await query('select body from mails where recipient = $1 order by id desc limit 1', [
    email,
  ])
  return /http\S+\/undo-login\?token=[\w-]+/.exec(rows[0]?.body ?? '')?.[0] ?? ''
}
