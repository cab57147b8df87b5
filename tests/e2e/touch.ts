import { type Browser, expect, type Locator, type Page } from '@playwright/test'

/** A page with touch input, in a window of a phone's size. */
export const newPhonePage = async (browser: Browser) =>
  (
    await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      locale: 'pt-BR',
      acceptDownloads: true,
    })
  ).newPage()

/**
 * The one primary button of the view: at the bottom, large enough, and not covered at its ends (tray, toast).
 */
export async function expectPrimaryButtonReachable(page: Page, name: string) {
  const primary = page.locator('.evidence .bp6-intent-primary, .page-header .bp6-intent-primary')
  await expect(primary).toHaveCount(1)
  await expect(primary).toHaveAccessibleName(name)
  const box = await primary.boundingBox()
  expect(box?.height).toBeGreaterThanOrEqual(44)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(780)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390 - 12)
  const over = () =>
    primary.evaluate((button) => {
      const { left, right, top, height } = button.getBoundingClientRect()
      return [left + 4, right - 4]
        .map((x) => document.elementFromPoint(x, top + height / 2))
        .filter((found) => !button.contains(found))
        .map((found) => found?.outerHTML.slice(0, 200))
    })
  await expect.poll(over).toEqual([])
}

/** Visible buttons below 44 px. */
export const smallTargets = (page: Page, within: string) =>
  page.locator(`${within} :is(button, summary, select)`).evaluateAll((targets) =>
    targets
      .map((target) => ({
        name: target.getAttribute('aria-label') ?? target.textContent,
        box: target.getBoundingClientRect(),
      }))
      .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44))
      .map(({ name, box }) => `${name}: ${box.width} × ${box.height}`),
  )

/** Expects the strip at the phone's width, at rest; the finger is lifted while still moving. */
export async function swipeLeft(strip: Locator) {
  const page = strip.page()
  await strip.tap({ trial: true })
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 400 }] })
  await touch('touchStart', 340)
  for (let x = 320; x >= 60; x -= 20) await touch('touchMove', x)
  await touch('touchEnd')
}
