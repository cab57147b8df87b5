import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchActivity } from './idle.ts'
import { callHeaders, isSignedIn, safePath, watchSession } from './session.ts'
import { queryClient, trpcClient } from './trpc.ts'

const storage = new Map<string, string>()
const at = (hostname: string) => vi.stubGlobal('location', { hostname, origin: `https://${hostname}` })
beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: (key: string) => storage.get(key) ?? null })
  at('garantia.exemplo.com.br')
})
afterEach(() => {
  storage.clear()
  vi.unstubAllGlobals()
})

test('a call carries the bearer token from access_token when one is stored, and only then (API-1, STA-1)', () => {
  expect(callHeaders()).toEqual({})
  expect(isSignedIn()).toBe(false)
  storage.set('access_token', 'abc')
  expect(callHeaders()).toEqual({ authorization: 'Bearer abc' })
  expect(isSignedIn()).toBe(true)
})

test('a call says that nobody has touched the page for five minutes (D-36)', () => {
  const page = new EventTarget()
  vi.stubGlobal('window', page)
  vi.useFakeTimers()
  watchActivity()
  page.dispatchEvent(new Event('keydown'))
  vi.advanceTimersByTime(5 * 60_000)
  expect(callHeaders()).toEqual({})
  vi.advanceTimersByTime(1)
  expect(callHeaders()).toEqual({ 'x-idle': '1' })
  page.dispatchEvent(new Event('pointermove'))
  expect(callHeaders()).toEqual({})
  vi.useRealTimers()
})

test('a page that comes back from the cache of the browser shows nothing of who has left', () => {
  const page = new EventTarget()
  const root = { hidden: false }
  const reload = vi.fn()
  vi.stubGlobal('window', page)
  vi.stubGlobal('document', { documentElement: root })
  vi.stubGlobal('location', { reload })
  watchSession(() => {})
  const comeBack = (persisted: boolean) =>
    page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))

  storage.set('access_token', 'ana')
  page.dispatchEvent(new Event('pagehide'))
  comeBack(true)
  expect([root.hidden, reload.mock.calls.length]).toEqual([false, 0])
  for (const next of [undefined, 'bia']) {
    root.hidden = false
    reload.mockClear()
    storage.set('access_token', 'ana')
    page.dispatchEvent(new Event('pagehide'))
    if (next) storage.set('access_token', next)
    else storage.delete('access_token')
    comeBack(false)
    expect(reload).not.toHaveBeenCalled()
    comeBack(true)
    expect([root.hidden, reload.mock.calls.length]).toEqual([true, 1])
  }
})

test.each(['x.ngrok-free.app', 'x.ngrok.io', 'x.ngrok.app', 'x.loca.lt'])(
  'behind the tunnel %s a call skips its warning page (API-3, D-44)',
  (host) => {
    at(host)
    expect(callHeaders()).toEqual({
      'ngrok-skip-browser-warning': 'true',
      'bypass-tunnel-reminder': 'true',
    })
  },
)
test('other hosts do not get these headers (API-3)', () => {
  at('ngrok.io.exemplo.com.br')
  expect(callHeaders()).toEqual({})
})

test('calls are sent with credentials and token, and are not retried (API-1, API-2, GEN-12, STA-5)', async () => {
  storage.set('access_token', 'abc')
  const send = vi.fn(async (url: string, _options?: RequestInit) => {
    if (url.startsWith('/trpc/')) throw new TypeError('Failed to fetch')
    return new Response()
  })
  vi.stubGlobal('fetch', send)
  const asked = queryClient.fetchQuery({ queryKey: ['me'], queryFn: () => trpcClient.account.me.query() })
  await expect(asked).rejects.toThrow()
  const calls = send.mock.calls.filter(([url]) => url.startsWith('/trpc/'))
  expect(calls).toHaveLength(1)
  expect(calls[0]?.[1]).toMatchObject({
    credentials: 'include',
    headers: { authorization: 'Bearer abc' },
  })
  expect(queryClient.getDefaultOptions().queries).toMatchObject({ retry: false, refetchOnWindowFocus: false })
})

test.each([
  ['/settings?tab=sessoes', '/settings?tab=sessoes'],
  ['//foreign.example', '/'],
  ['/\\foreign.example', '/'],
  ['https://foreign.example', '/'],
  [undefined, '/'],
])('after sign-in %s leads to %s (NAV-4)', (wanted, path) => expect(safePath(wanted)).toBe(path))
