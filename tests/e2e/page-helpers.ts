import { expect, type Locator, type Page, type Route } from '@playwright/test'
import type { Product } from './product.ts'

/** Many calls come from one address here; what the limits do is tested where they live. */
export const UNLIMITED = { LOGIN_LIMIT: '0', SIGNUP_LIMIT: '0', RECOVERY_LIMIT: '0' }
export const PASSWORD = 'senha-de-teste'

interface Credentials {
  email: string
  password: string
}

/** Talks to /api/v1 as this person: for what must be there before a screen is looked at. */
export async function apiAs({ url }: Product, { email, password }: Credentials) {
  const send = async (method: string, path: string, body?: unknown, token?: string) => {
    const reply = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = await reply.json()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(answer)}`)
    return answer
  }
  const { access_token } = await send('POST', '/login/access-token', { username: email, password })
  const as =
    (method: string) =>
    (path: string, body?: unknown): Promise<{ id: number }> =>
      send(method, path, body, access_token)
  return { token: access_token as string, post: as('POST'), patch: as('PATCH') }
}

export const signUp = async (product: Product, full_name: string, email: string) => {
  const { post } = await apiAs(product, product.firstSuperuser)
  await post('/users/signup', { full_name, email, password: PASSWORD })
  return { email, password: PASSWORD }
}

export const loginField = (page: Page) => page.getByLabel('Email ou nome de usuário')
/** What a form without a toast says when it was refused. */
export const refusal = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
export const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('access_token'))

/** Fills the sign-in form that is on the screen. */
export async function submitSignIn(page: Page, { email, password }: Credentials) {
  await loginField(page).fill(email)
  await page.getByLabel('Senha', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Entrar' }).click()
}

/** Begins with the session already there, for screens that are not about signing in. */
export async function openSignedIn(page: Page, product: Product, who: Credentials) {
  const { token } = await apiAs(product, who)
  await page.goto(`${product.url}/login`)
  await page.evaluate((held) => localStorage.setItem('access_token', held), token)
}

/** A notice in the corner, by its title and what it says below it. */
export const notice = (page: Page, title: string, text = '') =>
  page.locator('.toast', { has: page.getByText(title, { exact: true }) }).filter({ hasText: text })

/** What a field says is wrong with it, as a screen reader hears it. */
export const expectFieldError = (field: Locator, message: string) =>
  expect(field).toHaveAccessibleDescription(new RegExp(message.replace(/[()]/g, '\\$&')))

const STOPS = 80
/** Goes there by Tab alone, and fails when the keyboard cannot. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await expect(target).toBeVisible()
  for (let stop = 0; stop < STOPS; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  await expect(target).toBeFocused()
}
export async function typeInto(page: Page, field: Locator, text: string) {
  await tabTo(page, field)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}
export async function tabToAndPress(page: Page, target: Locator, key = 'Enter') {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** The inputs of the calls of one procedure that leave this page from now on. */
export function recordCalls(page: Page, procedure: string) {
  const inputs: unknown[] = []
  page.on('request', (request) => {
    const names = new URL(request.url()).pathname.replace('/trpc/', '').split(',')
    const place = names.indexOf(procedure)
    if (place < 0) return
    const sent = request.postData() ?? new URL(request.url()).searchParams.get('input') ?? '{}'
    inputs.push(JSON.parse(sent)[place])
  })
  return inputs
}

/** Holds what the page asks for until it is let go; `asked` resolves with the first request. */
export async function holdRequests(
  page: Page,
  url: RegExp,
  goOn = (route: Route) => route.continue().catch(() => null),
) {
  const asked = page.waitForRequest(url)
  const { promise: released, resolve: releaseRequests } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await released
    await goOn(route)
  })
  return { asked, releaseRequests }
}
