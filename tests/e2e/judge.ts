import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const DIALOG = '[role="dialog"], [role="alertdialog"]'
const PICTURES = '.artifacts/screens'

/** No axe violation, nothing wider than the window, and a picture for a person to judge. */
export async function judge(page: Page, name: string, { isContrastKnown = false } = {}) {
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null))),
  )
  await page.screenshot({ path: `${PICTURES}/${name}.png` })
  // Without frames the legacy mode finds the same, and spares the window that axe opens for each answer.
  const axe = new AxeBuilder({ page }).setLegacyMode().withTags(WCAG)
  if (isContrastKnown) axe.disableRules('color-contrast')
  // What a dialog half covers is inert; axe would complain that it is too small to be hit.
  if ((await page.locator(DIALOG).filter({ visible: true }).count()) > 0) axe.include(DIALOG)
  const { violations } = await axe.analyze()
  expect(
    violations.map(({ id, nodes }) => `${name}: ${id} ${nodes.map((node) => node.target).join(' ')}`),
  ).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow, `${name} is wider than its window`).toBeLessThanOrEqual(0)
}

/** At 1280 px the colours are those of 1440, and their contrast, half of axe's work, is not measured again. */
const LOOKS = (['dark', 'light'] as const).flatMap((theme) =>
  [1440, 1280, 390].map((width) => ({ theme, width, isContrastKnown: width === 1280 })),
)
/** The same moment in both themes at three widths, without notices; `prepare` opens again what a new width closes. */
export async function judgeInAllLooks(page: Page, name: string, prepare?: () => Promise<void>) {
  const notices = page.locator('.toast')
  while ((await notices.count()) > 0)
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
