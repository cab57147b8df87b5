import { readFile } from 'node:fs/promises'
import { OFFERED_CATEGORIES } from '@garantia/shared/evidence/category'
import { expect, type Page, test } from '@playwright/test'
import { photo, truncated } from '../support/media.ts'
import { COMPLETE_ORDER, createOrderFixture, gil, type OrderFixture } from './order-fixture.ts'
import { bulkBar, button, dialog, numbers, rowOf, rows } from './order-list-fixture.ts'
import { notice, openSignedIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { temporary } from './ui-steps.ts'

const DAY = 86_400_000
/** D-88. */
const MOST_PRESSES = 40
const numbered = (from: number, count: number) => Array.from({ length: count }, (_, i) => `000${from + i}`)
const OVERDUE = numbered(501, 5)
const REFUSED = '000511'
const READY = numbered(521, 5)

let product: Product
let fixture: OrderFixture
let good: string
const ids: Record<string, number> = {}

/** Five overdue orders, one with a file that cannot be converted, and five whose packages are ready. */
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
  await fixture.patch(`/brands/${fixture.brand('Honda')}`, {
    required_categories: [{ category: 'chassi', min: 1 }],
    auto_convert: true,
  })
  const dir = await temporary()
  good = await photo(dir, { name: 'chassi-nitido', width: 1600, height: 1200, noise: 60 })
  const broken = await truncated(dir, good, 'chassi-cortado.jpg')
  const open = async (os_number: string, daysAgo: number) => {
    const { id } = await fixture.order({ os_number, ...COMPLETE_ORDER })
    await fixture.patch(`/service-orders/${id}`, {
      opened_at: new Date(Date.now() - daysAgo * DAY).toISOString(),
    })
    ids[os_number] = id
  }
  for (const [index, os_number] of OVERDUE.entries()) await open(os_number, 45 - index)
  await open(REFUSED, 2)
  for (const [index, os_number] of READY.entries()) await open(os_number, 15 - index)
  await send(REFUSED, broken)
  for (const os_number of READY) await send(os_number, good)
  const states = async () =>
    Promise.all([REFUSED, ...READY].map(async (one) => (await order(one)).conversion_status))
  await expect.poll(states, { timeout: 60_000 }).toEqual(['failed', ...READY.map(() => 'available')])
})

const order = (os_number: string) => fixture.get(`/service-orders/${ids[os_number]}`)

async function send(os_number: string, path: string) {
  const form = new FormData()
  form.append('category', 'chassi')
  form.append('files', new Blob([await readFile(path)]), `${os_number}.jpg`)
  const reply = await fetch(`${product.url}/api/v1/evidence/${ids[os_number]}/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.token}` },
    body: form,
  })
  expect(reply.status).toBeLessThan(300)
}

/** Counts what the hands do: keys, without the modifiers that are pressed with them, and any touch of a pointer. */
async function watchHands(page: Page) {
  const seen = { keys: [] as string[], pointers: [] as string[] }
  await page.exposeFunction('keySeen', (key: string) => seen.keys.push(key))
  await page.exposeFunction('pointerSeen', (name: string) => seen.pointers.push(name))
  await page.addInitScript(() => {
    const tell = window as unknown as Record<'keySeen' | 'pointerSeen', (name: string) => void>
    window.addEventListener(
      'keydown',
      ({ key }) => !['Shift', 'Control', 'Alt'].includes(key) && tell.keySeen(key),
      { capture: true },
    )
    for (const name of ['pointerdown', 'mousedown', 'touchstart', 'wheel'])
      window.addEventListener(name, () => tell.pointerSeen(name), { capture: true, passive: true })
  })
  return seen
}

test("a clerk's morning takes at most 40 presses without a mouse: overdue found, five assigned, a refused file replaced, three concluded, two packages handed over (D-88)", async ({
  page,
}) => {
  test.setTimeout(180_000)
  const seen = await watchHands(page)
  const press = (keys: string) => page.keyboard.press(keys)
  await openSignedIn(page, product, gil)
  await page.goto(`${product.url}/dashboard`)
  const today = page.getByRole('region', { name: 'Para hoje' })
  await expect(today.getByRole('link', { name: /Vencidas/ })).toHaveText('5Vencidas')

  await test.step('find what is overdue', async () => {
    await press('1')
    await expect(numbers(page)).toHaveText(OVERDUE)
  })

  await test.step('assign five', async () => {
    await press('j')
    await expect(rowOf(page, '000501')).toBeFocused()
    for (let step = 0; step < 4; step++) await press('Shift+ArrowDown')
    await expect(bulkBar(page)).toContainText('5 selecionadas')
    await press('a')
    await expect(dialog(page).getByLabel('Responsável')).toBeFocused()
    await expect(dialog(page).locator('option:checked')).toHaveText('Gil Gestor (0) · eu')
    await page.keyboard.type('ti')
    await expect(dialog(page).locator('option:checked')).toHaveText(/^Tina Torres/)
    await press('Control+Enter')
    await expect(notice(page, 'Responsável atualizado com sucesso', '5 ordens de serviço')).toBeVisible()
    await expect(rowOf(page, '000505')).toContainText('Tina Torres')
    await expect(dialog(page)).toHaveCount(0)
  })

  await test.step('replace the refused file', async () => {
    await press('3')
    await expect(numbers(page)).toHaveText([REFUSED])
    await expect(rowOf(page, REFUSED)).toBeFocused()
    await press('Enter')
    await expect(page.getByRole('heading', { name: `OS ${REFUSED}` })).toBeVisible()
    await press('Alt+2')
    await expect(page.getByRole('article', { name: `${REFUSED}.jpg` })).toBeVisible()
    await press('f')
    await expect(page.getByRole('article', { name: `${REFUSED}.jpg` })).toBeFocused()
    await press('Delete')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await press('Control+Enter')
    await expect(page.getByRole('article')).toHaveCount(0)
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    const choosing = page.waitForEvent('filechooser')
    await press('u')
    await expect(dialog(page).getByRole('button', { name: /^Escolher/ })).toBeFocused()
    await press('Enter')
    await (await choosing).setFiles(good)
    await expect(
      dialog(page)
        .getByText(/chassi-nitido/)
        .first(),
    ).toBeVisible()
    await press('Control+Enter')
    await expect(dialog(page)).toHaveCount(0)
    await press('f')
    await expect(page.getByRole('article', { name: /chassi-nitido/ })).toBeFocused()
    await press(String(OFFERED_CATEGORIES.indexOf('chassi') + 1))
    await expect(page.getByText('Pronto', { exact: true })).toBeVisible({ timeout: 60_000 })
  })

  await test.step('conclude three', async () => {
    await press('g')
    await press('l')
    await expect(rows(page).first()).toBeVisible()
    await press('4')
    await expect(numbers(page)).toHaveText([...READY, REFUSED])
    await expect(rowOf(page, '000521')).toBeFocused()
    for (let step = 0; step < 2; step++) await press('Shift+ArrowDown')
    await press('s')
    await expect(dialog(page).getByRole('radio', { name: 'Concluir' })).toBeFocused()
    await expect(dialog(page).getByRole('radio', { name: 'Concluir' })).toBeChecked()
    await press('Control+Enter')
    await expect(notice(page, 'Status atualizado com sucesso', '3 ordens de serviço')).toBeVisible()
    await expect(numbers(page)).toHaveText(['000524', '000525', REFUSED])
    await expect(rowOf(page, '000524')).toBeFocused()
  })

  await test.step('hand over two packages: download them and conclude', async () => {
    await press('Shift+ArrowDown')
    await expect(bulkBar(page)).toContainText('2 selecionadas')
    await press('d')
    await expect(dialog(page).getByRole('button', { name: 'Baixar', exact: true })).toBeFocused()
    const arriving = page.waitForEvent('download')
    await press('Enter')
    expect((await readFile(await (await arriving).path())).toString('latin1')).toContain(
      'os_000525_evidencias/',
    )
    await press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(rowOf(page, '000525')).toBeFocused()
    await press('s')
    await expect(dialog(page).getByRole('radio', { name: 'Concluir' })).toBeFocused()
    await press('Control+Enter')
    await expect(numbers(page)).toHaveText([REFUSED])
  })

  for (const os_number of READY) expect((await order(os_number)).status).toBe('completed')
  expect(seen.pointers).toEqual([])
  expect(seen.keys.length).toBeGreaterThan(20)
  expect(seen.keys.length, seen.keys.join(' ')).toBeLessThanOrEqual(MOST_PRESSES)
  await expect(button(page, 'Prontas para enviar')).toBeVisible()
})
