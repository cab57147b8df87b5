import { CONFIRM_NEEDED } from '@garantia/shared/auth/second-factor'
import { afterEach, expect, test, vi } from 'vitest'
import { onConfirmationNeeded } from './confirmation.ts'
import { download } from './files.ts'

afterEach(() => vi.unstubAllGlobals())

/** A server that asks for the password until it was given, and a page that saves files under a name. */
function page() {
  let isConfirmed = false
  const saved: string[] = []
  const dialog = vi.fn(async (answer: boolean) => (isConfirmed = answer))
  vi.stubGlobal('location', { hostname: 'garantia.exemplo.com.br' })
  vi.stubGlobal('localStorage', { getItem: () => 'abc' })
  vi.stubGlobal('document', {
    createElement: () => ({
      click() {
        saved.push(this.download)
      },
      download: '',
    }),
  })
  vi.stubGlobal('fetch', async () =>
    isConfirmed ? new Response('a;b') : Response.json({ detail: CONFIRM_NEEDED }, { status: 403 }),
  )
  return { saved, dialog }
}

test('files that ask for the password are downloaded once it was given, which is asked once', async () => {
  const { saved, dialog } = page()
  onConfirmationNeeded(() => dialog(true))
  await Promise.all([download('/a', 'a.csv'), download('/b', 'b.csv')])
  expect(saved).toEqual(['a.csv', 'b.csv'])
  expect(dialog).toHaveBeenCalledTimes(1)
})

test('a file is refused as before when the password is not given', async () => {
  const { saved, dialog } = page()
  onConfirmationNeeded(() => dialog(false))
  await expect(download('/a', 'a.csv')).rejects.toMatchObject({ status: 403, detail: CONFIRM_NEEDED })
  expect(saved).toEqual([])
})
