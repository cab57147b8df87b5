import { expect, type Locator, type Page, test } from '@playwright/test'
import type { Confirmation } from './double-press-rows.ts'
import type { Product } from './product.ts'

/** Names of the calls that change something, and every message, from now on. */
export async function watch(page: Page) {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() !== 'POST') return
    if (pathname.startsWith('/trpc/')) calls.push(...pathname.replace('/trpc/', '').split(','))
    else calls.push(pathname)
  })
  await page.addInitScript(() => {
    const messages: string[] = []
    Object.assign(window, { messages })
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof HTMLElement)
            for (const toast of [node, ...node.querySelectorAll('.toast')])
              if (toast.matches('.toast')) messages.push(toast.textContent ?? '')
    }).observe(document, { childList: true, subtree: true })
  })
  // What the worker tells meanwhile is of no press.
  const messages = async () =>
    (await page.evaluate(() => (window as unknown as { messages: string[] }).messages)).filter(
      (text) => !/^(Conversão concluída|Arquivos convertidos)/.test(text),
    )
  return { calls, messages }
}
export type Watched = Awaited<ReturnType<typeof watch>>

/** Twice at once, and again while what followed from the first press is being drawn. */
export const pressAgain = (button: Locator, isRepeatable: boolean) =>
  button.evaluate(async (element: HTMLElement, isRepeatable) => {
    element.click()
    element.click()
    if (isRepeatable) return
    await new Promise((resolve) => setTimeout(resolve, 40))
    element.click()
  }, isRepeatable)

/** Presses the button of each row again and again: it acts once and reports once. */
export async function pressEach(
  page: Page,
  { url }: Product,
  { calls, messages }: Watched,
  confirmations: readonly Confirmation[],
) {
  for (const {
    path,
    prepare,
    button,
    call,
    message,
    shows,
    isRepeatable = false,
    staysOpen,
  } of confirmations)
    await test.step(`${call}`, async () => {
      if (path !== undefined) await page.goto(`${url}${typeof path === 'string' ? path : await path()}`)
      await prepare(page)
      await expect(button(page)).toBeEnabled()
      calls.length = 0
      const before = (await messages()).length
      await pressAgain(button(page), isRepeatable)
      if (shows) await expect(shows(page)).toBeVisible()
      const expected = message === undefined ? [] : [expect.stringContaining(message)]
      await expect.poll(async () => (await messages()).slice(before)).toEqual(expected)
      if (!staysOpen) await expect(page.locator('[role="dialog"], [role="alertdialog"]')).toHaveCount(0)
      expect(calls).toEqual([call].flat())
      expect((await messages()).slice(before)).toEqual(expected)
    })
}
