import { afterEach, expect, test, vi } from 'vitest'
import { isServerAway, saveOnReturn, watchedFetch } from './connection.ts'
import { AWAY, messageOf } from './messages.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('one call that fails does not mean that the server is away', async () => {
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.startsWith('/trpc/')) throw new TypeError('Failed to fetch')
    return new Response()
  })
  await expect(watchedFetch('/trpc/orders.one')).rejects.toThrow('Failed to fetch')
  expect(isServerAway()).toBe(false)
})

test('a save waits for the server, is sent once when it is back, and not when it was given up', async () => {
  vi.useFakeTimers()
  let isThere = false
  vi.stubGlobal('fetch', async () => {
    if (isThere) return new Response()
    // As a proxy answers whose server is away.
    return new Response(null, { status: 502 })
  })
  expect((await watchedFetch('/trpc/orders.change')).status).toBe(502)
  expect(isServerAway()).toBe(true)
  expect(messageOf(new TypeError('Failed to fetch'))).toBe(AWAY)
  // The words that the specification has for a failure (BRD-12, SIGN-11) stay.
  expect(messageOf(new TypeError('Failed to fetch'), 'Erro desconhecido')).toBe('Erro desconhecido')
  const [save, givenUp] = [vi.fn(), vi.fn()]
  saveOnReturn(save)
  saveOnReturn(givenUp)()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(save).not.toHaveBeenCalled()
  isThere = true
  await vi.advanceTimersByTimeAsync(3_000)
  expect(isServerAway()).toBe(false)
  expect([save, givenUp].map(({ mock }) => mock.calls.length)).toEqual([1, 0])
})

test.each([
  ['a read that fails just before the server is back is sent again', 'GET', 2],
  ['a change is not, as it may have been made', 'POST', 1],
])('%s', async (_, method, count) => {
  let [isThere, returnsNext] = [false, false]
  let asked = 0
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.startsWith('/trpc/')) {
      asked++
      const isAnswered = isThere
      // Back before the failure of this call is known.
      isThere ||= returnsNext
      if (!isAnswered) throw new TypeError('Failed to fetch')
    }
    return new Response(null, { status: isThere ? 200 : 502 })
  })
  await expect(watchedFetch('/trpc/orders.list', { method })).rejects.toThrow('Failed to fetch')
  expect(isServerAway()).toBe(true)
  returnsNext = true
  asked = 0
  const statusOrError = await watchedFetch('/trpc/orders.list', { method }).then(
    ({ status }) => status,
    (error: Error) => error.message,
  )
  expect(isServerAway()).toBe(false)
  expect([statusOrError, asked]).toEqual([count === 2 ? 200 : 'Failed to fetch', count])
})
