import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const DIALOG = '[role="dialog"], [role="alertdialog"]'
const PICTURES = '.artifacts/screens'
export const PHONE = 390
/** What a thumb hits without looking; WCAG asks for 24 px, which axe checks. */
const THUMB = 44

/** No axe violation, nothing wider than the window, room for a thumb on a phone, and a picture for a person to judge. */
export async function judge(page: Page, name: string, { isContrastKnown = false } = {}) {
  await page.evaluate(async () => {
    // What turns for ever, as a sign of waiting does, is never still.
    const moves = document
      .getAnimations()
      .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.all(moves.map((one) => one.finished.catch(() => null)))
  })
  await page.screenshot({ path: `${PICTURES}/${name}.png` })
  await unroll(page)
  expect.soft(await violations(page, isContrastKnown), name).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect.soft(overflow, `${name} is wider than its window`).toBeLessThanOrEqual(0)
  if ((page.viewportSize()?.width ?? 0) <= PHONE)
    expect.soft(await smallTargets(page), `${name}: too small for a thumb`).toEqual([])
}

/** As high as its content: what scrolls below a bar would otherwise count as covered by it. */
async function unroll(page: Page) {
  const width = page.viewportSize()?.width ?? PHONE
  if (width > PHONE) return
  const height = await page.evaluate(() =>
    Math.max(document.documentElement.scrollHeight, window.innerHeight),
  )
  await page.setViewportSize({ width, height })
}

async function violations(page: Page, isContrastKnown: boolean) {
  // The engine stays in the document: bringing it anew each time takes longer than its work.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // What a dialog half covers is inert; axe would complain that it is too small to be hit.
  const isAsking = (await page.locator(DIALOG).filter({ visible: true }).count()) > 0
  return page.evaluate(
    async ({ tags, root, isContrastKnown }) => {
      const engine = (window as unknown as { axe: typeof axe }).axe
      const { violations } = await engine.run(root ?? document, {
        runOnly: tags,
        rules: { 'color-contrast': { enabled: !isContrastKnown } },
        resultTypes: ['violations'],
        preload: false,
      })
      return violations.map(({ id, nodes }) => `${id} ${nodes.map((node) => node.target).join(' ')}`)
    },
    { tags: WCAG, root: isAsking ? DIALOG : null, isContrastKnown },
  )
}

/** Controls that are less than 44 px high or wide. Links inside a sentence are words, not targets. */
const smallTargets = (page: Page) =>
  page.evaluate((least) => {
    const CONTROLS = 'button, select, input, textarea, [role="tab"], [role="menuitem"], nav a, a.bp6-button'
    const dialogs = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')]
    const isInert = (element: Element) => dialogs.length > 0 && !dialogs.some((one) => one.contains(element))
    return [...document.querySelectorAll<HTMLElement>(CONTROLS)].flatMap((control) => {
      if (isInert(control) || !control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        return []
      const target = control.matches('input') ? (control.closest('label') ?? control) : control
      const { width, height } = target.getBoundingClientRect()
      if (width <= 1 || (width > least - 0.5 && height > least - 0.5)) return []
      const label = control.getAttribute('aria-label') ?? control.textContent?.trim()
      return [`${control.tagName.toLowerCase()} «${label}» ${Math.round(width)}×${Math.round(height)}`]
    })
  }, THUMB)

/** At 1280 px the colours are those of 1440, and their contrast, half of the work, is not measured again. */
const LOOKS = [1440, 1280, PHONE].flatMap((width) =>
  (['dark', 'light'] as const).map((theme) => ({ theme, width, isContrastKnown: width === 1280 })),
)
export interface Circumstances {
  /** Opens again what a new width closes. */
  prepare?: () => Promise<void>
  /** What is judged is a notice; it must be held open. */
  withNotices?: boolean
}
/** The same moment in both themes at three widths. */
export async function judgeInAllLooks(
  page: Page,
  name: string,
  { prepare, withNotices }: Circumstances = {},
) {
  const notices = page.locator('.toast')
  while (!withNotices && (await notices.count()) > 0)
    await notices
      .first()
      .getByRole('button', { name: 'Fechar' })
      .click({ timeout: 2_000 })
      .catch(() => null)
  for (const { theme, width, isContrastKnown } of LOOKS) {
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate(
      (isDark) => document.documentElement.classList.toggle('bp6-dark', isDark),
      theme === 'dark',
    )
    await prepare?.()
    await judge(page, `${name}-${theme}-${width}`, { isContrastKnown })
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}
