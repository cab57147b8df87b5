import { expect, type Page, test } from '@playwright/test'
import { completedOrder as sealedOrder, sendOverApi } from './claims-fixture.ts'
import { createOrderFixture } from './order-fixture.ts'
import { notice, openSignedIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let fixture: Awaited<ReturnType<typeof createOrderFixture>>
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
})

const LINES = [
  { kind: 'part', description: 'Bucha', part_number: '51393', quantity: 1, is_causal: true, claimed: 1200.5 },
  { kind: 'labour', description: 'Troca da bucha', labour_code: '410115', hours: 1.5, claimed: 350 },
]

const completedOrder = (os_number: string) => sealedOrder(product, fixture, os_number)

const claim = (page: Page, name: string) => page.getByRole('region', { name: `SG ${name}` })
const dialog = (page: Page) => page.getByRole('dialog')
async function expectState(page: Page, name: string, state: string) {
  await expect(claim(page, name).locator('.badge').first()).toHaveText(state, { timeout: 60_000 })
  await expect(dialog(page)).toHaveCount(0)
}
/** The keys that were pressed, counted; text that only a person knows is typed apart. */
function keys(page: Page) {
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

test('a claim is opened, sent, returned, answered in part, paid, appealed, reconciled and debited by keyboard', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const order = await completedOrder('000901')
  const { press, take } = keys(page)
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${order}?tab=garantia`)
  await expect(page.getByText('Nenhuma solicitação de garantia')).toBeVisible()
  const next = page.getByRole('button', { name: /^(Enviar|Reenviar|Registrar|Conciliar|Reconsiderar)/ })

  await test.step('opened with the lines of the order', async () => {
    await press('a')
    await expect(dialog(page).getByLabel('Tipo').first()).toBeFocused()
    await dialog(page).getByLabel('Número da peça').fill('51393-TBA')
    await dialog(page).getByLabel('Código de tempo (TMO)').fill('410115')
    await dialog(page).getByLabel('Horas').fill('1,5')
    await expect(dialog(page).locator('.claim-total')).toContainText('Itens R$ 1.550,50')
    await press('Control+Enter')
    await expectState(page, '000901-1', 'Rascunho')
    await expect(claim(page, '000901-1')).toContainText('Peça 51393-TBA · 1 un · causal')
  })
  await test.step('sent in one press, which seals the dossier that went along', async () => {
    await expect(next.first()).toHaveText('Enviar à marca')
    await press('p')
    await expect(dialog(page).getByLabel('Número que a marca deu')).toBeFocused()
    await page.keyboard.type('HND77')
    await press('Control+Enter')
    await expectState(page, '000901-1', 'Enviada')
    await expect(claim(page, '000901-1')).toContainText('Nº na marca HND77')
    await expect(claim(page, '000901-1').getByRole('list', { name: 'Andamento' })).toContainText(
      /dossiê versão \d/,
    )
  })
  await test.step('returned, and sent anew', async () => {
    await press('p')
    await expect(dialog(page).getByLabel('Resposta da marca')).toBeFocused()
    await press('d', 'Tab')
    await page.keyboard.type('Falta a foto do odômetro')
    await press('Control+Enter')
    await expectState(page, '000901-1', 'Devolvida')
    await press('p')
    await expect(dialog(page).getByText('Nada mudou na OS nem nos arquivos.')).toBeVisible()
    await press('Control+Enter')
    await expectState(page, '000901-1', 'Enviada')
  })
  await test.step('accepted in part, line by line', async () => {
    await press('p')
    await expect(dialog(page).getByLabel('Resposta da marca')).toBeFocused()
    await press('p')
    await dialog(page).getByLabel('Autorizado de R$ 1.200,50').fill('1000,00')
    await dialog(page).getByLabel('Motivo').selectOption({ label: 'Preço de peça divergente' })
    await press('Control+Enter')
    await expectState(page, '000901-1', 'Aceita em parte')
    await expect(claim(page, '000901-1').getByRole('row', { name: /Peças/ })).toContainText(
      'Preço de peça divergente',
    )
  })
  await test.step('paid as authorised, and what is missing is appealed', async () => {
    take()
    await press('p')
    await expect(dialog(page).getByLabel('Valor pago')).toHaveValue('R$ 1.350,00')
    await press('Control+Enter')
    await expectState(page, '000901-1', 'Creditada')
    expect(take()).toBe(2)
    await expect(next.first()).toHaveText('Reconsiderar')
    await press('p')
    await expect(dialog(page).getByLabel('Valor')).toHaveValue('R$ 200,50')
    await press('Control+Enter')
    await expectState(page, '000901-2', 'Rascunho')
    await expect(claim(page, '000901-2')).toContainText('Reconsideração da SG 000901-1')
    await press('p')
    await expect(dialog(page).getByLabel('Número que a marca deu')).toBeFocused()
    await press('Control+Enter')
    await expectState(page, '000901-2', 'Enviada')
  })
  await test.step('the appeal is accepted, paid and reconciled in two presses each', async () => {
    for (const [field, state] of [
      ['Resposta da marca', 'Aceita'],
      ['Valor pago', 'Creditada'],
      ['Motivo', 'Conciliada'],
    ] as const) {
      take()
      await press('p')
      await expect(dialog(page).getByLabel(field)).toBeFocused()
      await press('Control+Enter')
      await expectState(page, '000901-2', state)
      expect(take()).toBe(2)
    }
  })
  await test.step('a debit afterwards, and every step in the history', async () => {
    await claim(page, '000901-2')
      .getByRole('button', { name: /^Ações da/ })
      .focus()
    await press('Enter')
    await page.getByRole('menuitem', { name: 'Registrar estorno' }).focus()
    await press('Enter')
    await dialog(page).getByLabel('Motivo').fill('Auditoria da marca')
    await press('Control+Enter')
    await expectState(page, '000901-2', 'Estornada')
    await press('Alt+4')
    for (const step of ['aberta', 'enviada à marca', 'devolvida pela marca', 'conciliada'])
      await expect(page.locator('.timeline-event', { hasText: `Solicitação ${step}` }).first()).toBeVisible()
    await expect(page.locator('.timeline-event', { hasText: 'Estorno registrado' })).toBeVisible()
  })
})

test('a refusal for want of evidence is recorded in at most 8 presses, from the list too', async ({
  page,
}) => {
  const { press, take } = keys(page)
  const { id } = await fixture.post(`/service-orders/${await completedOrder('000902')}/claims`, {
    type: 'normal',
    lines: LINES,
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
  const first = await fixture.post(`/service-orders/${order}/claims`, { type: 'normal', lines: LINES })
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
      lines: LINES,
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

test('a claim is opened, sent, answered and paid by mouse', async ({ page }) => {
  test.setTimeout(120_000)
  const order = await completedOrder('000904')
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${order}?tab=garantia`)
  const click = (name: string) => page.getByRole('button', { name, exact: true }).last().click()
  await click('Abrir solicitação')
  await dialog(page).getByLabel('Número da peça').fill('51393')
  await dialog(page).getByRole('button', { name: 'Excluir item 2' }).click()
  await click('Abrir solicitação')
  await expectState(page, '000904-1', 'Rascunho')
  await click('Ações da SG 000904-1')
  await page.getByRole('menuitem', { name: 'Editar rascunho' }).click()
  await dialog(page).getByLabel('Valor').fill('1100,00')
  await click('Salvar')
  await expect(claim(page, '000904-1')).toContainText('R$ 1.100,00')
  await click('Enviar à marca')
  await expect(dialog(page).getByText('Dados para a marca')).toBeVisible()
  await click('Enviar à marca')
  await expectState(page, '000904-1', 'Enviada')
  for (const [step, state] of [
    ['Registrar resposta', 'Aceita'],
    ['Registrar pagamento', 'Creditada'],
    ['Conciliar', 'Conciliada'],
  ] as const) {
    await click(step)
    await dialog(page).getByRole('button', { name: step }).click()
    await expectState(page, '000904-1', state)
  }
})
