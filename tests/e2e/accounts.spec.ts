import { expect, type Page, test } from '@playwright/test'
import {
  apiAs,
  expectFieldError,
  holdRequests,
  loginField,
  notice,
  PASSWORD,
  recordCalls,
  refusal,
  signUp,
  storedToken,
  submitSignIn,
  tabToAndPress,
  typeInto,
} from './page-helpers.ts'
import { type OwnProduct, startProduct } from './product.ts'

let product: OwnProduct
test.beforeAll(async () => {
  product = await startProduct({ LOGIN_LIMIT: '3' })
})
test.afterAll(() => product.stop())

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const userMenu = (page: Page) => page.getByRole('button', { name: /^Menu de/ })
const at = (path: string) => `${product.url}${path}`

test.describe('signing in', () => {
  test('by mouse, with every error message (LOGIN-1 to LOGIN-11, NAV-9, STA-1, STA-4, GEN-3, GEN-4, GEN-11)', async ({
    page,
    context,
  }) => {
    const { post } = await apiAs(product, product.firstSuperuser)
    const { id: company_id } = await post('/companies', {
      trading_name: 'Auto Sul',
      legal_name: 'Auto Sul Ltda',
      tax_id: '11222333000181',
      type: 'matriz',
    })
    const inactive = { email: 'dorme', password: PASSWORD }
    const person = { full_name: 'Pessoa Inativa', role: 'admin', company_id, is_active: false }
    await post('/users', { ...person, ...inactive })

    const asked = recordCalls(page, 'account.me')
    await page.goto(at('/login'))
    await expect(page.getByRole('button', { name: 'Entrar' })).toHaveCSS(
      'background-color',
      'rgb(217, 37, 52)',
    )
    const danger = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--danger'),
    )
    expect(danger).toBe('#e53e3e')
    const secret = field(page, 'Senha')
    await loginField(page).click()
    await secret.click()
    await expectFieldError(loginField(page), 'Email ou nome de usuário é obrigatório')
    await loginField(page).fill('ab')
    await expectFieldError(loginField(page), 'Mínimo de 3 caracteres')
    await expectFieldError(secret, 'Senha é obrigatória')
    await secret.fill('segredo-bem-visto')
    await page.getByRole('button', { name: 'Mostrar senha' }).click()
    await expect(secret).toHaveAttribute('type', 'text')
    await page.getByRole('button', { name: 'Ocultar senha' }).click()
    await expect(secret).toHaveAttribute('type', 'password')

    await submitSignIn(page, { email: product.firstSuperuser.email, password: 'senha-errada' })
    await expect(refusal(page, 'Usuário ou senha incorretos.')).toBeVisible()
    await submitSignIn(page, { email: 'ninguem', password: 'senha-errada' })
    await expect(refusal(page, 'Usuário ou senha incorretos.')).toBeVisible()
    await submitSignIn(page, inactive)
    await expect(refusal(page, 'Usuário inativo.')).toBeVisible()
    await context.setOffline(true)
    await submitSignIn(page, product.firstSuperuser)
    await expect(refusal(page, 'Ocorreu um erro inesperado. Tente novamente.')).toBeVisible()
    await context.setOffline(false)
    expect(await storedToken(page)).toBeNull()
    expect(asked).toEqual([])

    await submitSignIn(page, { ...product.firstSuperuser, email: product.firstSuperuser.email.toUpperCase() })
    await expect(page).toHaveURL(at('/dashboard'))
    expect(await storedToken(page)).toMatch(/^\S{20,}$/)
    await expect.poll(() => asked).toHaveLength(1)
  })

  test('by keyboard alone, and out again (LOGIN-2 to LOGIN-8, NAV-22, NAV-23, STA-2)', {
    tag: '@exhaustive',
  }, async ({ page }) => {
    const settings = await holdRequests(page, /assets\/settings-page/)
    await page.goto(at('/login'))
    await expect(loginField(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expectFieldError(loginField(page), 'Email ou nome de usuário é obrigatório')
    await expectFieldError(field(page, 'Senha'), 'Senha é obrigatória')
    await page.keyboard.type(product.firstSuperuser.email)
    await typeInto(page, field(page, 'Senha'), product.firstSuperuser.password)
    await tabToAndPress(page, page.getByRole('button', { name: 'Mostrar senha' }), 'Space')
    await expect(field(page, 'Senha')).toHaveAttribute('type', 'text')
    await tabToAndPress(page, page.getByRole('button', { name: 'Entrar' }))
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

    await tabToAndPress(page, userMenu(page))
    await expect(page.getByRole('menuitem', { name: 'Meu perfil' })).toBeFocused()
    await page.keyboard.press('Enter')
    // A menu that is opened while the screen still loads keeps the focus when it has come.
    await settings.asked
    await tabToAndPress(page, userMenu(page))
    await expect(page.getByRole('menuitem', { name: 'Meu perfil' })).toBeFocused()
    settings.releaseRequests()
    await expect(page).toHaveURL(at('/settings'))
    await expect(page.getByRole('heading', { name: 'Configurações' })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(at('/login'))
    expect(await storedToken(page)).toBeNull()
  })
})

test('too many wrong passwords are blocked, other users still sign in (LOGIN-11, D-48)', async ({ page }) => {
  const alvo = await signUp(product, 'Alvo Fixo', 'alvo@exemplo.com.br')
  await page.goto(at('/login'))
  const answers: number[] = []
  page.on('response', (answer) => {
    if (answer.url().includes('auth.login')) answers.push(answer.status())
  })
  for (let guess = 0; guess < 3; guess++) {
    await submitSignIn(page, { ...alvo, password: 'senha-errada' })
    await expect.poll(() => answers).toHaveLength(guess + 1)
    await expect(refusal(page, 'Usuário ou senha incorretos.')).toBeVisible()
  }
  await submitSignIn(page, alvo)
  await expect(refusal(page, 'Ocorreu um erro inesperado. Tente novamente.')).toBeVisible()
  expect(answers).toEqual([400, 400, 400, 429])
  await submitSignIn(page, product.firstSuperuser)
  await expect(page).toHaveURL(at('/dashboard'))
})

test.describe('signing up', () => {
  test('by mouse (SIGN-1 to SIGN-12, GEN-8, GEN-11)', async ({ page }) => {
    const sent = recordCalls(page, 'auth.signUp')
    await page.goto(at('/login'))
    await page.getByRole('link', { name: 'Criar conta' }).click()
    await expect(page).toHaveURL(at('/signup'))
    const [name, email] = [field(page, 'Nome completo'), field(page, 'Email')]
    const [chosen, repeated] = [field(page, 'Senha'), field(page, 'Confirmar senha')]
    const create = page.getByRole('button', { name: 'Criar conta' })

    await create.click()
    await expectFieldError(name, 'Nome completo é obrigatório')
    await expectFieldError(email, 'Email is required')
    await expectFieldError(chosen, 'Senha é obrigatória')
    await expectFieldError(repeated, 'Confirmação de senha é obrigatória')
    await name.fill('An')
    await expectFieldError(name, 'Full Name is required')
    await email.fill('ana@')
    await expectFieldError(email, 'Endereço de email inválido')
    await chosen.fill('curta')
    await expectFieldError(chosen, 'Senha deve ter pelo menos 8 caracteres')
    await repeated.fill('outra')
    await expectFieldError(repeated, 'As senhas não coincidem')
    await name.fill('Ana Carolina Lima')
    await email.fill('ana@exemplo.com.br')
    await chosen.fill(PASSWORD)
    await repeated.fill(PASSWORD)
    await expect(page.locator('.field-error')).toHaveCount(0)
    expect(sent).toEqual([])
    await create.click()
    await expect(notice(page, 'Account created.')).toBeVisible()
    await expect(page).toHaveURL(at('/login'))
    expect(sent).toEqual([
      { full_name: 'Ana Carolina Lima', email: 'ana@exemplo.com.br', password: PASSWORD },
    ])

    await page.goto(at('/signup'))
    await name.fill('Ana Outra')
    await email.fill('ANA@exemplo.com.br')
    await chosen.fill(PASSWORD)
    await repeated.fill(PASSWORD)
    await create.click()
    const refused = notice(page, 'Algo deu errado', 'Já existe um usuário com este email.')
    await expect(refused).toBeVisible()
    await expect(email).toBeFocused()
    await refused.getByRole('button', { name: 'Fechar' }).click()
    await expect(refused).toBeHidden()
    await page.getByRole('link', { name: 'Já tem uma conta? Entrar' }).click()
    await submitSignIn(page, { email: 'ana@exemplo.com.br', password: PASSWORD })
    await expect(page.getByText('Sua conta ainda não está vinculada a uma empresa.')).toBeVisible()
  })

  test('by keyboard alone (SIGN-1 to SIGN-11)', { tag: '@exhaustive' }, async ({ page, context }) => {
    await page.goto(at('/signup'))
    await expect(field(page, 'Nome completo')).toBeFocused()
    await page.keyboard.press('Enter')
    await expectFieldError(field(page, 'Nome completo'), 'Nome completo é obrigatório')
    await expect(field(page, 'Nome completo')).toBeFocused()
    await page.keyboard.type('Bruno Dias')
    await typeInto(page, field(page, 'Email'), 'bruno@exemplo.com.br')
    await typeInto(page, field(page, 'Senha'), PASSWORD)
    await typeInto(page, field(page, 'Confirmar senha'), PASSWORD)
    await context.setOffline(true)
    await page.keyboard.press('Enter')
    await expect(notice(page, 'Algo deu errado', 'Erro ao criar conta')).toBeVisible()
    await context.setOffline(false)
    await tabToAndPress(page, page.getByRole('button', { name: 'Criar conta' }))
    await expect(notice(page, 'Account created.')).toBeVisible()
    await expect(loginField(page)).toBeFocused()
  })
})
