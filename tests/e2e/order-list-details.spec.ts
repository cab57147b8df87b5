import { expect, type Page, test } from '@playwright/test'
import { picture } from '../support/make.ts'
import { button, card, grid, numbers, openList, rowOf, rows, seedOrders } from './order-list-fixture.ts'
import { apiAs, expectFieldError, openSignedIn, PASSWORD, tabToAndPress, typeInto } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let ids: Record<string, number>
test.beforeAll(async () => {
  product = await openProduct()
  ids = await seedOrders(product)
})

test('the icons of an action stand below each other, whatever else a row offers (LIST-12 to LIST-15)', async ({
  page,
}) => {
  await openList(page, product)
  await page.getByLabel('Linhas por página').selectOption('25')
  await expect(rows(page)).toHaveCount(13)
  const lefts = async (name: RegExp) => {
    const found = await grid(page)
      .getByRole('button', { name })
      .or(grid(page).getByRole('link', { name }))
      .all()
    const boxes = await Promise.all(found.map((one) => one.boundingBox()))
    return { count: found.length, places: new Set(boxes.map((box) => Math.round(box?.x ?? 0))) }
  }
  for (const width of [1280, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const [view, edit, remove, download] = [
      await lefts(/^Ver OS/),
      await lefts(/^Editar OS/),
      await lefts(/^Excluir OS/),
      await lefts(/^Baixar evidências/),
    ]
    // Closed orders cannot be edited, and one package alone is ready.
    expect([view.count, download.count, edit.count, remove.count]).toEqual([13, 1, 10, 13])
    // No gap between two icons: a closed order has a sign with the reason in the place of its pencil.
    await expect(grid(page).getByTitle('OS concluída ou cancelada não pode ser editada')).toHaveCount(3)
    const places = [view, edit, remove, download].map((one) => [...one.places])
    expect(places.map((one) => one.length)).toEqual([1, 1, 1, 1])
    const inOrder = places.flat()
    expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b))
  }
})

test('on a phone the first order is on the screen without scrolling (D-28)', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/lista-os`)
  const first = page.getByRole('listitem').filter({ hasText: '000113' })
  await expect(first).toBeVisible()
  await expect(first).toBeInViewport({ ratio: 1 })
  await expect(card(page, 'Total de OS')).toBeHidden()
  await button(page, 'Filtros').click()
  await expect(card(page, 'Total de OS')).toBeVisible()
})

test('the responsible person is a column where the table has room, and a line below the status elsewhere', async ({
  page,
}) => {
  const { token } = await apiAs(product, product.firstSuperuser)
  const me = await fetch(`${product.url}/api/v1/users/me`, { headers: { authorization: `Bearer ${token}` } })
  const { id, full_name } = await me.json()
  const { patch } = await apiAs(product, product.firstSuperuser)
  await patch(`/service-orders/${ids['000113']}`, { responsible_user_id: id })
  await page.setViewportSize({ width: 1680, height: 900 })
  await openList(page, product)
  const column = grid(page).getByRole('columnheader', { name: 'Responsável' })
  await expect(column).toBeVisible()
  const cells = rowOf(page, '000113').getByRole('gridcell')
  await expect(cells.nth(5)).toHaveText(full_name)
  await expect(cells.nth(4).getByText(full_name)).toBeHidden()
  await expect(rowOf(page, '000112').getByRole('gridcell').nth(5)).toHaveText('—')
  await page.setViewportSize({ width: 1366, height: 900 })
  await expect(column).toBeHidden()
  await expect(cells.nth(4).getByText(full_name)).toBeVisible()
})

test('a period of the filter is typed, by mouse and by keyboard, and a wrong one is told (LIST-8)', async ({
  page,
}) => {
  await openList(page, product)
  const old = new Date(Date.now() - 25 * 86_400_000)
  const typed = old.toLocaleDateString('pt-BR', {
    timeZone: 'America/Sao_Paulo',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  })
  const iso = typed.split('/').reverse().join('-')
  const opening = page.getByRole('dialog', { name: 'Abertura' })
  const field = (label: string) => opening.getByLabel(label, { exact: true })

  await button(page, /^Abertura: /).click()
  await field('De').fill('31/02/2026')
  await opening.getByRole('button', { name: 'Aplicar' }).click()
  await expectFieldError(field('De'), 'Deve ser uma data (dd/mm/aaaa)')
  await field('De').fill(typed)
  await field('Até').fill(typed)
  await opening.getByRole('button', { name: 'Aplicar' }).click()
  await expect(opening).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(`start_date=${iso}&end_date=${iso}$`))
  await expect(numbers(page)).toHaveText(['000107'])
  await button(page, 'Limpar Filtros').click()
  await expect(rows(page)).toHaveCount(10)

  await tabToAndPress(page, button(page, /^Abertura: Qualquer data/))
  await expect(opening.getByRole('button', { name: 'Qualquer data' })).toBeFocused()
  await typeInto(page, field('De'), typed)
  await typeInto(page, field('Até'), typed)
  await page.keyboard.press('Enter')
  await expect(numbers(page)).toHaveText(['000107'])
  await expect(button(page, `Abertura: ${typed}`)).toBeFocused()
})

test('an order that leaves the list by another hand is announced, and its row stays until it is asked for', async ({
  page,
}) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/lista-os?status=in_analysis,pending`)
  await expect(numbers(page)).toHaveText(['000104', '000103'])
  await rowOf(page, '000103').focus()
  const { post } = await apiAs(product, product.firstSuperuser)
  await post(`/service-orders/${ids['000104']}/status/completed`)
  const news = button(page, 'A lista mudou · atualizar')
  await expect(news).toBeVisible()
  await expect(numbers(page)).toHaveText(['000104', '000103'])
  await expect(rowOf(page, '000103')).toBeFocused()
  await tabToAndPress(page, news)
  await expect(numbers(page)).toHaveText(['000103'])
  await expect(page.getByText('1 ordem de serviço', { exact: true })).toBeVisible()
})

test('the words of a state say what the files wait for: to be sent, to be converted, or nothing (D-07, D-60)', async ({
  page,
}) => {
  const { post, token } = await apiAs(product, product.firstSuperuser)
  const send = async (name: string) => {
    const form = new FormData()
    form.append('files', new Blob([new Uint8Array(await picture('jpeg', 640, 480))]), name)
    await fetch(`${product.url}/api/v1/evidence/${ids['000111']}/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
  }
  await openList(page, product)
  const row = rowOf(page, '000111')
  await expect(row).toContainText('Criada')
  await expect(row).toContainText('Realizar Upload')
  await send('um.jpg')
  await expect(row).toContainText('Pronta para converter')
  await expect(row).not.toContainText('Realizar Upload')
  await expect(row).toContainText(/Faltam? \d evidências?/)
  await row.getByText('Cliente 11').click()
  const head = page.locator('.page-header')
  await expect(head).toContainText('Pronta para converter')
  await expect(head).toContainText(/Faltam? \d evidências?/)
  await post(`/evidence-conversion/${ids['000111']}/convert-all`)
  await expect(head).toContainText('Disponível', { timeout: 60_000 })
  // A file more: the order is asked for its conversion, and not for what it has.
  await send('dois.jpg')
  await expect(head).toContainText('Falta converter 1/2')
  await page.goBack()
  await expect(row).toContainText('Falta converter 1/2')
})

test('a list that goes to paper is recorded like an export, with what was filtered (D-75)', async ({
  page,
}) => {
  await openList(page, product, { email: 'gil', password: PASSWORD })
  await page.goto(`${product.url}/lista-os?status=created,pending&limit=25`)
  await expect(rows(page).first()).toBeVisible()
  const recorded = page.waitForResponse(/orderList\.recordPrint/)
  await page.pdf()
  expect((await recorded).status()).toBe(200)
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/settings?tab=auditoria`)
  const entry = page.getByRole('listitem').filter({ hasText: 'Lista de OS impressa' })
  await expect(entry).toContainText('Usuário Gil Gestor')
  await expect(entry).toContainText('Status: Criada, Pendente')
  await expect(entry).toContainText('Página: 1')
  // The log is written in batches, a moment after what it records.
  await expect(async () => {
    await page.goto(`${product.url}/lgpd?tab=acessos&tipo=orders.printed`)
    const read = page.getByRole('listitem').filter({ hasText: 'Lista de OS impressa' })
    await expect(read).toContainText('por Gil Gestor', { timeout: 2_000 })
  }).toPass()
})

test.describe('where a finger points', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 1024, height: 800 } })
  test('no title of the evidence names a key', async ({ page }: { page: Page }) => {
    await openSignedIn(page, product, product.firstSuperuser)
    await page.goto(`${product.url}/os/${ids['000113']}?tab=evidencias`)
    const file = page.getByRole('article', { name: 'chassi.jpg' })
    await expect(file).toBeVisible()
    const keyed = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('[title]')]
          .map((one) => one.getAttribute('title') ?? '')
          .filter((title) => /\((?:[A-Z0-9?+ -]{1,3}|Esc|Delete|Enter|Ctrl.*|Shift.*|Alt.*)\)$/i.test(title)),
      )
    expect(await keyed()).toEqual([])
    await expect(page.locator('kbd, [aria-keyshortcuts]')).toHaveCount(0)
    await file.getByRole('button', { name: 'Ver chassi.jpg' }).tap()
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Fechar' })).toBeVisible()
    expect(await keyed()).toEqual([])
    await expect(page.locator('kbd, [aria-keyshortcuts]')).toHaveCount(0)
  })
})
