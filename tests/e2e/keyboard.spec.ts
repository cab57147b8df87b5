import { expect, type Page, test } from '@playwright/test'
import { bulkBar, dialog, grid, openList, rowOf, rows, seedOrders } from './order-list-fixture.ts'
import { notice, openSignedIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let ids: Record<string, number>
test.beforeAll(async () => {
  product = await openProduct()
  ids = await seedOrders(product)
})

type KeyModifiers = Pick<
  KeyboardEventInit,
  'code' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'isComposing' | 'modifierAltGraph'
>
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Atalhos de teclado' })
const listedKeys = async (page: Page) => {
  await expect(sheet(page).getByRole('heading', { name: 'Em todo lugar' })).toBeVisible()
  return sheet(page)
    .locator('[data-keys]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-keys') ?? ''))
}
/** The shortcuts that controls expose to screen readers, in the wording of the help sheet. */
const hinted = (page: Page) =>
  page
    .locator('[aria-keyshortcuts]')
    .evaluateAll((all) => [
      ...new Set(
        all.map((one) => one.getAttribute('aria-keyshortcuts')?.toLowerCase().replace('control', 'mod')),
      ),
    ])

test('the help sheet lists the shortcuts active on the screen, including every key that a control shows', async ({
  page,
}) => {
  await openList(page, product)
  await page.keyboard.press('?')
  const onList = await listedKeys(page)
  for (const group of [
    ['j', 'arrowdown', 'k', 'arrowup', 'home', 'end', 'pageup', 'pagedown', '[', ']'],
    ['enter', 'x', 'shift+x', 'e', 's', 'd', 'delete', 'mod+a', 'escape'],
    ['/', 'f', 'r', 'v', 'n'],
    ['g d', 'g l', 'g m', 'g e', 'g u', 'g c', '?', 'mod+/'],
  ])
    for (const keys of group) expect(onList, keys).toContain(keys)
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toHaveCount(0)
  for (const keys of await hinted(page)) expect(onList).toContain(keys)

  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: /Evidências/ })).toBeVisible()
  await page.keyboard.press('Alt+2')
  await expect(page.getByRole('tab', { name: /Evidências/ })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Upload' })).toBeVisible()
  await page.keyboard.press('Control+/')
  const onOrder = await listedKeys(page)
  for (const keys of ['e', 'delete', 'u', 'd', 'alt+1', 'alt+2', 'alt+3', 'n'])
    expect(onOrder).toContain(keys)
  expect(onOrder).not.toContain('j')
  await page.keyboard.press('Escape')
  for (const keys of await hinted(page)) expect(onOrder).toContain(keys)
})

test('shortcuts are off in fields, selects and dialogs; toasts block no shortcut', async ({ page }) => {
  const { keyboard } = page
  await openList(page, product)
  await keyboard.press('/')
  await keyboard.type('n?gdr')
  await expect(page.getByLabel('Buscar ordens de serviço')).toHaveValue('n?gdr')
  await expect(dialog(page)).toHaveCount(0)
  await keyboard.press('Control+/')
  await expect(sheet(page)).toBeVisible()
  await keyboard.press('n')
  await keyboard.press('g')
  await keyboard.press('d')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await keyboard.press('Escape')
  await expect(page.getByLabel('Buscar ordens de serviço')).toBeFocused()
  await page.goto(`${product.url}/lista-os`)
  await expect(rows(page).first()).toBeVisible()
  await keyboard.press('f')
  const first = page.getByRole('menuitemcheckbox', { name: 'Todos os status' })
  await expect(first).toBeFocused()
  await keyboard.press('j')
  await keyboard.press('n')
  await expect(first).toBeFocused()
  await expect(dialog(page)).toHaveCount(0)

  await keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Status: Todos os status' })).toBeFocused()
  await keyboard.press('v')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await keyboard.press('n')
  await expect(dialog(page)).toHaveCount(0)
  await keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)

  await keyboard.press('j')
  await keyboard.press('End')
  await keyboard.press('d')
  await expect(page.locator('.toast', { hasText: 'ainda não está disponível' })).toBeVisible()
  await keyboard.press('k')
  await keyboard.press('x')
  await expect(bulkBar(page)).toContainText('1 selecionada')
  await expect(page.locator('.toast')).not.toHaveCount(0)
})

test('a dialog that is fading out blocks no shortcut once the focus has left it', async ({ page }) => {
  await openList(page, product)
  await page.keyboard.press('?')
  await expect(sheet(page)).toBeVisible()
  const wasFading = await page.evaluate(async () => {
    const press = (key: string) =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
      )
    press('Escape')
    await new Promise(requestAnimationFrame)
    ;(document.activeElement as HTMLElement | null)?.blur()
    press('v')
    return document.querySelector('[role="dialog"]') !== null
  })
  expect(wasFading).toBe(true)
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await expect(sheet(page)).toHaveCount(0)
  await expect(page.getByRole('menuitem').first()).toBeFocused()
})

test('accents, input methods and unknown sequences trigger nothing; g sequences navigate', async ({
  page,
}) => {
  const { keyboard } = page
  await openList(page, product)
  const press = (key: string, more: KeyModifiers = {}) =>
    page.evaluate(
      ([name, init]) =>
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...init }),
        ),
      [key, more] as const,
    )
  await press('Dead', { code: 'Quote' })
  await press('n', { code: 'KeyN' })
  await press('Dead', { code: 'BracketLeft', shiftKey: true })
  await press('Shift', { code: 'ShiftLeft', shiftKey: true })
  await press('n', { code: 'KeyN' })
  await press('n', { isComposing: true })
  await press('Process', { code: 'KeyN' })
  await keyboard.press('g')
  await keyboard.press('?')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/lista-os$/)
  // ABNT2: the slash beside the right Shift key, and AltGr+Q where that key is missing.
  await press('/', { code: 'KeyQ', ctrlKey: true, altKey: true, modifierAltGraph: true })
  await expect(page.getByLabel('Buscar ordens de serviço')).toBeFocused()
  await page.getByLabel('Buscar ordens de serviço').blur()
  await press('/', { code: 'IntlRo' })
  await expect(page.getByLabel('Buscar ordens de serviço')).toBeFocused()
  await page.getByLabel('Buscar ordens de serviço').blur()

  for (const [letter, path] of [
    ['m', '/brands'],
    ['e', '/companies'],
    ['u', '/admin'],
    ['c', '/settings'],
    ['d', '/dashboard'],
    ['l', '/lista-os'],
  ] as const) {
    await keyboard.press('g')
    await keyboard.press(letter)
    await expect(page).toHaveURL(new RegExp(`${path}$`))
  }
  await expect(rows(page).first()).toBeVisible()
  await keyboard.press('n')
  await expect(dialog(page)).toBeVisible()
})

test('single-key shortcuts can be switched off, per user on the device; arrows and combinations stay (WCAG 2.1.4)', async ({
  page,
}) => {
  const { keyboard } = page
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/settings?tab=aparencia`)
  const off = page.getByRole('switch', { name: 'Atalhos de uma tecla' })
  await expect(off).toBeChecked()
  await off.focus()
  await keyboard.press('Space')
  await expect(off).not.toBeChecked()
  await page.goto(`${product.url}/lista-os`)
  await expect(rows(page).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Nova OS' })).toHaveAttribute('title', 'Nova OS')
  // What is left are combinations and keys with a name.
  await expect(page.locator('kbd')).toHaveText(['Ctrl+K'])
  for (const key of ['j', 'n', '/', '?', 'f', ']', 'g', 'd', '1']) await keyboard.press(key)
  await expect(page).toHaveURL(/\/lista-os$/)
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByLabel('Buscar ordens de serviço')).not.toBeFocused()
  await expect(grid(page).locator('tr:focus')).toHaveCount(0)
  await grid(page).locator('tr[tabindex="0"]').focus()
  await keyboard.press('ArrowDown')
  await expect(rowOf(page, '000112')).toBeFocused()
  await keyboard.press('x')
  await expect(bulkBar(page)).toHaveCount(0)
  await keyboard.press('Shift+ArrowDown')
  await expect(bulkBar(page)).toContainText('2 selecionadas')
  await keyboard.press('Escape')
  await keyboard.press('Control+/')
  const keys = await listedKeys(page)
  expect(keys).toContain('arrowdown')
  expect(keys).not.toContain('j')
  await keyboard.press('Escape')
  await expect(rowOf(page, '000111')).toBeFocused()
  await keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/os/${ids['000111']}$`))

  await openSignedIn(page, product, { email: 'gil', password: 'senha-de-teste' })
  await page.goto(`${product.url}/lista-os`)
  await expect(rows(page).first()).toBeVisible()
  await keyboard.press('n')
  await expect(dialog(page)).toBeVisible()
  await expect(notice(page, 'Erro')).toHaveCount(0)
})
