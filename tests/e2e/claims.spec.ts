import { expect, test } from '@playwright/test'
import {
  CLAIM_LINES,
  convertedPhoto,
  dialog,
  completedOrder as sealedOrder,
  sendOverApi,
} from './claims-fixture.ts'
import { keys } from './keyboard-steps.ts'
import { COMPLETE_ORDER, createOrderFixture } from './order-fixture.ts'
import { notice, openSignedIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let fixture: Awaited<ReturnType<typeof createOrderFixture>>
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
})

const completedOrder = (os_number: string) => sealedOrder(product, fixture, os_number)

test('a refusal for want of evidence is recorded in at most 8 presses, from the list too', async ({
  page,
}) => {
  const { press, take } = keys(page)
  const { id } = await fixture.post(`/service-orders/${await completedOrder('000902')}/claims`, {
    type: 'normal',
    lines: CLAIM_LINES,
  })
  await sendOverApi(fixture, id)
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/solicitacoes?search=000902`)
  const row = page.getByRole('row', { name: /000902-1/ })
  await row.focus()
  await press('p')
  const answer = dialog(page).getByLabel('Resposta da marca')
  await expect(answer).toBeFocused()
  await press('r', 'Tab', 'e', 'Tab', 'o', 'Control+Enter')
  await expect(notice(page, 'Resposta registrada')).toBeVisible()
  expect(take()).toBeLessThanOrEqual(8)
  await expect(row).toContainText('Recusada')
  const { decisions } = await fixture.get(`/claims/${id}`)
  expect(decisions[0].lines).toMatchObject([
    { authorised: 0, reason: 'evidence_missing', evidence_category: 'odometro' },
    { authorised: 0, reason: 'evidence_missing', evidence_category: 'odometro' },
  ])
})

test('twenty answers of one brand are recorded in at most 12 presses, and the list is kept as a view', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const { press, take } = keys(page)
  const order = await completedOrder('000903')
  const first = await fixture.post(`/service-orders/${order}/claims`, { type: 'normal', lines: CLAIM_LINES })
  await sendOverApi(fixture, first.id)
  await fixture.post(`/claims/${first.id}/decide`, {
    answer: 'decided',
    lines: (await fixture.get(`/claims/${first.id}`)).lines.map(
      ({ id, claimed }: { id: number; claimed: number }) => ({ line_id: id, authorised: claimed }),
    ),
  })
  for (let i = 0; i < 20; i++) {
    const { id } = await fixture.post(`/service-orders/${order}/claims`, {
      type: 'supplement',
      previous_id: first.id,
      lines: CLAIM_LINES,
    })
    await sendOverApi(fixture, id)
  }
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/solicitacoes?search=000903&state=sent&limit=25`)
  await expect(page.getByText('20 solicitações')).toBeVisible()
  await page.getByRole('row', { name: /000903-21/ }).focus()
  await press('Control+a', 'p')
  await expect(dialog(page).getByLabel('Resposta da marca')).toBeFocused()
  await press('r', 'Tab', 'f', 'Control+Enter')
  await expect(notice(page, 'Respostas registradas', '20 solicitações')).toBeVisible({ timeout: 60_000 })
  expect(take()).toBeLessThanOrEqual(12)
  await page.goto(`${product.url}/solicitacoes?search=000903&state=rejected&limit=25`)
  await expect(page.getByText('20 solicitações')).toBeVisible()

  // The list as it is now, under a name of one's own.
  const menu = (name: string) => page.getByRole('button', { name, exact: true })
  await menu('Vistas').click()
  await page.getByRole('menuitem', { name: 'Salvar vista…' }).click()
  await dialog(page).getByRole('textbox', { name: 'Nome' }).fill('Recusadas da 903')
  await dialog(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(menu('Recusadas da 903')).toBeVisible()
  await menu('Limpar Filtros').click()
  await expect(page.getByText('20 solicitações')).toBeHidden()
  await page.keyboard.press('v')
  await page.getByRole('menuitem', { name: 'Recusadas da 903' }).press('Enter')
  await expect(page.getByText('20 solicitações')).toBeVisible()
  await expect(page).toHaveURL(/state=rejected/)
})

test('several claims are sent at once, and the dossiers that are missing are sealed meanwhile', async ({
  page,
}) => {
  const { press } = keys(page)
  // Not completed, which would have sealed one.
  await fixture.patch(`/brands/${fixture.brand('Honda')}`, { required_categories: [] })
  const sent: number[] = []
  for (const os_number of ['000921', '000922']) {
    const { id: order } = await fixture.order({ os_number, ...COMPLETE_ORDER })
    await convertedPhoto(product, fixture, order)
    const claim = await fixture.post(`/service-orders/${order}/claims`, {
      type: 'normal',
      lines: CLAIM_LINES,
    })
    sent.push(claim.id)
  }
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/solicitacoes?search=00092&limit=25`)
  await expect(page.getByText('2 solicitações')).toBeVisible()
  await page.getByRole('row', { name: /000922-1/ }).focus()
  await press('Control+a', 'p')
  await expect(dialog(page).getByLabel('Observação')).toBeFocused()
  await press('Control+Enter')
  await expect(notice(page, 'Solicitações enviadas', '2 solicitações')).toBeVisible({ timeout: 60_000 })
  for (const id of sent)
    expect(await fixture.get(`/claims/${id}`)).toMatchObject({
      state: 'sent',
      submissions: [{ n: 1, dossier_n: 1 }],
    })
})
