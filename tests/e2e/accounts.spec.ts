import { expect, type Page, test } from '@playwright/test'
import { type Product, startProduct } from '../support/product.ts'
import {
  apiAs,
  callsOf,
  comeAs,
  complaintOf,
  enter,
  notice,
  PASSWORD,
  pressOn,
  signUp,
  tabTo,
  typeInto,
  UNLIMITED,
} from './people.ts'

let product: Product
test.beforeAll(async () => {
  product = await startProduct(UNLIMITED)
})
test.afterAll(() => product.stop())

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const loginOf = (page: Page) => page.getByLabel('Email ou nome de usuário')
const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const userMenu = (page: Page) => page.getByRole('button', { name: /^Menu de/ })
const refusal = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const heldToken = (page: Page) => page.evaluate(() => localStorage.getItem('access_token'))
const at = (path: string) => `${product.url}${path}`

test.describe('signing in', () => {
  test('by mouse, with every refusal in its words (LOGIN-1 to LOGIN-11, STA-1, STA-4, GEN-11)', async ({
    page,
    context,
  }) => {
    const { post } = await apiAs(product, product.first)
    const { id: company_id } = await post('/companies', {
      trading_name: 'Auto Sul',
      legal_name: 'Auto Sul Ltda',
      tax_id: '11222333000181',
      type: 'matriz',
    })
    const sleeper = { email: 'dorme', password: PASSWORD }
    const person = { full_name: 'Pessoa Inativa', role: 'admin', company_id, is_active: false }
    await post('/users', { ...person, ...sleeper })

    const asked = callsOf(page, 'users.me')
    await page.goto(at('/login'))
    const secret = field(page, 'Senha')
    await loginOf(page).click()
    await secret.click()
    await complaintOf(loginOf(page), 'Email ou nome de usuário é obrigatório')
    await loginOf(page).fill('ab')
    await complaintOf(loginOf(page), 'Mínimo de 3 caracteres')
    await complaintOf(secret, 'Senha é obrigatória')
    await secret.fill('segredo-bem-visto')
    await page.getByRole('button', { name: 'Mostrar senha' }).click()
    await expect(secret).toHaveAttribute('type', 'text')
    await page.getByRole('button', { name: 'Ocultar senha' }).click()
    await expect(secret).toHaveAttribute('type', 'password')

    await enter(page, { email: product.first.email, password: 'senha-errada' })
    await expect(refusal(page, 'Usuário ou senha incorretos.')).toBeVisible()
    await enter(page, { email: 'ninguem', password: 'senha-errada' })
    await expect(refusal(page, 'Usuário ou senha incorretos.')).toBeVisible()
    await enter(page, sleeper)
    await expect(refusal(page, 'Usuário inativo.')).toBeVisible()
    await context.setOffline(true)
    await enter(page, product.first)
    await expect(refusal(page, 'Ocorreu um erro inesperado. Tente novamente.')).toBeVisible()
    await context.setOffline(false)
    expect(await heldToken(page)).toBeNull()
    expect(asked).toEqual([])

    await enter(page, { ...product.first, email: product.first.email.toUpperCase() })
    await expect(page).toHaveURL(at('/lista-os'))
    expect(await heldToken(page)).toMatch(/^\S{20,}$/)
    expect(asked).toHaveLength(1)
  })

  test('by keyboard alone, and out again (LOGIN-2 to LOGIN-8, NAV-22, NAV-23, STA-2)', async ({ page }) => {
    await page.goto(at('/login'))
    await expect(loginOf(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await complaintOf(loginOf(page), 'Email ou nome de usuário é obrigatório')
    await complaintOf(field(page, 'Senha'), 'Senha é obrigatória')
    await page.keyboard.type(product.first.email)
    await typeInto(page, field(page, 'Senha'), product.first.password)
    await pressOn(page, page.getByRole('button', { name: 'Mostrar senha' }), 'Space')
    await expect(field(page, 'Senha')).toHaveAttribute('type', 'text')
    await pressOn(page, page.getByRole('button', { name: 'Entrar' }))
    await expect(page.getByRole('heading', { name: 'Ordens de Serviço' })).toBeVisible()

    await pressOn(page, userMenu(page))
    await expect(page.getByRole('menuitem', { name: 'Meu perfil' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(at('/settings'))
    await pressOn(page, userMenu(page))
    await expect(page.getByRole('menuitem', { name: 'Meu perfil' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(at('/login'))
    expect(await heldToken(page)).toBeNull()
  })
})

test.describe('signing up', () => {
  test('by mouse (SIGN-1 to SIGN-12, GEN-8, GEN-11)', async ({ page }) => {
    const sent = callsOf(page, 'auth.signUp')
    await page.goto(at('/login'))
    await page.getByRole('link', { name: 'Criar conta' }).click()
    await expect(page).toHaveURL(at('/signup'))
    const [name, email] = [field(page, 'Nome completo'), field(page, 'Email')]
    const [chosen, repeated] = [field(page, 'Senha'), field(page, 'Confirmar senha')]
    const create = page.getByRole('button', { name: 'Criar conta' })

    await create.click()
    await complaintOf(name, 'Nome completo é obrigatório')
    await complaintOf(email, 'Email is required')
    await complaintOf(chosen, 'Senha é obrigatória')
    await complaintOf(repeated, 'Confirmação de senha é obrigatória')
    await name.fill('An')
    await complaintOf(name, 'Full Name is required')
    await email.fill('ana@')
    await complaintOf(email, 'Endereço de email inválido')
    await chosen.fill('curta')
    await complaintOf(chosen, 'Senha deve ter pelo menos 8 caracteres')
    await repeated.fill('outra')
    await complaintOf(repeated, 'As senhas não coincidem')
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
    await enter(page, { email: 'ana@exemplo.com.br', password: PASSWORD })
    await expect(page.getByText('Sua conta ainda não está vinculada a uma empresa.')).toBeVisible()
  })

  test('by keyboard alone (SIGN-1 to SIGN-11)', async ({ page, context }) => {
    await page.goto(at('/signup'))
    await expect(field(page, 'Nome completo')).toBeFocused()
    await page.keyboard.press('Enter')
    await complaintOf(field(page, 'Nome completo'), 'Nome completo é obrigatório')
    await expect(field(page, 'Nome completo')).toBeFocused()
    await page.keyboard.type('Bruno Dias')
    await typeInto(page, field(page, 'Email'), 'bruno@exemplo.com.br')
    await typeInto(page, field(page, 'Senha'), PASSWORD)
    await typeInto(page, field(page, 'Confirmar senha'), PASSWORD)
    await context.setOffline(true)
    await page.keyboard.press('Enter')
    await expect(notice(page, 'Algo deu errado', 'Erro ao criar conta')).toBeVisible()
    await context.setOffline(false)
    await pressOn(page, page.getByRole('button', { name: 'Criar conta' }))
    await expect(notice(page, 'Account created.')).toBeVisible()
    await expect(loginOf(page)).toBeFocused()
  })
})

test.describe('where a person may go', () => {
  const INSIDE = ['/', '/settings', '/nova-os', '/lista-os', '/dashboard', '/companies', '/brands', '/admin']

  test('strangers are led to the sign-in and back to where they wanted to be (NAV-3, NAV-4, NAV-6 to NAV-8)', async ({
    page,
  }) => {
    for (const path of [...INSIDE, '/os/1', '/os/1/edit']) {
      await page.goto(at(path))
      await expect(page, path).toHaveURL(/\/login(\?|$)/)
    }
    await page.goto(at('/nao-existe'))
    await expect(page.getByRole('heading', { name: 'Página não disponível' })).toBeVisible()
    await expect(page.getByText('Essa página ainda não está disponível.')).toBeVisible()
    await page.getByRole('button', { name: 'Voltar ao início' }).click()
    await expect(page).toHaveURL(/\/login(\?|$)/)

    await page.goto(at('/settings?tab=sessoes'))
    await enter(page, product.first)
    await expect(page).toHaveURL(at('/settings?tab=sessoes'))
    await expect(page.getByText('Esta sessão')).toBeVisible()
  })

  test('whoever is inside leaves the public pages and finds the menu (NAV-1, NAV-2, NAV-11 to NAV-23, ROLE-5, STA-2)', async ({
    page,
  }) => {
    await comeAs(page, product, product.first)
    for (const path of ['/login', '/signup', '/recover-password', '/reset-password?token=x']) {
      await page.goto(at(path))
      await expect(page, path).toHaveURL(at('/lista-os'))
    }
    const menu = page.getByRole('navigation', { name: 'Principal' })
    await expect(menu.getByRole('link')).toHaveText([
      'Lista OS',
      'Marcas',
      'Empresas',
      'Usuários',
      'Configurações',
    ])
    for (const [name, path] of [
      ['Empresas', '/companies'],
      ['Usuários', '/admin'],
      ['Configurações', '/settings'],
      ['Lista OS', '/lista-os'],
    ] as const) {
      await menu.getByRole('link', { name }).click()
      await expect(page).toHaveURL(at(path))
      await expect(menu.locator('[aria-current=page]')).toHaveText(name)
    }
    const side = page.getByRole('complementary')
    await expect(side.getByText('Logged in as')).toBeVisible()
    await expect(side.getByText(product.first.email)).toBeVisible()
    await page.getByRole('button', { name: 'Recolher menu' }).click()
    await expect(side.getByText('Logged in as')).toBeHidden()
    await page.getByRole('button', { name: 'Expandir menu' }).click()

    await page.setViewportSize({ width: 390, height: 800 })
    await expect(menu).toBeHidden()
    await page.getByRole('button', { name: 'Abrir menu' }).click()
    await menu.filter({ visible: true }).getByRole('link', { name: 'Marcas' }).click()
    await expect(page).toHaveURL(at('/brands'))
    await expect(menu.filter({ visible: true })).toHaveCount(0)
    await page.setViewportSize({ width: 1280, height: 800 })
    await side.getByRole('button', { name: 'Log out' }).click()
    await expect(page).toHaveURL(at('/login'))
    await page.goBack()
    await expect(page).toHaveURL(/\/login(\?|$)/)
  })

  test('others see no Usuários, and a spinner waits for the account (NAV-14, NAV-21, ROLE-5)', async ({
    page,
  }) => {
    await comeAs(page, product, await signUp(product, 'Davi Alves', 'davi@exemplo.com.br'))
    let letPass = () => {}
    const held = new Promise<void>((resolve) => {
      letPass = resolve
    })
    await page.route(/\/trpc\/users\.me/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto(at('/admin'))
    await expect(page.getByLabel('Carregando')).toBeVisible()
    letPass()
    await expect(page.getByRole('heading', { name: 'Página não disponível' })).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Principal' }).getByRole('link')).toHaveText([
      'Lista OS',
      'Marcas',
      'Empresas',
      'Configurações',
    ])
  })

  test('a session that ended elsewhere leads once to the sign-in, and back (STA-3, NAV-4)', async ({
    page,
  }) => {
    const eva = await signUp(product, 'Eva Rocha', 'eva@exemplo.com.br')
    await comeAs(page, product, eva)
    await page.goto(at('/settings?tab=aparencia'))
    await expect(page.getByRole('radio', { name: /Escuro/ })).toBeChecked()
    const { patch } = await apiAs(product, eva)
    await patch('/users/me/password', { current_password: PASSWORD, new_password: 'senha-nova-da-eva' })
    await page.getByRole('tab', { name: 'Sessões' }).click()
    await expect(page).toHaveURL(/\/login\?redirect=/)
    expect(await heldToken(page)).toBeNull()
    await enter(page, { ...eva, password: 'senha-nova-da-eva' })
    await expect(page).toHaveURL(at('/settings?tab=sessoes'))
  })
})

test.describe('the settings', () => {
  test('the profile, by mouse (SET-1 to SET-6, STA-5)', async ({ page }) => {
    await comeAs(page, product, await signUp(product, 'Fábio Nunes', 'fabio@exemplo.com.br'))
    const sent = callsOf(page, 'account.change')
    await page.goto(at('/settings'))
    await expect(page.getByRole('tab')).toHaveText([
      'Meu Perfil',
      'Senha',
      'Aparência (tema)',
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
    await complaintOf(name, 'Máximo de 30 caracteres')
    await loginOf(page).fill('')
    await expect(save).toBeDisabled()
    await loginOf(page).blur()
    await complaintOf(loginOf(page), 'Email ou nome de usuário é obrigatório')
    await loginOf(page).fill('ab')
    await complaintOf(loginOf(page), 'Mínimo de 3 caracteres')
    await page.getByRole('tab', { name: 'Senha' }).click()
    await page.getByRole('button', { name: 'Continuar editando' }).click()
    await page.getByRole('button', { name: 'Cancelar' }).click()
    await expect(facts).toContainText('Fábio Nunes')
    await expect(edit).toBeFocused()

    await edit.click()
    await loginOf(page).fill(product.first.email)
    await save.click()
    await expect(notice(page, 'Erro', 'Já existe um usuário com este email.')).toBeVisible()
    await expect(loginOf(page)).toBeFocused()
    await loginOf(page).fill('fabio@exemplo.com.br')
    await name.fill('Fábio N. Souza')
    await save.click()
    await expect(notice(page, 'Sucesso!', 'Usuário atualizado com sucesso.')).toBeVisible()
    await expect(facts).toContainText('Fábio N. Souza')
    expect(sent.at(-1)).toEqual({ full_name: 'Fábio N. Souza' })
  })

  test('by keyboard alone: profile, password, theme, sessions, farewell (SET-1 to SET-10)', async ({
    page,
  }) => {
    await comeAs(page, product, await signUp(product, 'Gabi Melo', 'gabi@exemplo.com.br'))
    await page.goto(at('/settings'))
    await pressOn(page, page.getByRole('button', { name: 'Editar' }))
    await expect(field(page, 'Nome completo')).toBeFocused()
    await typeInto(page, field(page, 'Nome completo'), 'Gabi M. Melo')
    await page.keyboard.press('Enter')
    await expect(notice(page, 'Sucesso!', 'Usuário atualizado com sucesso.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Editar' })).toBeFocused()

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
    await page.keyboard.press('Enter')
    await pressOn(page, page.getByRole('button', { name: /^Encerrar/ }))
    await expect(notice(page, 'Sessão encerrada')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Sessões abertas' })).toBeFocused()

    await tabTo(page, tab(page, 'Sessões'), 'Shift+Tab')
    await page.keyboard.press('ArrowRight')
    await expect(tab(page, 'Tokens de API')).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(tab(page, 'Meu Perfil')).toBeFocused()
    await page.keyboard.press('Enter')
    await pressOn(page, page.getByRole('button', { name: 'Excluir minha conta' }))
    const question = page.getByRole('alertdialog')
    await expect(question.getByRole('button', { name: 'Cancelar' })).toBeFocused()
    await pressOn(page, question.getByRole('button', { name: 'Excluir minha conta' }))
    await expect(page).toHaveURL(at('/login'))
    await expect(notice(page, 'Conta excluída com sucesso.')).toBeVisible()
    await enter(page, { email: 'gabi@exemplo.com.br', password: 'senha-nova-da-gabi' })
    await expect(refusal(page, 'Usuário ou senha incorretos.')).toBeVisible()
  })

  test('the password, by mouse (SET-7 to SET-9)', async ({ page }) => {
    const hugo = await signUp(product, 'Hugo Pinto', 'hugo@exemplo.com.br')
    await comeAs(page, product, hugo)
    await page.goto(at('/settings'))
    await page.getByRole('tab', { name: 'Senha' }).click()
    const [now, chosen] = [field(page, 'Senha atual'), field(page, 'Nova senha')]
    const [repeated, save] = [field(page, 'Confirmar senha'), page.getByRole('button', { name: 'Salvar' })]
    await save.click()
    await complaintOf(now, 'Senha é obrigatória')
    await complaintOf(chosen, 'Senha é obrigatória')
    await complaintOf(repeated, 'Confirmação de senha é obrigatória')
    await now.fill('senha-errada')
    await chosen.fill('curta')
    await complaintOf(chosen, 'Senha deve ter pelo menos 8 caracteres')
    await chosen.fill('senha-nova-do-hugo')
    await repeated.fill('outra')
    await complaintOf(repeated, 'As senhas não coincidem')
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

  test('theme and sessions, by mouse (SET-10, GEN-2, D-36)', async ({ page }) => {
    const iara = await signUp(product, 'Iara Prado', 'iara@exemplo.com.br')
    await comeAs(page, product, iara)
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

  test('without a mail server the superuser hands the recovery mail over (D-46, REC-3)', async ({ page }) => {
    const joao = await signUp(product, 'João Braga', 'joao@exemplo.com.br')
    await page.goto(at('/recover-password'))
    await field(page, 'Email').fill(joao.email)
    await page.getByRole('button', { name: 'Enviar instruções' }).click()
    await expect(page.getByText('Nós enviamos um email com instruções')).toBeVisible()
    await comeAs(page, product, product.first)
    await page.goto(at('/settings'))
    await page.getByRole('tab', { name: 'Caixa de saída' }).click()
    const row = page.getByRole('row').filter({ hasText: joao.email })
    await expect(row).toContainText('Guardada aqui')
    await row.click()
    const letter = page.getByRole('dialog')
    await expect(letter).toContainText(`${product.url}/reset-password?token=`)
    await page.keyboard.press('Escape')
    await expect(letter).toBeHidden()
    await expect(page.getByRole('button', { name: 'Excluir minha conta' })).toHaveCount(0)
  })
})
