import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'
import { isExhaustive } from '../support/exhaustive.ts'
import { choiceFor, type Look } from './audited-states.ts'

/** The axe rules that depend on the theme; nothing else of a page differs between the two. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block']
const OVERLAY = '[role="dialog"], [role="alertdialog"], .bp6-popover:has([role="menu"])'
/** Pictures are taken only on request: SCREENS=1 npm test -- e2e screens. */
const { SCREENS } = process.env
const PICTURES = '.artifacts/screens'
/** Windows in which a person looks at every state, in both themes. */
const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 1366, height: 768 },
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
]
const THEMES = ['light', 'dark'] as const
/** A higher page is cut there. */
const HIGHEST = 2_000
const PHONE = 390
const HEIGHT = 900
/** Target size for a thumb in px; WCAG asks for 24 px, which axe checks. */
const THUMB = 44

/** The axe rules that depend on where things are; no style sheet has a breakpoint between 1280 and 1440 px. */
const OF_LAYOUT = ['target-size', 'scrollable-region-focusable']
const WIDTHS = [1440, 1280, PHONE]
type Theme = Look['theme']
export interface Circumstances {
  /** Opens again what a change of width closes, or what took the theme when it opened. */
  prepare?: () => Promise<void>
  /** The audited state includes a toast, which is kept open. */
  withNotices?: boolean
}

/**
 * Audits the current state at three widths: nothing wider than the window, targets large enough for a thumb on
 * a phone, no axe violation in the looks that are chosen for it; in the exhaustive run in all of them. On request a
 * picture of each for a person to review.
 */
export async function auditAllViewports(
  page: Page,
  name: string,
  { prepare, withNotices }: Circumstances = {},
) {
  if (!withNotices) await closeNotices(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const { screen, looks } = choiceFor(name)
  expect.soft(page.url(), name).toMatch(addressOf(screen))
  let theme = await currentTheme(page)
  const runs = isExhaustive ? everyRun(theme) : looks.map((look): Run => ({ ...look, rules: WCAG }))
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT })
    const its = runs.filter((run) => run.width === width)
    const show = async (shown: Theme) => {
      theme = shown
      await applyTheme(page, theme)
      await prepare?.()
    }
    await show(its[0]?.theme ?? theme)
    if (its.length > 0) await expandToContentHeight(page, width)
    expect.soft(await layoutViolations(page, width === PHONE), `${name}-${width}`).toEqual([])
    for (const run of its) {
      if (run.theme !== theme) await show(run.theme)
      expect.soft(await violations(page, run.rules), `${name}-${theme}-${width}`).toEqual([])
    }
  }
  if (SCREENS) await takePictures(page, name, prepare)
  await page.setViewportSize({ width: 1280, height: HEIGHT })
}

const addressOf = (screen: string) => {
  const [path = '', tab = ''] = screen.split('?')
  return new RegExp(`^http://[^/]+${path.replace(/\$\w+/g, '[^/]+')}(\\?.*${tab}|#|$)`)
}

interface Run extends Look {
  rules: axe.RunOnly
}
/**
 * Every width in both themes. It starts with the theme of the state before and changes twice: each change draws the
 * whole page anew.
 */
function everyRun(theme: Theme): Run[] {
  const other = theme === 'dark' ? 'light' : 'dark'
  return [
    { width: 1440, theme, rules: WCAG },
    { width: 1440, theme: other, rules: rules(OF_COLOUR) },
    { width: 1280, theme: other, rules: rules(OF_LAYOUT) },
    { width: PHONE, theme: other, rules: WCAG },
    { width: PHONE, theme, rules: rules(OF_COLOUR) },
  ]
}

/** `.artifacts/screens/<state>/<width>-<theme>.png`, as high as the page unless something lies over it. */
async function takePictures(page: Page, name: string, prepare: Circumstances['prepare']) {
  const theme = await currentTheme(page)
  for (const window of WINDOWS)
    for (const shown of THEMES) {
      await page.setViewportSize(window)
      await applyTheme(page, shown)
      await prepare?.()
      if (!(await page.locator(OVERLAY).filter({ visible: true }).count())) {
        const full = await page.evaluate(() => document.documentElement.scrollHeight)
        const height = Math.max(window.height, Math.min(full, HIGHEST))
        await page.setViewportSize({ width: window.width, height })
      }
      await applyTheme(page, shown)
      const path = `${PICTURES}/${name}/${window.width}-${shown}.png`
      await page.screenshot({ path, caret: 'initial' })
    }
  await applyTheme(page, theme)
}

/** Audits the form alone at a width other than the three, for defects that occur only there. */
export async function auditAtWidth(page: Page, width: number, name: string, prepare: () => Promise<void>) {
  await closeNotices(page)
  await page.setViewportSize({ width, height: HEIGHT })
  await applyTheme(page, 'dark')
  await prepare()
  expect.soft(await violations(page, WCAG), `${name}-${width}`).toEqual([])
  expect.soft(await layoutViolations(page, width === PHONE), `${name}-${width}`).toEqual([])
}

const WCAG: axe.RunOnly = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
const rules = (values: string[]): axe.RunOnly => ({ type: 'rule', values })

async function closeNotices(page: Page) {
  const notices = page.locator('.toast')
  await notices.getByRole('button', { name: 'Fechar' }).evaluateAll((buttons) => {
    for (const button of buttons as HTMLElement[]) button.click()
  })
  await expect(notices).toHaveCount(0)
}

const currentTheme = (page: Page): Promise<Theme> =>
  page.evaluate(() => (document.documentElement.classList.contains('bp6-dark') ? 'dark' : 'light'))
/** Changes the theme in place without transition, and waits for animations caused by the width. */
const applyTheme = (page: Page, theme: Theme) =>
  page.evaluate(async (isDark) => {
    // Colours would fade for a tenth of a second, eight times per state.
    if (document.adoptedStyleSheets.length === 0) {
      const still = new CSSStyleSheet()
      still.replaceSync('* { transition-duration: 0s !important }')
      document.adoptedStyleSheets = [still]
    }
    document.documentElement.classList.toggle('bp6-dark', isDark)
    await document.fonts.ready
    // Endless animations, such as spinners, never finish.
    const moves = document
      .getAnimations()
      .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.all(moves.map((one) => one.finished.catch(() => null)))
  }, theme === 'dark')

/** As high as its content: otherwise what scrolls below a bar would count as covered by it. */
async function expandToContentHeight(page: Page, width: number) {
  const height = await page.evaluate(() =>
    Math.max(document.documentElement.scrollHeight, window.innerHeight),
  )
  await page.setViewportSize({ width, height })
}

async function violations(page: Page, runOnly: axe.RunOnly) {
  // axe stays in the document: injecting it each time takes longer than its run.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async ({ runOnly, overlays }) => {
      const engine = (window as unknown as { axe: typeof axe }).axe
      // What it half covers, axe would report as too small a target; the page below has an audit of its own.
      const isCovered = [...document.querySelectorAll(overlays)].some((one) => one.checkVisibility())
      const { violations } = await engine.run(isCovered ? overlays : document, {
        runOnly,
        resultTypes: ['violations'],
        preload: false,
      })
      return violations.map(({ id, nodes }) => `${id} ${nodes.map((node) => node.target).join(' ')}`)
    },
    { runOnly, overlays: OVERLAY },
  )
}

/**
 * Elements wider than the window, more than one filled button and, on a phone, controls less than 44 px high or wide. Links inside a
 * sentence are text, not targets.
 */
const layoutViolations = (page: Page, isForThumbs: boolean) =>
  page.evaluate(
    ({ least, isForThumbs }) => {
      const overflow = document.documentElement.scrollWidth - window.innerWidth
      const wide = overflow > 0 ? [`${overflow} px wider than its window`] : []
      const top = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].at(-1)
      const filled = [
        ...(top ?? document).querySelectorAll('button.bp6-intent-primary, a.bp6-button.bp6-intent-primary'),
      ]
        .filter((one) => one.checkVisibility() && !one.matches('.bp6-minimal, .bp6-outlined'))
        .map((one) => one.textContent)
      if (filled.length > 1) wide.push(`several filled buttons: ${filled.join(', ')}`)
      if (!isForThumbs) return wide
      const CONTROLS = 'button, select, input, textarea, [role="tab"], [role="menuitem"], nav a, a.bp6-button'
      const dialogs = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')]
      const isInert = (element: Element) =>
        dialogs.length > 0 && !dialogs.some((one) => one.contains(element))
      const small = [...document.querySelectorAll<HTMLElement>(CONTROLS)].flatMap((control) => {
        if (isInert(control) || !control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
          return []
        const target = control.matches('input') ? (control.closest('label') ?? control) : control
        const { width, height } = target.getBoundingClientRect()
        if (width <= 1 || (width > least - 0.5 && height > least - 0.5)) return []
        const label = control.getAttribute('aria-label') ?? control.textContent?.trim()
        return [`${control.tagName.toLowerCase()} «${label}» ${Math.round(width)}×${Math.round(height)}`]
      })
      return [...wide, ...small]
    },
    { least: THUMB, isForThumbs },
  )
