import { expect, type Page, test } from '@playwright/test'
import {
  course,
  expectCount,
  expectLife,
  FROM_REMITTANCE,
  remittance,
  SUPPLEMENT,
  sinceSending,
  TO_APPEAL,
} from './claim-life.ts'
import { claimPanel, convertedPhoto, dialog, expectState } from './claims-fixture.ts'
import { arrowTo, chooseIn, keys, watchPointers } from './keyboard-steps.ts'
import { COMPLETE_ORDER, createOrderFixture } from './order-fixture.ts'
import { openSignedIn, tabToAndPress, typeInto } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let fixture: Awaited<ReturnType<typeof createOrderFixture>>
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
  // A photo is enough, and the order stays open: the evidence that the brand asks for is added to it.
  await fixture.patch(`/brands/${fixture.brand('Honda')}`, { required_categories: [] })
})

async function openedOrder(page: Page, os_number: string) {
  const { id } = await fixture.order({ os_number, ...COMPLETE_ORDER })
  await convertedPhoto(product, fixture, id)
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${id}?tab=garantia`)
  await expect(page.getByText('Nenhuma solicitação de garantia')).toBeVisible()
  return id
}

/** The evidence that the brand has asked for. */
const addOdometer = (order: number) => convertedPhoto(product, fixture, order, 'odometro')

test("a claim's whole life by keyboard alone, to its reconciliation and a debit", async ({ page }) => {
  const order = await openedOrder(page, '000901')
  const { press, take } = keys(page)
  const pointers = await watchPointers(page)
  await page.reload()
  await expect(page.getByText('Nenhuma solicitação de garantia')).toBeVisible()
  const next = page.getByRole('button', { name: /^(Enviar|Reenviar|Registrar|Conciliar|Reconsiderar)/ })
  const fromMenu = async (name: string, step: string) => {
    await tabToAndPress(page, claimPanel(page, name).getByRole('button', { name: /^Ações da/ }))
    await arrowTo(page, page.getByRole('menuitem', { name: step }))
    await press('Enter')
  }

  await test.step('opened with the lines of the order', async () => {
    await press('a')
    await expect(dialog(page).getByLabel('Tipo').first()).toBeFocused()
    await typeInto(page, dialog(page).getByLabel('Número da peça'), '51393-TBA')
    await typeInto(page, dialog(page).getByLabel('Código de tempo (TMO)'), '410115')
    await typeInto(page, dialog(page).getByLabel('Horas'), '1,5')
    await expect(dialog(page).locator('.claim-total')).toContainText('Itens R$ 1.550,50')
    await press('Control+Enter')
    await expectState(page, '000901-1', 'Rascunho')
    await expect(claimPanel(page, '000901-1')).toContainText('Peça 51393-TBA · 1 un · causal')
  })
  await test.step('sent in one press, which seals the dossier that went along', async () => {
    await expect(next.first()).toHaveText('Enviar à marca')
    await press('p')
    await expect(dialog(page).getByLabel('Número que a marca deu')).toBeFocused()
    await page.keyboard.type('HND77')
    await press('Control+Enter')
    await expectState(page, '000901-1', 'Enviada')
    await expect(claimPanel(page, '000901-1')).toContainText('Nº na marca HND77')
    await expect(course(page, '000901-1')).toContainText(/dossiê versão 1/)
  })
  await test.step('returned, and sent anew with what the brand asked for', async () => {
    await press('p')
    await expect(dialog(page).getByLabel('Resposta da marca')).toBeFocused()
    await press('d', 'Tab')
    await page.keyboard.type('Falta a foto do odômetro')
    await press('Control+Enter')
    await expectState(page, '000901-1', 'Devolvida')
    await addOdometer(order)
    await press('p')
    await expect(sinceSending(page)).toContainText('Desde o dossiê enviado, versão 1')
    await expect(sinceSending(page).getByRole('listitem')).toHaveText([
      'Arquivos novos: 117974_odometro_01.jpg',
    ])
    await press('Control+Enter')
    await expectState(page, '000901-1', 'Enviada')
    await expect(course(page, '000901-1')).toContainText(/dossiê versão 2/)
  })
  await test.step('accepted in part, line by line', async () => {
    await press('p')
    await expect(dialog(page).getByLabel('Resposta da marca')).toBeFocused()
    await press('p')
    await typeInto(page, dialog(page).getByLabel('Autorizado de R$ 1.200,50'), '1000,00')
    await chooseIn(page, dialog(page).getByLabel('Motivo'), 'Preço de peça divergente')
    await press('Control+Enter')
    await expectState(page, '000901-1', 'Aceita em parte')
    await expect(claimPanel(page, '000901-1').getByRole('row', { name: /Peças/ })).toContainText(
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
    await expect(dialog(page).getByText('Nada mudou na OS nem nos arquivos.')).toBeVisible()
    await press('Control+Enter')
    await expectState(page, '000901-2', 'Rascunho')
    await expect(claimPanel(page, '000901-2')).toContainText('Reconsideração da SG 000901-1')
    await fixture.patch(`/service-orders/${order}`, { diagnosis: 'Bucha gasta, com fratura' })
    await press('p')
    await expect(dialog(page).getByLabel('Número que a marca deu')).toBeFocused()
    await expect(sinceSending(page)).toContainText('Desde o dossiê enviado, versão 2')
    await expect(sinceSending(page).getByRole('listitem')).toHaveText(['Dados da OS: Diagnóstico'])
    await page.keyboard.type('HND78')
    await press('Control+Enter')
    await expectState(page, '000901-2', 'Enviada')
    await expect(course(page, '000901-2')).toContainText(/dossiê versão 3/)
  })
  const accept = async (name: string) => {
    take()
    await press('p')
    await expect(dialog(page).getByLabel('Resposta da marca')).toBeFocused()
    await press('Control+Enter')
    await expectState(page, name, 'Aceita')
    expect(take()).toBe(2)
  }
  await test.step('the appeal is accepted in two presses', () => accept('000901-2'))
  await test.step('more of the same repair is a supplement, sent and accepted', async () => {
    await fromMenu('000901-1', 'Complementar')
    await chooseIn(page, dialog(page).getByLabel('Tipo'), 'Serviço de terceiro')
    await typeInto(page, dialog(page).getByLabel('Descrição'), 'Guincho')
    await typeInto(page, dialog(page).getByLabel('Valor'), '80,00')
    await press('Control+Enter')
    await expectState(page, '000901-3', 'Rascunho')
    await expect(claimPanel(page, '000901-3')).toContainText('Complemento da SG 000901-1')
    await press('p')
    await expect(dialog(page).getByLabel('Número que a marca deu')).toBeFocused()
    await page.keyboard.type('HND79')
    await press('Control+Enter')
    await expectState(page, '000901-3', 'Enviada')
    await accept('000901-3')
  })
  await test.step('a remittance pays both, after a look at what it would do', async () => {
    await press('g', 'o')
    await chooseIn(page, page.getByLabel('Empresa'), fixture.matriz)
    await chooseIn(page, page.getByLabel('Marca', { exact: true }), 'Honda')
    const choosing = page.waitForEvent('filechooser')
    await tabToAndPress(page, page.getByRole('button', { name: 'Demonstrativo: Escolher arquivo' }))
    await (await choosing).setFiles(
      remittance([
        ['HND78', '000901', '200,50'],
        ['HND79', '000901', '80,00'],
      ]),
    )
    await press('Enter')
    await tabToAndPress(page, page.getByRole('button', { name: 'Enviar arquivo' }))
    await expect(page.getByRole('button', { name: 'Conferir' })).toBeEnabled()
    await tabToAndPress(page, page.getByRole('button', { name: 'Conferir' }))
    await expect(page.getByRole('heading', { name: 'Conferência' })).toBeFocused()
    await expectCount(page, 'Total', 'R$ 280,50')
    await tabToAndPress(page, page.getByRole('button', { name: 'Lançar 2 pagamentos' }))
    await expect(page.locator('strong').getByText('Demonstrativo importado')).toBeVisible()
  })
  await test.step('reconciled in two presses', async () => {
    await page.goto(`${product.url}/os/${order}?tab=garantia`)
    await expectState(page, '000901-2', 'Creditada')
    await expectState(page, '000901-3', 'Creditada')
    take()
    await press('p')
    await expect(dialog(page).getByLabel('Motivo')).toBeFocused()
    await press('Control+Enter')
    await expectState(page, '000901-3', 'Conciliada')
    expect(take()).toBe(2)
  })
  await test.step('a debit afterwards, and every step in the history', async () => {
    await fromMenu('000901-3', 'Registrar estorno')
    await typeInto(page, dialog(page).getByLabel('Motivo'), 'Auditoria da marca')
    await press('Control+Enter')
    await expectState(page, '000901-3', 'Estornada')
    await press('Alt+4')
    await chooseIn(page, page.getByLabel('Mostrar'), 'Garantia')
    await expectLife(page, { product, fixture, order }, [
      ...TO_APPEAL,
      ...SUPPLEMENT,
      'claim.paid',
      ...FROM_REMITTANCE,
    ])
  })
  expect(pointers).toEqual([])
})

test("a claim's whole life by mouse, to its reconciliation and a debit", { tag: '@exhaustive' }, async ({
  page,
}) => {
  const order = await openedOrder(page, '000904')
  const click = (name: string) => page.getByRole('button', { name, exact: true }).last().click()
  const submit = (name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
  const fromMenu = async (name: string, step: string) => {
    await click(`Ações da SG ${name}`)
    await page.getByRole('menuitem', { name: step }).click()
  }
  const send = async (name: string, number: string, label = 'Enviar à marca') => {
    await dialog(page).getByLabel('Número que a marca deu').fill(number)
    await submit(label)
    await expectState(page, name, 'Enviada')
  }

  await test.step('opened, and its draft changed', async () => {
    await click('Abrir solicitação')
    await dialog(page).getByLabel('Número da peça').fill('51393')
    await dialog(page).getByRole('button', { name: 'Excluir item 2' }).click()
    await click('Abrir solicitação')
    await expectState(page, '000904-1', 'Rascunho')
    await fromMenu('000904-1', 'Editar rascunho')
    await dialog(page).getByLabel('Valor').fill('1100,00')
    await click('Salvar')
    await expect(claimPanel(page, '000904-1')).toContainText('R$ 1.100,00')
  })
  await test.step('sent, returned, and sent anew with what the brand asked for', async () => {
    await click('Enviar à marca')
    await expect(dialog(page).getByText('Dados para a marca')).toBeVisible()
    await send('000904-1', 'HND87')
    await click('Registrar resposta')
    await dialog(page).getByLabel('Resposta da marca').selectOption('returned')
    await dialog(page).getByLabel('O que a marca pede').fill('Falta a foto do odômetro')
    await submit('Registrar resposta')
    await expectState(page, '000904-1', 'Devolvida')
    await addOdometer(order)
    await click('Reenviar à marca')
    await expect(sinceSending(page).getByRole('listitem')).toHaveText([
      'Arquivos novos: 117974_odometro_01.jpg',
    ])
    await send('000904-1', 'HND87', 'Reenviar à marca')
  })
  await test.step('accepted in part and paid', async () => {
    await click('Registrar resposta')
    await dialog(page).getByLabel('Resposta da marca').selectOption('partial')
    await dialog(page).getByLabel('Autorizado de R$ 1.100,00').fill('900,00')
    await dialog(page).getByLabel('Motivo').selectOption({ label: 'Preço de peça divergente' })
    await submit('Registrar resposta')
    await expectState(page, '000904-1', 'Aceita em parte')
    await click('Registrar pagamento')
    await submit('Registrar pagamento')
    await expectState(page, '000904-1', 'Creditada')
  })
  await test.step('appealed, with what has changed since the last dossier, accepted and paid at once', async () => {
    await fixture.patch(`/service-orders/${order}`, { diagnosis: 'Bucha gasta, com fratura' })
    await click('Reconsiderar')
    await expect(sinceSending(page)).toContainText('Desde o dossiê enviado, versão 2')
    await expect(sinceSending(page).getByRole('listitem')).toHaveText(['Dados da OS: Diagnóstico'])
    await submit('Abrir reconsideração')
    await expectState(page, '000904-2', 'Rascunho')
    await click('Enviar à marca')
    await send('000904-2', 'HND88')
    await click('Registrar resposta')
    await dialog(page).getByText('Registrar também o pagamento').click()
    await expect(dialog(page).getByLabel('Valor pago')).toHaveValue('R$ 200,00')
    await submit('Registrar resposta')
    await expectState(page, '000904-2', 'Creditada')
  })
  await test.step('complemented, and accepted', async () => {
    await fromMenu('000904-1', 'Complementar')
    await dialog(page).getByLabel('Tipo').selectOption({ label: 'Serviço de terceiro' })
    await dialog(page).getByLabel('Descrição').fill('Guincho')
    await dialog(page).getByLabel('Valor').fill('80,00')
    await submit('Abrir complemento')
    await expectState(page, '000904-3', 'Rascunho')
    await click('Enviar à marca')
    await send('000904-3', 'HND89')
    await click('Registrar resposta')
    await submit('Registrar resposta')
    await expectState(page, '000904-3', 'Aceita')
  })
  await test.step('a remittance pays it, after a look at what it would do', async () => {
    await page.getByRole('link', { name: 'Solicitações', exact: true }).click()
    await click('Conciliação')
    // The list of claims has a filter of that name.
    await expect(page.getByRole('heading', { name: 'Conciliação', exact: true })).toBeVisible()
    await page.getByLabel('Empresa').selectOption({ label: fixture.matriz })
    await page.getByLabel('Marca', { exact: true }).selectOption({ label: 'Honda' })
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Demonstrativo: Escolher arquivo' }).click()
    await (await choosing).setFiles(remittance([['HND89', '000904', '80,00']]))
    await click('Enviar arquivo')
    await click('Conferir')
    await expectCount(page, 'Total', 'R$ 80,00')
    await click('Lançar 1 pagamento')
    await expect(page.locator('strong').getByText('Demonstrativo importado')).toBeVisible()
  })
  await test.step('reconciled, and debited afterwards, with every step in the history', async () => {
    await page.goto(`${product.url}/os/${order}?tab=garantia`)
    await expectState(page, '000904-2', 'Creditada')
    await expectState(page, '000904-3', 'Creditada')
    await claimPanel(page, '000904-3').getByRole('button', { name: 'Conciliar' }).click()
    await submit('Conciliar')
    await expectState(page, '000904-3', 'Conciliada')
    await fromMenu('000904-3', 'Registrar estorno')
    await dialog(page).getByLabel('Motivo').fill('Auditoria da marca')
    await submit('Registrar estorno')
    await expectState(page, '000904-3', 'Estornada')
    await page.getByRole('tab', { name: 'Histórico' }).click()
    await page.getByLabel('Mostrar').selectOption({ label: 'Garantia' })
    await expectLife(page, { product, fixture, order }, [
      'claim.opened',
      'claim.changed',
      ...TO_APPEAL.slice(1),
      'claim.paid',
      ...SUPPLEMENT,
      ...FROM_REMITTANCE,
    ])
  })
})
