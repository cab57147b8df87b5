import { expect, test } from '@playwright/test'
import {
  apiAs,
  holdRequests,
  intercept,
  openSignedIn,
  PASSWORD,
  recordCalls,
  signUp,
  storedToken,
  submitSignIn,
} from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
test.beforeAll(async () => {
  product = await openProduct()
})

const at = (path: string) => `${product.url}${path}`

const INSIDE = [
  '/',
  '/settings',
  '/nova-os',
  '/importar',
  '/lista-os',
  '/dashboard',
  '/companies',
  '/solicitacoes',
  '/prazos',
  '/conciliacao',
  '/recusas',
  '/compartilhar',
  '/brands',
  '/admin',
]

test('anonymous users are redirected to the sign-in and back to the requested page (NAV-3, NAV-4, NAV-6 to NAV-8)', async ({
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
  await submitSignIn(page, product.firstSuperuser)
  await expect(page).toHaveURL(at('/settings?tab=sessoes'))
  await expect(page.getByText('Esta sessão')).toBeVisible()
})

test('signed-in users are redirected from the public pages and see the menu (NAV-1, NAV-2, NAV-5, NAV-9 to NAV-23, ROLE-5, STA-2)', async ({
  page,
}) => {
  await openSignedIn(page, product, product.firstSuperuser)
  for (const path of ['/login', '/signup', '/recover-password', '/reset-password?token=x']) {
    await page.goto(at(path))
    await expect(page, path).toHaveURL(at('/dashboard'))
  }
  const menu = page.getByRole('navigation', { name: 'Principal' })
  await expect(menu.getByRole('link')).toHaveText([
    'Dashboard',
    'Lista OS',
    'Solicitações',
    'Prazos',
    'Marcas',
    'Empresas',
    'Usuários',
    'Configurações',
  ])
  for (const [name, path] of [
    ['Empresas', '/companies'],
    ['Usuários', '/admin'],
    ['Configurações', '/settings'],
    ['Marcas', '/brands'],
    ['Lista OS', '/lista-os'],
    ['Solicitações', '/solicitacoes'],
    ['Prazos', '/prazos'],
    ['Dashboard', '/dashboard'],
  ] as const) {
    await menu.getByRole('link', { name }).click()
    await expect(page).toHaveURL(at(path))
    await expect(menu.locator('[aria-current=page]')).toHaveText(name)
  }
  const side = page.getByRole('complementary')
  await expect(side.getByText('Logged in as')).toBeVisible()
  await expect(side.getByText(product.firstSuperuser.email)).toBeVisible()
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

test('others see no Usuários, and a spinner shows until the account is loaded (NAV-14, NAV-21, ROLE-5)', async ({
  page,
}) => {
  await openSignedIn(page, product, await signUp(product, 'Davi Alves', 'davi@exemplo.com.br'))
  let letPass = () => {}
  const responseGate = new Promise<void>((resolve) => {
    letPass = resolve
  })
  await intercept(page, /\/trpc\/account\.me/, async (route) => {
    await responseGate
    await route.continue()
  })
  await page.goto(at('/admin'))
  await expect(page.getByLabel('Carregando')).toBeVisible()
  letPass()
  await expect(page.getByRole('heading', { name: 'Página não disponível' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Principal' }).getByRole('link')).toHaveText([
    'Dashboard',
    'Lista OS',
    'Solicitações',
    'Prazos',
    'Marcas',
    'Empresas',
    'Configurações',
  ])
})

test('a session that ended elsewhere redirects once to the sign-in, and back (STA-3, NAV-4)', async ({
  page,
}) => {
  const eva = await signUp(product, 'Eva Rocha', 'eva@exemplo.com.br')
  await openSignedIn(page, product, eva)
  // Any later call would be the one that notices it.
  const lastAnswer = page.waitForResponse(/notifications\.unread/)
  await page.goto(at('/settings?tab=aparencia'))
  await expect(page.getByRole('radio', { name: /Escuro/ })).toBeChecked()
  await lastAnswer
  const { patch } = await apiAs(product, eva)
  await patch('/users/me/password', { current_password: PASSWORD, new_password: 'senha-nova-da-eva' })
  await page.getByRole('tab', { name: 'Sessões' }).click()
  await expect(page).toHaveURL(/\/login\?redirect=/)
  expect(await storedToken(page)).toBeNull()
  await submitSignIn(page, { ...eva, password: 'senha-nova-da-eva' })
  await expect(page).toHaveURL(at('/settings?tab=sessoes'))
})

test('the account is requested once, kept fresh for 30 seconds and not retried when it fails (STA-4, STA-5, CON-15, GEN-12)', async ({
  page,
}) => {
  const asked = recordCalls(page, 'account.me')
  await openSignedIn(page, product, product.firstSuperuser)
  expect(asked).toHaveLength(0)
  await page.clock.install()
  await page.goto(at('/companies'))
  const menu = page.getByRole('navigation', { name: 'Principal' })
  await menu.getByRole('link', { name: 'Marcas' }).click()
  await menu.getByRole('link', { name: 'Configurações' }).click()
  await expect(page.getByRole('heading', { name: 'Configurações' })).toBeVisible()
  expect(asked).toHaveLength(1)
  await page.clock.fastForward(31_000)
  await menu.getByRole('link', { name: 'Empresas' }).click()
  await expect.poll(() => asked.length).toBe(2)

  await intercept(page, /\/trpc\/account\.me/, (route) => route.abort())
  await page.goto(at('/companies'))
  await expect(page.getByText('Não foi possível carregar sua conta')).toBeVisible()
  expect(asked).toHaveLength(3)
})

test('the first screen asks for its data once, while its scripts still load; later visits ask again', async ({
  page,
}) => {
  const asked = recordCalls(page, 'orderList.page')
  await openSignedIn(page, product, product.firstSuperuser)
  const { asked: scriptWanted, releaseRequests } = await holdRequests(page, /\/assets\/orders-page-.*\.js/)
  const dataWanted = page.waitForRequest(/orderList\.page/)
  await page.goto(at('/lista-os?status=pending'), { waitUntil: 'commit' })
  await Promise.all([scriptWanted, dataWanted])
  releaseRequests()
  await expect(page.getByText('Nenhuma ordem de serviço encontrada')).toBeVisible()
  expect(asked).toEqual([expect.objectContaining({ status: 'pending', skip: 0 })])

  const menu = page.getByRole('navigation', { name: 'Principal' })
  await menu.getByRole('link', { name: 'Marcas' }).click()
  await expect(page.getByRole('heading', { name: 'Marcas' })).toBeVisible()
  await page.goBack()
  await expect.poll(() => asked.length).toBe(2)
})

test('no script of a page can make markup or a script out of a text, or a policy that could; the API page still works', async ({
  page,
}) => {
  await page.goto(at('/login'))
  const refused = await page.evaluate(() => {
    const attempts = {
      markup: () => Object.assign(document.body, { innerHTML: '<img src=x onerror=alert(1)>' }),
      script: () => Object.assign(document.createElement('script'), { src: '/theme.js' }),
      policy: () => Reflect.get(window, 'trustedTypes').createPolicy('any', {}),
    }
    return Object.entries(attempts).map(([name, attempt]) => {
      try {
        attempt()
        return `${name} is possible`
      } catch {
        return name
      }
    })
  })
  expect(refused).toEqual(['markup', 'script', 'policy'])
  await expect(page.getByRole('button', { name: 'Entrar' })).toBeVisible()
  await page.goto(at('/docs'))
  await expect(page.getByRole('heading', { name: 'Ordens de serviço' })).toBeVisible()
})
