import { expect, type Locator, type Page, type Route } from '@playwright/test'
import type { Product } from './product.ts'

export const PASSWORD = 'senha-de-teste'

interface Credentials {
  email: string
  password: string
}

/** Calls /api/v1 as this user, to set up what a screen shows. */
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
  return { token: access_token as string, post: as('POST'), patch: as('PATCH'), put: as('PUT') }
}

export const signUp = async (product: Product, full_name: string, email: string) => {
  const { post } = await apiAs(product, product.firstSuperuser)
  await post('/users/signup', { full_name, email, password: PASSWORD })
  return { email, password: PASSWORD }
}

export const loginField = (page: Page) => page.getByLabel('Email ou nome de usuário')
/** The alert of a form that was refused, where it has no toast. */
export const refusal = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
export const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('access_token'))

/** Fills the sign-in form that is on the screen. */
export async function submitSignIn(page: Page, { email, password }: Credentials) {
  await loginField(page).fill(email)
  await page.getByLabel('Senha', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Entrar' }).click()
}

/** Starts with the session already stored, for screens other than the sign-in. */
export async function openSignedIn(page: Page, product: Product, who: Credentials) {
  const { token } = await apiAs(product, who)
  // Any answer of the server will do: the application itself is loaded once, by what follows.
  await page.goto(`${product.url}/api/v1/utils/health-check/`)
  await page.evaluate((value) => localStorage.setItem('access_token', value), token)
}

const screenOf = (address: string) => new URL(address).pathname.split('/')[1]
/** A screen that everybody has, and that asks the server for nothing. */
const MANUAL = '/ajuda'
/**
 * Opens a screen as a link does, in the running application where there is one: loading it takes a second of processor
 * time. Another page of the same screen is opened by way of the manual, since nothing would tell it from the one
 * before.
 */
export async function openScreen(page: Page, address: string) {
  const { origin, pathname, search } = new URL(address)
  const isInApp = page.url().startsWith(`${origin}/`) && (await page.locator('h1').count()) > 0
  const isOtherPage = isInApp && screenOf(page.url()) === screenOf(address)
  if (!isInApp || (isOtherPage && pathname.startsWith(MANUAL))) return page.goto(address)
  if (isOtherPage) await followLink(page, MANUAL)
  await followLink(page, pathname + search)
}

async function followLink(page: Page, path: string) {
  const heading = await page.evaluateHandle(() => document.querySelector('h1'))
  await page.evaluate((path) => history.pushState(null, '', path), path)
  // Each screen has its own heading.
  await page.waitForFunction((before) => !before?.isConnected, heading)
}

/** A toast in the corner, by its title and text. */
export const notice = (page: Page, title: string, text = '') =>
  page.locator('.toast', { has: page.getByText(title, { exact: true }) }).filter({ hasText: text })

/** Expects this error message as the accessible description of the field. */
export const expectFieldError = (field: Locator, message: string) =>
  expect(field).toHaveAccessibleDescription(new RegExp(message.replace(/[()]/g, '\\$&')))

/** Two frames later: what the last input caused has been painted. */
export const nextPaint = (page: Page) =>
  page.evaluate(
    () => new Promise<unknown>((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )

const STOPS = 80
/** Moves to the target by Tab alone, and fails when it cannot be reached. */
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

/** The inputs of all calls of one procedure that this page sends from now on. */
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

/** Every product answers it, to anybody; the application never asks with this query. */
const PROBE = '/api/v1/utils/health-check/?intercepted'
const INTERCEPTED = 'intercepted'

/**
 * `page.route` that holds from the next request on. Chromium confirms it a little before the page's loader knows:
 * what a press requests in between passes by, and Playwright does not even report it.
 */
export async function intercept(page: Page, ...route: Parameters<Page['route']>) {
  await page.route(...route)
  if (!page.url().startsWith('http')) return
  const isProbe = ({ pathname, search }: URL) => pathname + search === PROBE
  await page.route(isProbe, (probe) => probe.fulfill({ body: INTERCEPTED }))
  await page.evaluate(
    async ({ probe, expected }) => {
      for (let answer = ''; answer !== expected; )
        answer = await fetch(probe).then(
          (reply) => reply.text(),
          () => '',
        )
    },
    { probe: PROBE, expected: INTERCEPTED },
  )
  await page.unroute(isProbe)
}

/** Blocks matching requests until they are released; `asked` resolves with the first one. */
export async function holdRequests(
  page: Page,
  url: RegExp,
  goOn = (route: Route) => route.continue().catch(() => null),
) {
  const asked = page.waitForRequest(url)
  const { promise: released, resolve: releaseRequests } = Promise.withResolvers<void>()
  await intercept(page, url, async (route) => {
    await released
    await goOn(route)
  })
  return { asked, releaseRequests }
}

/** Records what moves on the pages of a visit although nobody has touched them, from each one's start. */
export const recordShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: string[] = []
    const placeOf = ({ x, y }: DOMRectReadOnly) => `${Math.round(x)},${Math.round(y)}`
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as (PerformanceEntry & { sources: LayoutShiftSource[] })[])
        for (const { node, previousRect, currentRect } of sources) {
          // What is gone by now has no node.
          if (!node) continue
          const { nodeName, className } = node as HTMLElement
          shifts.push(`${nodeName}.${className} ${placeOf(previousRect)} → ${placeOf(currentRect)}`)
        }
    }).observe({ type: 'layout-shift', buffered: true })
    Object.assign(window, { shifts })
  })
interface LayoutShiftSource {
  node: Node | null
  previousRect: DOMRectReadOnly
  currentRect: DOMRectReadOnly
}
/** What `recordShifts` has recorded on the current page. */
export const shiftsOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)
