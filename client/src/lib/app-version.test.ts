import { beforeEach, expect, test, vi } from 'vitest'
import { compareVersion, postponeNewVersion, shouldLoadNewVersion, watchVersion } from './app-version.ts'

const answerOf = (script: string | null) =>
  new Response(null, { headers: script === null ? {} : { 'x-client-script': script } })

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})

test('a page is old once an answer comes from a server with another client, which is said once', () => {
  const whenOld = vi.fn()
  compareVersion(answerOf('/assets/index-b.js'))
  expect(shouldLoadNewVersion()).toBe(false)
  watchVersion('/assets/index-a.js', whenOld)
  // It was loaded for that one already, and a server of the version before has answered.
  sessionStorage.setItem('loaded_for', `/assets/index-c.js ${Date.now()}`)
  // A proxy, or a server without a built client, names none.
  for (const script of [null, '/assets/index-a.js', '/assets/index-c.js']) compareVersion(answerOf(script))
  expect(shouldLoadNewVersion()).toBe(false)
  for (const script of ['/assets/index-b.js', '/assets/index-a.js']) compareVersion(answerOf(script))
  expect(shouldLoadNewVersion()).toBe(true)
  expect(whenOld).toHaveBeenCalledOnce()
  postponeNewVersion()
  expect([shouldLoadNewVersion(), shouldLoadNewVersion()]).toEqual([false, true])
})
