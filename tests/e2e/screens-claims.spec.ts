import { expect, test } from '@playwright/test'
import { openSignedIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import {
  blockProcedures,
  collectPageErrors,
  screenHelpers,
  seedOrders,
  seedPeople,
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
  await page.getByRole('button', { name: 'Descartar' }).or(dialog).first().waitFor()
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
