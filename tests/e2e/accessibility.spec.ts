import { expect, type Locator, type Page, test } from '@playwright/test'
import { COMPLETE_ORDER, createOrderFixture } from './order-fixture.ts'
import { apiAs, nextPaint, openSignedIn, signUp } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { blockProcedures } from './screens-fixture.ts'

/* Accessibility in motion: axe checks the state of a screen, not what happens on it. */

let product: Product
let id: number
test.beforeAll(async () => {
  product = await openProduct()
  const fixture = await createOrderFixture(product)
  for (let i = 0; i < 12; i++)
    id = (await fixture.order({ os_number: `0002${String(i).padStart(2, '0')}`, ...COMPLETE_ORDER })).id
})

const SCREENS = [
  ['Lista OS', 'Ordens de Serviço'],
  ['Marcas', 'Marcas e Configurações'],
  ['Empresas', 'Gestão de Empresas'],
  ['Usuários', 'Administração de Usuários'],
  ['Configurações', 'Configurações'],
  ['Dashboard', 'Dashboard'],
] as const
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function open(page: Page, path: string) {
  await page.goto(`${product.url}${path}`)
  await expect(heading(page)).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
}
const button = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .filter({ visible: true })
    .first()

test('each screen has one heading, a title and the focus on load (NAV-10 to NAV-15)', async ({ page }) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await open(page, '/dashboard')
  const menu = page.getByRole('navigation', { name: 'Principal' })
  for (const [entry, title] of SCREENS) {
    await menu.getByRole('link', { name: entry }).press('Enter')
    await expect(heading(page)).toHaveText(new RegExp(`^${title}`))
    await expect(heading(page)).toHaveCount(1)
    await expect(page).toHaveTitle(`${title} · Garantia`)
    await expect(page.getByRole('main')).toBeFocused()
  }
})

test('the first Tab stop is the skip link past the menu', async ({ page }) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await open(page, '/lista-os')
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Ir para o conteúdo' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)
})

test('Tab follows the reading order of dashboard and tables', async ({ page }) => {
  test.setTimeout(200_000)
  await openSignedIn(page, product, product.firstSuperuser)
  await page.setViewportSize({ width: 1280, height: 900 })
  for (const path of ['/dashboard', '/lista-os', '/companies']) {
    await open(page, path)
    await page.getByRole('main').focus()
    const stops: { name: string; top: number; bottom: number; left: number }[] = []
    for (let stop = 0; stop < 40; stop++) {
      await page.keyboard.press('Tab')
      const at = await page.evaluate(() => {
        const now = document.activeElement
        if (!now?.closest('main') || now.closest('[role="menu"]')) return null
        const { top, bottom, left } = now.getBoundingClientRect()
        const name = now.getAttribute('aria-label') ?? now.textContent ?? now.tagName
        return { name: name.slice(0, 40), top: top + scrollY, bottom: bottom + scrollY, left }
      })
      if (!at) break
      stops.push(at)
    }
    expect(stops.length, path).toBeGreaterThan(3)
    const back = stops.slice(1).flatMap((next, i) => {
      const before = stops[i] ?? next
      const isAbove = next.bottom <= before.top
      const isSameLine = next.top < before.bottom && before.top < next.bottom
      const isContained = next.top >= before.top && next.bottom <= before.bottom && next.left >= before.left
      return isAbove || (isSameLine && !isContained && next.left < before.left)
        ? [`${before.name} → ${next.name}`]
        : []
    })
    expect(back, path).toEqual([])
  }
})

/**
 * Opens by keyboard, checks that the focus is inside, closes with Escape and checks where the focus returns.
 */
async function isReturned(
  page: Page,
  opener: Locator,
  kind: 'dialog' | 'alertdialog' | 'menu',
  {
    key = 'Enter',
    first,
    meanwhile,
  }: { key?: string; first?: Locator; meanwhile?: () => Promise<unknown> } = {},
) {
  const name = await opener.evaluate((one) => one.getAttribute('aria-label') ?? one.textContent ?? '')
  await opener.focus()
  await page.keyboard.press(key)
  const opened = page.getByRole(kind)
  await expect(opened, name).toBeVisible()
  await expect(opened.locator(':focus'), `${name}: the focus is inside`).toHaveCount(1)
  if (first) await expect(first, `${name}: where the work begins`).toBeFocused()
  await meanwhile?.()
  await page.keyboard.press('Escape')
  await expect(opened, name).toHaveCount(0)
  await expect(opener, `${name}: the focus is back`).toBeFocused()
}

test('overlays of the list return the focus to what opened them', async ({ page }) => {
  test.setTimeout(200_000)
  await openSignedIn(page, product, product.firstSuperuser)
  await open(page, '/lista-os')
  await isReturned(page, button(page, 'Nova OS'), 'dialog')
  await isReturned(page, button(page, 'Exportar'), 'menu')
  await isReturned(page, button(page, 'Vistas'), 'menu')
  await isReturned(page, button(page, /^Menu de/), 'menu')
  await isReturned(page, button(page, /^Excluir OS 0002/), 'alertdialog')
  const row = page.locator('tbody tr[data-row]').first()
  await row.focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('complementary', { name: /^Espiada/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('complementary', { name: /^Espiada/ })).toHaveCount(0)
  await expect(row).toBeFocused()
  await page
    .getByRole('checkbox', { name: /^Selecionar OS/ })
    .filter({ visible: true })
    .first()
    .check()
  await isReturned(page, button(page, 'Mudar status'), 'dialog')
})

test('changes are announced in an existing live region: notices, counts, progress (GEN-8)', async ({
  page,
}) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await open(page, `/os/${id}?tab=evidencias`)
  // The live region of the notices is made by a script of its own.
  await expect(page.locator('.bp6-toast-container')).toBeAttached()
  /** The texts announced since then by live regions that existed before. */
  await page.evaluate(() => {
    const said: string[] = []
    for (const region of document.querySelectorAll('[aria-live], [role="status"], [role="log"]'))
      new MutationObserver(() => said.push(region.textContent ?? '')).observe(region, {
        childList: true,
        subtree: true,
        characterData: true,
      })
    Object.assign(window, { said })
  })
  const announced = () => page.evaluate(() => (window as unknown as { said: string[] }).said.join(' | '))
  await button(page, 'Upload').click()
  const dialog = page.getByRole('dialog')
  const picture = await page.screenshot()
  await dialog
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'tela.png', mimeType: 'image/png', buffer: picture })
  await dialog.getByRole('button', { name: 'Enviar' }).click()
  await expect.poll(announced).toContain('Evidências enviadas com sucesso')
  await button(page, /^(Processar|Converter Todos)/).click()
  await expect.poll(announced, { timeout: 60_000 }).toContain('1 de 1 arquivo pronto')
})

test('overlays of the other screens take the focus and return it', async ({ page, browser }) => {
  test.setTimeout(200_000)
  const labelled = (label: string) => page.getByRole('dialog').getByLabel(label, { exact: true })
  const titled = (name: string | RegExp) => page.getByRole('dialog').getByRole('heading', { name })
  const row = page.locator('tbody tr[data-row]').first()
  await openSignedIn(page, product, product.firstSuperuser)

  await test.step('companies: lazily loaded forms; a row whose button was re-rendered', async () => {
    await open(page, '/companies')
    const first = labelled('Nome Fantasia')
    await isReturned(page, button(page, 'Adicionar Empresa'), 'dialog', { first })
    await isReturned(page, row, 'dialog', { key: 'e', first })
    await isReturned(page, row, 'alertdialog', { key: 'Delete', first: button(page, 'Cancelar') })
    const menu = row.getByRole('button', { name: /^Ações de/ })
    await isReturned(page, menu, 'menu')
    await menu.press('Enter')
    await page.getByRole('menuitem', { name: 'Editar' }).press('Enter')
    await expect(first).toBeFocused()
    await menu.evaluate((one) => one.replaceWith(one.cloneNode(true)))
    await page.keyboard.press('Escape')
    await expect(menu).toBeFocused()
  })
  await test.step('users, brands, mails, shortcuts', async () => {
    await open(page, '/admin')
    await isReturned(page, button(page, 'Adicionar Usuário'), 'dialog', { first: labelled('Nome completo') })
    const tina = page.locator('tbody tr[data-row]', { hasText: 'Tina Torres' })
    await isReturned(page, tina, 'dialog', { key: 'e', first: labelled('Nome completo') })
    await open(page, '/brands')
    await isReturned(page, button(page, 'Editar regras de Volkswagen'), 'dialog', {
      first: labelled('Nome da marca'),
    })
    const { email } = await signUp(product, 'Lia Prado', 'lia@exemplo.com.br')
    await fetch(`${product.url}/api/v1/password-recovery/${email}`, { method: 'POST' })
    await open(page, '/settings?tab=caixa')
    await isReturned(page, row, 'dialog', { first: titled(/senha/) })
    await open(page, '/settings?tab=aparencia')
    await isReturned(page, button(page, 'Ver todos os atalhos'), 'dialog')
  })
  await test.step('an order: its form, its status, its files one by one', async () => {
    const body = new FormData()
    body.append('files', new Blob([new Uint8Array(await page.screenshot())]), 'rodas.png')
    const { token } = await apiAs(product, product.firstSuperuser)
    const sent = await fetch(`${product.url}/api/v1/evidence/${id}/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
    })
    expect(sent.ok).toBe(true)
    await open(page, `/os/${id}?tab=evidencias`)
    await isReturned(page, button(page, 'Editar'), 'dialog', { first: labelled('Marca') })
    await isReturned(page, button(page, /^Alterar status/), 'menu')
    await isReturned(page, button(page, 'Upload'), 'dialog', { first: button(page, 'Escolher arquivos') })
    const card = page.getByRole('article', { name: 'rodas.png' })
    await isReturned(page, card, 'dialog', { first: titled('rodas.png') })
    await isReturned(page, card, 'dialog', { key: 'e', first: labelled('Categoria') })
  })
  await test.step('on a phone: the menu is named, a form opens without the on-screen keyboard', async () => {
    const phone = await browser.newPage({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await openSignedIn(phone, product, product.firstSuperuser)
    await open(phone, '/companies')
    await isReturned(phone, button(phone, 'Abrir menu'), 'dialog', {
      first: phone.getByRole('dialog').getByRole('heading', { name: 'Menu' }),
    })
    await isReturned(phone, button(phone, 'Adicionar Empresa'), 'dialog', {
      first: phone.getByRole('dialog').getByRole('heading', { name: 'Adicionar Empresa' }),
      meanwhile: () => expect(phone.getByLabel('Nome Fantasia', { exact: true })).toBeVisible(),
    })
    await phone.close()
  })
})

test('nothing in a dialog, a drawer or a menu moves while it opens: a press on the way would be lost', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  // Blueprint moves what it opens by transitions of `transform`.
  await page.addInitScript(() => {
    const moved: string[] = []
    document.addEventListener('transitionrun', ({ target, propertyName }) => {
      const one = target as HTMLElement
      if (one.closest('.bp6-overlay')) moved.push(`${propertyName} ${one.className}`)
    })
    Object.assign(window, { moved })
  })
  const transitions = () => page.evaluate(() => (window as unknown as { moved: string[] }).moved)
  await openSignedIn(page, product, product.firstSuperuser)
  for (const [path, opener, role] of [
    ['/lista-os', button(page, 'Nova OS'), 'dialog'],
    ['/brands', button(page, 'Editar regras de Volkswagen'), 'dialog'],
    ['/companies', button(page, /^Ações de/), 'menu'],
  ] as const) {
    await open(page, path)
    await opener.click()
    await expect(page.getByRole(role)).toBeVisible()
    await expect.poll(transitions).toContainEqual(expect.stringMatching(/^opacity/))
    await page.keyboard.press('Escape')
    await expect(page.getByRole(role)).toHaveCount(0)
    expect((await transitions()).filter((one) => one.startsWith('transform'))).toEqual([])
  }
})

test('a checkbox is ticked by the click that blurs an invalid field, although its error message shifts the form', async ({
  page,
}) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await open(page, '/brands')
  await button(page, 'Editar regras de Volkswagen').click()
  await page.getByLabel('Tamanho total (MB)').fill('muito')
  const box = page.getByRole('checkbox', { name: 'PNG' })
  const wasTicked = await box.isChecked()
  const place = await box.boundingBox()
  if (!place) throw new Error('The box is not on the screen')
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2)
  await page.mouse.down()
  await nextPaint(page)
  await page.mouse.up()
  await expect(box).toBeChecked({ checked: !wasTicked })
  await expect(box).toBeFocused()
  await expect(page.getByLabel('Tamanho total (MB)')).toHaveAttribute('aria-invalid', 'true')
})

test('with reduced motion nothing moves, and figures that fail to load are announced', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openSignedIn(page, product, product.firstSuperuser)
  const list = ['orderList.page']
  await blockProcedures(page, list, 'never')
  await page.goto(`${product.url}/lista-os`)
  const skeleton = page.locator('.skeleton').first()
  await expect(skeleton).toBeAttached()
  expect(await skeleton.evaluate((one) => getComputedStyle(one).animationIterationCount)).toBe('1')
  await button(page, 'Nova OS').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await nextPaint(page)
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      // An animation shorter than a frame is no movement; a busy machine may still paint its first frame. A
      // transition of one frame shifts what depends on it.
      .filter(
        (one) =>
          one.playState === 'running' &&
          (one instanceof CSSTransition || Number(one.effect?.getComputedTiming().endTime) > 16),
      )
      .map(({ effect }) => (effect as KeyframeEffect).target?.className),
  )
  expect(moving).toEqual([])

  await blockProcedures(page, list, 'error')
  await page.goto(`${product.url}/lista-os`)
  const total = page.getByRole('region', { name: 'Resumo' }).getByRole('button').first()
  await expect(total).toContainText('não foi possível carregar')
  await expect(page.locator('.skeleton')).toHaveCount(0)
  await page.unrouteAll()
  await button(page, 'Tentar novamente').click()
  await expect(total).toContainText('12')
})
