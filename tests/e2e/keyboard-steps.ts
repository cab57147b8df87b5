import { expect, type Locator, type Page } from '@playwright/test'
import { tabTo } from './page-helpers.ts'

/** Counts the mouse, pen and touch events on any page of the visit. */
export async function watchPointers(page: Page) {
  const seen: string[] = []
  await page.exposeFunction('pointerSeen', (name: string) => seen.push(name))
  await page.addInitScript(() => {
    const tell = (window as unknown as { pointerSeen: (name: string) => void }).pointerSeen
    for (const name of ['pointerdown', 'pointermove', 'mousedown', 'mousemove', 'touchstart', 'wheel'])
      window.addEventListener(name, () => tell(name), { capture: true, passive: true })
  })
  return seen
}
/** Moves by arrow keys through an open menu to an entry. */
export async function arrowTo(page: Page, entry: Locator) {
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  for (let step = 0; step < 12; step++) {
    if (await entry.evaluate((one) => one === document.activeElement)) return
    await page.keyboard.press('ArrowDown')
  }
  await expect(entry).toBeFocused()
}
/** Selects an option of a native select by typing its text. */
export async function chooseIn(page: Page, select: Locator, text: string) {
  await tabTo(page, select)
  await page.keyboard.type(text)
  await expect(select.locator('option:checked')).toHaveText(text)
}

/** The keys that were pressed, counted; text that only a person knows is typed apart. */
export function keys(page: Page) {
  let count = 0
  return {
    async press(...strokes: string[]) {
      for (const stroke of strokes) {
        count++
        await page.keyboard.press(stroke)
      }
    },
    take() {
      const taken = count
      count = 0
      return taken
    },
  }
}
