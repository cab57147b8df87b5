import { readFile } from 'node:fs/promises'
import { MARKED_MEANWHILE } from '@garantia/shared/evidence/marks'
import { expect, type Page, test } from '@playwright/test'
import { photo } from '../support/media.ts'
import { button, COMPLETE_ORDER, createOrderFixture, type OrderFixture } from './order-fixture.ts'
import { notice, openSignedIn, tabTo, tabToAndPress } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { temporary } from './ui-steps.ts'
import { auditAllViewports } from './visual-audit.ts'

let product: Product
let fixture: OrderFixture
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
})

const editor = (page: Page) => page.getByRole('dialog', { name: 'Marcar foto' })
const viewer = (page: Page) => page.getByRole('dialog', { name: 'foto.jpg' })
const drawing = (page: Page) => editor(page).locator('.marks-drawing')
const list = (page: Page) => editor(page).getByRole('list', { name: 'Marcas' })

/** A converted photo in the viewer of a new order. */
async function openPhoto(page: Page, os_number: string) {
  const { id } = await fixture.order({ os_number, ...COMPLETE_ORDER })
  const path = await photo(await temporary(), { name: 'foto', width: 1200, height: 900, noise: 60 })
  const form = new FormData()
  form.append('files', new Blob([await readFile(path)]), 'foto.jpg')
  const sent = await fetch(`${product.url}/api/v1/evidence/${id}/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.token}` },
    body: form,
  })
  expect(sent.status).toBe(201)
  await fixture.post(`/evidence-conversion/${id}/convert-all`)
  const { evidence_files } = await fixture.get(`/evidence/${id}/evidence`)
  const file = () => fixture.get(`/evidence/${evidence_files[0].id}`)
  await converted(file)
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${id}?tab=evidencias`)
  await button(page, 'Ver foto.jpg').click()
  await expect(viewer(page)).toBeVisible()
  return file
}
const converted = (file: () => Promise<{ status: string }>) =>
  expect.poll(async () => (await file()).status, { timeout: 60_000 }).toBe('converted')

test('by mouse: an arrow and a covered part are drawn, undone, moved and saved into the copy; without them the former copy is back', async ({
  page,
}) => {
  const file = await openPhoto(page, '000701')
  const before = await file()
  await button(page, 'Marcar').click()
  await expect(drawing(page)).toBeVisible()
  const frame = async () => {
    const box = await drawing(page).boundingBox()
    if (!box) throw new Error('no drawing')
    return (x: number, y: number) => [box.x + x * box.width, box.y + y * box.height] as const
  }
  const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
    const at = await frame()
    await page.mouse.move(...at(...from))
    await page.mouse.down()
    await page.mouse.move(...at(...to), { steps: 4 })
    await page.mouse.up()
  }
  await drag([0.1, 0.1], [0.4, 0.3])
  await editor(page).getByRole('button', { name: 'Encobrir' }).click()
  await drag([0.6, 0.6], [0.8, 0.7])
  await drag([0.1, 0.8], [0.2, 0.9])
  await expect(list(page).getByRole('listitem')).toHaveText(['Seta', 'Parte encoberta', 'Parte encoberta'])
  await editor(page).getByRole('button', { name: 'Desfazer' }).click()
  await expect(list(page).getByRole('listitem')).toHaveText(['Seta', 'Parte encoberta'])
  await drag([0.65, 0.65], [0.55, 0.65])
  await expect(list(page).getByRole('button', { name: 'Parte encoberta', exact: true })).toBeFocused()
  await editor(page).getByRole('button', { name: 'Texto' }).click()
  await drag([0.5, 0.9], [0.5, 0.9])
  await expect(editor(page).getByRole('alert')).toHaveText('Escreva o texto, e depois aponte na foto')
  await editor(page).getByLabel('Texto da marca').fill('Trinca na tampa')
  await drag([0.5, 0.9], [0.5, 0.9])
  await auditAllViewports(page, 'marcar-foto')
  await editor(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(notice(page, 'Marcas salvas')).toBeVisible()

  const near = (value: number) => expect.closeTo(value, 1)
  expect(await file()).toMatchObject({
    sha256: before.sha256,
    marks: [
      { kind: 'arrow', from: { x: near(0.1), y: near(0.1) }, to: { x: near(0.4), y: near(0.3) } },
      { kind: 'cover', box: { left: near(0.5), top: near(0.6), width: near(0.2), height: near(0.1) } },
      { kind: 'text', at: { x: near(0.5), y: near(0.9) }, text: 'Trinca na tampa' },
    ],
  })
  await converted(file)
  expect((await file()).converted_sha256).not.toBe(before.converted_sha256)
  await expect(page.getByText('1 seta, 1 texto, 1 parte encoberta; o original fica como veio')).toBeVisible()

  await button(page, 'Marcar').click()
  await expect(list(page).getByRole('listitem')).toHaveCount(3)
  for (const name of ['Seta', 'Parte encoberta', 'Texto «Trinca na tampa»'])
    await editor(page)
      .getByRole('button', { name: `Remover: ${name}` })
      .click()
  await editor(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(notice(page, 'Marcas removidas')).toBeVisible()
  expect(await file()).toMatchObject({
    status: 'converted',
    marks: [],
    converted_sha256: before.converted_sha256,
  })
})

test('by keyboard alone: a part is covered, moved, resized and saved; leaving without saving asks', {
  tag: '@exhaustive',
}, async ({ page }) => {
  const file = await openPhoto(page, '000702')
  await page.keyboard.press('m')
  await expect(editor(page)).toBeVisible()
  await tabToAndPress(page, editor(page).getByRole('button', { name: 'Encobrir' }))
  await tabToAndPress(page, editor(page).getByRole('button', { name: 'Pôr no meio' }))
  await tabTo(page, list(page).getByRole('button', { name: 'Parte encoberta', exact: true }))
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowUp', 'Shift+ArrowRight', 'Shift+ArrowDown'])
    await page.keyboard.press(key)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toHaveAccessibleName('Descartar alterações?')
  await page.keyboard.press('Escape')
  await expect(editor(page)).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(notice(page, 'Marcas salvas')).toBeVisible()
  expect((await file()).marks).toEqual([
    { kind: 'cover', box: { left: 0.38, top: 0.39, width: 0.21, height: 0.21 } },
  ])
  await expect(editor(page)).toHaveCount(0)
  await expect(viewer(page)).toBeVisible()
  await page.keyboard.press('m')
  await expect(list(page).getByRole('listitem')).toHaveText(['Parte encoberta'])
  const before = await file()
  const somebody = { kind: 'circle', box: { left: 0.1, top: 0.1, width: 0.2, height: 0.2 } }
  await fixture.put(`/evidence/${before.id}/marks`, { marks: [...before.marks, somebody] })
  await tabToAndPress(page, editor(page).getByRole('button', { name: 'Pôr no meio' }))
  await page.keyboard.press('Control+s')
  await expect(notice(page, MARKED_MEANWHILE)).toBeVisible()
  await expect(list(page).getByRole('listitem')).toHaveText(['Parte encoberta', 'Círculo', 'Seta'])
  await page.keyboard.press('Control+s')
  await expect(editor(page)).toHaveCount(0)
  expect((await file()).marks).toMatchObject([{ kind: 'cover' }, { kind: 'circle' }, { kind: 'arrow' }])

  await page.keyboard.press('m')
  for (const name of ['Seta', 'Círculo'])
    await tabToAndPress(page, list(page).getByRole('button', { name, exact: true }), 'Delete')
  await tabToAndPress(
    page,
    list(page).getByRole('button', { name: 'Parte encoberta', exact: true }),
    'Delete',
  )
  await expect(list(page)).toHaveCount(0)
  await expect(editor(page).getByRole('button', { name: 'Seta' })).toBeFocused()
})
