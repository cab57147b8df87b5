import { expect, test } from '@playwright/test'
import { convertedPhoto } from './claims-fixture.ts'
import { COMPLETE_ORDER } from './order-fixture.ts'
import { openSignedIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import {
  blockProcedures,
  collectPageErrors,
  screenHelpers,
  seedOrders,
  seedPeople,
  unblockProcedures,
} from './screens-fixture.ts'

let product: Product
let scene: Awaited<ReturnType<typeof seedPeople>> & Awaited<ReturnType<typeof seedOrders>>
test.beforeAll(async () => {
  product = await openProduct()
  const people = await seedPeople(product)
  scene = { ...people, ...(await seedOrders(people)) }
})

const LINES = [
  {
    kind: 'part',
    description: 'Bucha da bandeja dianteira',
    part_number: '51393-TBA-A01',
    quantity: 2,
    is_causal: true,
    claimed: 1200.5,
  },
  { kind: 'labour', description: 'Troca da bucha', labour_code: '410115', hours: 1.5, claimed: 350 },
]

test('the claims of an order pass the visual audit: none, opening, drafts, long texts, loading and failed', async ({
  page,
}) => {
  test.setTimeout(900_000)
  const complaints = collectPageErrors(page)
  const { audit, open, text, button, dialog } = screenHelpers(page, product)
  const tab = `/os/${scene.plain}?tab=garantia`
  await openSignedIn(page, product, product.firstSuperuser)
  await open(tab)
  await text('Nenhuma solicitação de garantia')
  await audit('os-garantia-vazia')
  await button('Abrir solicitação').click()
  await expect(dialog.getByLabel('Descrição').first()).toHaveValue('Peças')
  await audit('os-garantia-abrir')
  await dialog.getByRole('button', { name: 'Abrir solicitação' }).click()
  await text('Informe o número da peça')
  await audit('os-garantia-abrir-erros')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await scene.fixture.post(`/service-orders/${scene.plain}/claims`, { type: 'normal', lines: LINES })
  await open(tab)
  await text('SG 000123-1')
  await audit('os-garantia')
  for (let i = 0; i < 12; i++) {
    const { id } = await scene.fixture.order({ os_number: `0008${10 + i}`, customer_name: `Cliente ${i}` })
    await scene.fixture.post(`/service-orders/${id}/claims`, {
      type: 'normal',
      lines: LINES.map((line) => ({ ...line, claimed: (i + 1) * 113.4 })),
    })
  }
  await scene.fixture.post(`/service-orders/${scene.long}/claims`, {
    type: 'normal',
    note: 'sem-espaços-'.repeat(20),
    lines: [
      {
        ...LINES[0],
        description: `${'Conjunto da bandeja '.repeat(12)}`,
        part_number: '9'.repeat(60),
        claimed: 999_999_999.99,
      },
      {
        kind: 'third_party',
        description: 'x'.repeat(255),
        supplier: 'y'.repeat(255),
        document: '1'.repeat(60),
        claimed: 0.01,
      },
    ],
  })
  await open(`/os/${scene.long}?tab=garantia`)
  await text('SG 999999-1')
  await audit('os-garantia-longa')
  await open('/solicitacoes')
  await text('000821-1')
  await audit('solicitacoes')
  await page
    .getByLabel(/^Selecionar SG 0008(20|21)-1$/)
    .first()
    .check()
  await page.getByLabel('Selecionar SG 000820-1').first().check()
  await audit('solicitacoes-selecao')
  await page
    .getByRole('region', { name: 'Ações em lote' })
    .getByRole('button', { name: 'Enviar à marca' })
    .click()
  await expect(dialog.getByLabel('Observação')).toBeFocused()
  await audit('solicitacoes-enviar-varias')
  await page.keyboard.press('Escape')
  await open('/solicitacoes?state=withdrawn')
  await text('Nenhuma corresponde aos filtros escolhidos.')
  await audit('solicitacoes-filtrada-vazia')
  await blockProcedures(page, ['claims.ofOrder', 'claimList.page'], 'never')
  await open('/solicitacoes')
  await expect(page.locator('.skeleton').first()).toBeAttached()
  await audit('solicitacoes-carregando')
  await open(tab)
  await expect(page.locator('.skeleton').first()).toBeAttached()
  await audit('os-garantia-carregando')
  await blockProcedures(page, ['claims.ofOrder', 'claimList.page'], 'error')
  await open('/solicitacoes')
  await text('Erro ao carregar solicitações de garantia')
  await audit('solicitacoes-erro')
  await open(tab)
  await text('Erro ao carregar solicitações de garantia')
  await audit('os-garantia-erro')
  expect(complaints('Failed to load resource')).toEqual([])
})

test('each step of a claim passes the visual audit, and so does the reconciliation of remittances', async ({
  page,
}) => {
  test.setTimeout(900_000)
  const complaints = collectPageErrors(page)
  const { audit, open, text, button, dialog, menu } = screenHelpers(page, product)
  const { fixture } = scene
  const { id: order } = await fixture.order({ os_number: '000700', ...COMPLETE_ORDER })
  await convertedPhoto(product, fixture, order)
  await fixture.post(`/service-orders/${order}/status/completed?reason=Entregue`)
  const { id } = await fixture.post(`/service-orders/${order}/claims`, { type: 'normal', lines: LINES })
  const { lines } = await fixture.get(`/claims/${id}`)
  const tab = `/os/${order}?tab=garantia`
  await openSignedIn(page, product, product.firstSuperuser)
  await open(tab)
  await button('Enviar à marca').click()
  await text('Dados para a marca')
  await audit('os-garantia-enviar')
  await expect(async () => {
    await fixture.post(`/claims/${id}/submit`, { brand_number: 'HND2026000077' })
  }).toPass({ timeout: 60_000 })
  await open(tab)
  await button('Registrar resposta').click()
  await expect(dialog.getByLabel('Resposta da marca')).toBeFocused()
  await audit('os-garantia-resposta')
  await dialog.getByLabel('Resposta da marca').selectOption('rejected')
  await dialog.getByLabel('Motivo').selectOption('evidence_missing')
  await audit('os-garantia-recusada')
  await dialog.getByLabel('Resposta da marca').selectOption('partial')
  await dialog.getByLabel('Autorizado de R$ 1.200,50').fill('1000,00')
  await dialog.getByRole('button', { name: 'Registrar resposta' }).click()
  await text('O que não foi autorizado precisa de um motivo')
  await audit('os-garantia-item-por-item')
  await test.step('one answer for several', async () => {
    await open('/solicitacoes?state=sent')
    await page.getByLabel('Selecionar SG 000700-1').first().check()
    await page
      .getByRole('region', { name: 'Ações em lote' })
      .getByRole('button', { name: 'Registrar resposta' })
      .click()
    await dialog.getByLabel('Resposta da marca').selectOption('rejected')
    await dialog.getByRole('button', { name: 'Registrar resposta' }).click()
    await expect(dialog.getByLabel('Motivo')).toHaveAttribute('aria-invalid', 'true')
    await audit('solicitacoes-responder-varias')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Descartar' }).click()
  })
  await fixture.post(`/claims/${id}/decide`, {
    answer: 'decided',
    brand_words: 'Preço acima da tabela de novembro',
    lines: [
      { line_id: lines[0].id, authorised: 1000, reason: 'wrong_part_price' },
      { line_id: lines[1].id, authorised: 350 },
    ],
  })
  await open(tab)
  await button('Registrar pagamento').click()
  await expect(dialog.getByLabel('Valor pago')).toBeFocused()
  await audit('os-garantia-pagamento')
  await dialog.getByText('Informar o valor de cada item').click()
  await audit('os-garantia-pagamento-por-item')
  await fixture.post(`/claims/${id}/pay`, { booked_on: '2026-11-24', amount: 1350 })
  await open(tab)
  await text('Pagamento R$ 1.350,00')
  await audit('os-garantia-paga')
  await audit('os-garantia-menu', { prepare: menu('Ações da SG 000700-1') })
  await button('Reconsiderar').click()
  await text('Nada mudou na OS nem nos arquivos.')
  await audit('os-garantia-reconsiderar')
  for (const [step, name] of [
    ['Dar baixa', 'baixa'],
    ['Registrar estorno', 'estorno'],
    ['Corrigir resposta', 'corrigir-resposta'],
    ['Registrar nota de crédito', 'nota-de-credito'],
  ] as const) {
    await open(tab)
    await menu('Ações da SG 000700-1')()
    await page.getByRole('menuitem', { name: step }).click()
    await expect(dialog).toBeVisible()
    await audit(`os-garantia-${name}`)
  }
  await open(tab)
  await button(/^Corrigir Bucha/)
    .first()
    .click()
  await text('é anulado por inteiro')
  await audit('os-garantia-corrigir-lancamento')

  await test.step('dashboard', async () => {
    await open('/dashboard')
    await text('R$ 200,50')
    await audit('dashboard-garantia')
  })
  await test.step('deadlines', async () => {
    await open('/settings?tab=perfil')
    const calendar = page.getByRole('region', { name: 'Prazos no calendário' })
    await calendar.getByRole('button', { name: 'Criar endereço' }).click()
    await expect(calendar.getByLabel('Endereço do calendário', { exact: true })).toBeVisible()
    await audit('configuracoes-calendario')
    await open('/prazos')
    await text('Prazo legal do reparo')
    await audit('prazos')
    await open('/prazos?kind=part&until=2000-01-01')
    await text('Nenhum corresponde aos filtros escolhidos.')
    await audit('prazos-vazio')
    await blockProcedures(page, ['deadlines.page'], 'error')
    await open('/prazos')
    await text('Erro ao carregar prazos')
    await audit('prazos-erro')
    await unblockProcedures(page)
  })
  await test.step('refusals', async () => {
    await open('/recusas')
    await text('Preço de peça divergente')
    await audit('recusas')
    await open('/solicitacoes?is_refused=true&refusal_reason=wrong_part_price&refused_from=2026-01-01')
    await text('Remover este filtro')
    await audit('solicitacoes-filtro-de-relatorio')
    await open('/recusas?from=2020-01&until=2020-02')
    await text('Nada no período.')
    await audit('recusas-vazio')
    await blockProcedures(page, ['claimReports.answers'], 'never')
    await open('/recusas')
    await expect(page.locator('.skeleton').first()).toBeAttached()
    await audit('recusas-carregando')
    await blockProcedures(page, ['claimReports.answers'], 'error')
    await open('/recusas')
    await text('Erro ao carregar as recusas')
    await audit('recusas-erro')
    await unblockProcedures(page)
  })
  await test.step('reconciliation', async () => {
    await open('/conciliacao')
    await text('Nada é lançado antes da conferência.')
    await audit('conciliacao')
    await open('/conciliacao?tab=digitar')
    await page.getByLabel('Empresa').selectOption({ label: fixture.matriz })
    await page.getByLabel('Marca', { exact: true }).selectOption({ label: 'Honda' })
    for (const [n, number, amount] of [
      [1, 'HND2026000077', '200,50'],
      [2, '9'.repeat(60), '-999.999.999,99'],
      [3, 'XYZ', 'dez'],
    ] as const) {
      await page.getByLabel(`Nº na marca, linha ${n}`).fill(number)
      await page.getByLabel(`Valor pago, linha ${n}`).fill(amount)
    }
    await button('Conferir').click()
    await text('1 linha precisa de correção.')
    await audit('conciliacao-digitar')
    await page.getByLabel('Valor pago, linha 3').fill('10')
    await button('Conferir').click()
    await text('Conferência')
    await audit('conciliacao-digitar-conferencia')
    await button('Recomeçar').click()
    await open('/conciliacao?tab=divergencias')
    await text('Nenhuma divergência')
    await audit('conciliacao-sem-divergencias')
    await open('/conciliacao?tab=historico')
    await text('Nenhum demonstrativo')
    await audit('conciliacao-sem-historico')
    await open('/conciliacao')
    await dialog.or(page.getByLabel('Empresa')).first().waitFor()
    await page.getByLabel('Empresa').selectOption({ label: fixture.matriz })
    await page.getByLabel('Marca', { exact: true }).selectOption({ label: 'Honda' })
    await page.locator('input[type=file]').setInputFiles({
      name: 'demonstrativo-novembro.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'SG;OS;Chassi;Valor\nHND2026000077;000700;117974;200,50\nXYZ1;000999;123456;10,00\n',
      ),
    })
    await button('Enviar arquivo').click()
    await expect(button('Conferir')).toBeEnabled({ timeout: 60_000 })
    await audit('conciliacao-colunas')
    await button('Conferir').click()
    await text('Conferência')
    await audit('conciliacao-conferencia')
    await button(/^(Lançar|Guardar)/).click()
    await expect(page.getByText('Demonstrativo importado').filter({ visible: true }).first()).toBeVisible({
      timeout: 60_000,
    })
    await audit('conciliacao-importado')
    await open('/conciliacao?tab=divergencias')
    await text('XYZ1')
    await audit('conciliacao-divergencias')
    await button(/^Ações de XYZ1/)
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Lançar assim mesmo' }).click()
    await expect(dialog.getByLabel('O que fazer')).toBeFocused()
    await text('Nenhuma solicitação da Honda com isto.')
    await audit('conciliacao-resolver')
    await open('/conciliacao?tab=historico')
    await text('demonstrativo-novembro.csv')
    await audit('conciliacao-historico')
    await button(/^Ações de/)
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Desfazer importação' }).click()
    await text('Não há lançamento a anular.')
    await audit('conciliacao-desfazer')
    await blockProcedures(page, ['remittances.differences', 'remittances.page'], 'error')
    await open('/conciliacao?tab=divergencias')
    await text('Erro ao carregar divergências')
    await audit('conciliacao-erro')
  })
  expect(complaints('Failed to load resource')).toEqual([])
})
