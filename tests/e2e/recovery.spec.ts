import { expect, type Page, test } from '@playwright/test'
import { startMailServer } from '../support/mail-server.ts'
import {
  apiAs,
  expectFieldError,
  notice,
  openSignedIn,
  PASSWORD,
  signUp,
  submitSignIn,
  tabTo,
  tabToAndPress,
  typeInto,
} from './page-helpers.ts'
import { type OwnProduct, startProduct } from './product.ts'

const SUBJECT = 'Garantia: recuperação de senha'
const SENT = 'Nós enviamos um email com instruções para recuperar a sua senha.'
const CHANGED = 'Senha alterada com sucesso.'
const NEW = 'outra-senha-boa'

let mailServer: Awaited<ReturnType<typeof startMailServer>>
let product: OwnProduct
test.beforeAll(async () => {
  mailServer = await startMailServer()
  product = await startProduct({ SMTP_URL: mailServer.url })
})
test.afterAll(async () => {
  await product.stop()
  await mailServer.stop()
})

/** The link of the newest mail to this user; `count` is the expected number of mails. */
async function linkFor(email: string, count = 1) {
  const recoveries = () => mailServer.to(email).filter(({ subject }) => subject === SUBJECT)
  await expect.poll(() => recoveries().length, { timeout: 60_000 }).toBe(count)
  const mail = recoveries().at(-1)
  const link = /http\S+\/reset-password\?token=[\w-]+/.exec(mail?.text ?? '')?.[0] ?? ''
  expect(mail?.html).toContain(`href="${link}"`)
  expect(link.startsWith(product.url), link).toBe(true)
  return link
}

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

test('a forgotten password is recovered by mail, by mouse from start to end (REC-1 to REC-4, RST-1 to RST-5, LOGIN-3, STA-3)', async ({
  page,
  browser,
}) => {
  const ana = await signUp(product, 'Ana Lima', 'ana@exemplo.com.br')
  const otherSessionPage = await (await browser.newContext()).newPage()
  await openSignedIn(otherSessionPage, product, ana)
  await otherSessionPage.goto(`${product.url}/settings`)
  await expect(otherSessionPage.getByRole('button', { name: 'Editar' })).toBeVisible()

  await page.goto(`${product.url}/login`)
  await page.getByRole('link', { name: 'Esqueceu a senha?' }).click()
  await expect(page).toHaveURL(`${product.url}/recover-password`)
  const email = field(page, 'Email')
  const send = page.getByRole('button', { name: 'Enviar instruções' })
  await send.click()
  await expectFieldError(email, 'Email is required')
  await email.fill('ana@')
  await expectFieldError(email, 'Endereço de email inválido')
  await email.fill('ninguem@exemplo.com.br')
  await send.click()
  await expect(notice(page, 'Erro', 'O usuário com este email não existe no sistema.')).toBeVisible()
  await email.fill(ana.email)
  await send.click()
  await expect(page.getByText(SENT)).toBeVisible()

  const link = await linkFor(ana.email)
  await page.goto(link)
  const [chosen, repeated] = [field(page, 'Nova senha'), field(page, 'Confirmar senha')]
  const change = page.getByRole('button', { name: 'Redefinir senha' })
  await change.click()
  await expectFieldError(chosen, 'Senha é obrigatória')
  await expectFieldError(repeated, 'Confirmação de senha é obrigatória')
  await chosen.fill('curta')
  await expectFieldError(chosen, 'Senha deve ter pelo menos 8 caracteres')
  await chosen.fill(NEW)
  await repeated.fill('diferente')
  await expectFieldError(repeated, 'As senhas não coincidem')
  await repeated.fill(NEW)
  await change.click()
  await expect(notice(page, CHANGED)).toBeVisible()
  await expect(page).toHaveURL(`${product.url}/login`)

  await submitSignIn(page, { ...ana, password: PASSWORD })
  await expect(page.getByRole('alert').filter({ hasText: 'Usuário ou senha incorretos.' })).toBeVisible()
  await submitSignIn(page, { ...ana, password: NEW })
  await expect(page).toHaveURL(`${product.url}/dashboard`)

  await otherSessionPage.getByRole('tab', { name: 'Sessões' }).click()
  await expect(otherSessionPage).toHaveURL(/\/login\?redirect=/)
  await otherSessionPage.context().close()
})

test('a reset link works once, and invalidates every older one (RST-2, RST-5)', async ({ page }) => {
  const bia = await signUp(product, 'Bia Souza', 'bia@exemplo.com.br')
  const ask = async () => {
    await page.goto(`${product.url}/recover-password`)
    await field(page, 'Email').fill(bia.email)
    await page.getByRole('button', { name: 'Enviar instruções' }).click()
    await expect(page.getByText(SENT)).toBeVisible()
  }
  const useLink = async (link: string, password: string) => {
    await page.goto(link)
    await field(page, 'Nova senha').fill(password)
    await field(page, 'Confirmar senha').fill(password)
    await page.getByRole('button', { name: 'Redefinir senha' }).click()
  }
  const spent = notice(page, 'Error', 'O link é inválido, já foi usado ou expirou. Peça um novo.')

  await ask()
  const older = await linkFor(bia.email, 1)
  await ask()
  const newer = await linkFor(bia.email, 2)
  await useLink(newer, NEW)
  await expect(notice(page, CHANGED)).toBeVisible()
  await expect(page).toHaveURL(`${product.url}/login`)
  for (const link of [newer, older]) {
    await useLink(link, 'senha-de-intruso')
    await expect(spent).toBeVisible()
  }
  await apiAs(product, { ...bia, password: NEW })

  await page.getByRole('link', { name: 'Pedir um novo link' }).click()
  await expect(page).toHaveURL(`${product.url}/recover-password`)
  await page.goto(`${product.url}/reset-password`)
  await expect(page.getByText('Este endereço está incompleto')).toBeVisible()
  await expect(field(page, 'Nova senha')).toHaveCount(0)
})

test('a forgotten password is recovered by keyboard alone (REC-1 to REC-5, RST-1, RST-4)', {
  tag: '@exhaustive',
}, async ({ page, context }) => {
  const caio = await signUp(product, 'Caio Reis', 'caio@exemplo.com.br')
  await page.goto(`${product.url}/login`)
  await tabToAndPress(page, page.getByRole('link', { name: 'Esqueceu a senha?' }))
  const email = field(page, 'Email')
  await expect(email).toBeFocused()
  await page.keyboard.press('Enter')
  await expectFieldError(email, 'Email is required')
  await expect(email).toBeFocused()
  await page.keyboard.type(caio.email)
  await context.setOffline(true)
  await page.keyboard.press('Enter')
  await expect(notice(page, 'Erro', 'Ocorreu um erro inesperado. Tente novamente.')).toBeVisible()
  await context.setOffline(false)
  await tabToAndPress(page, page.getByRole('button', { name: 'Enviar instruções' }))
  await expect(page.getByText(SENT)).toBeVisible()

  await page.goto(await linkFor(caio.email))
  await expect(field(page, 'Nova senha')).toBeFocused()
  await page.keyboard.type(NEW)
  await tabTo(page, page.getByRole('button', { name: 'Mostrar senha' }).first())
  await page.keyboard.press('Space')
  await expect(field(page, 'Nova senha')).toHaveAttribute('type', 'text')
  await typeInto(page, field(page, 'Confirmar senha'), NEW)
  await page.keyboard.press('Enter')
  await expect(notice(page, CHANGED)).toBeVisible()
  await expect(page.getByLabel('Email ou nome de usuário')).toBeFocused()
  await page.keyboard.type(caio.email)
  await typeInto(page, page.getByLabel('Senha', { exact: true }), NEW)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${product.url}/dashboard`)
})
