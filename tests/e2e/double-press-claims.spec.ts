import { expect, test } from '@playwright/test'
import { convertedPhoto } from './claims-fixture.ts'
import { claimConfirmations } from './double-press-claims.ts'
import { pressEach, watch } from './double-press-run.ts'
import { COMPLETE_ORDER, createOrderFixture, type OrderFixture } from './order-fixture.ts'
import { openSignedIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let fixture: OrderFixture
let order = 0
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
  order = (await fixture.order({ os_number: '000901', ...COMPLETE_ORDER })).id
  await convertedPhoto(product, fixture, order)
  await fixture.post(`/service-orders/${order}/status/completed?reason=Entregue`)
  // A claim that is sent without one has it sealed first, and is sent again.
  await fixture.post(`/service-orders/${order}/dossier`)
  await expect
    .poll(async () => (await fixture.get(`/service-orders/${order}/dossier`)).data[0].status, {
      timeout: 60_000,
    })
    .toBe('sealed')
})

const claims = async () => (await fixture.get(`/service-orders/${order}/claims`)).data

async function supplement() {
  const [{ id }] = await claims()
  await fixture.post(`/service-orders/${order}/claims`, {
    type: 'supplement',
    previous_id: id,
    lines: [{ kind: 'third_party', description: 'Guincho', claimed: 200 }],
  })
  return '/solicitacoes?search=000901'
}

test('a confirming button of claims, remittances and deadlines acts once when it is pressed again', {
  tag: '@exhaustive',
}, async ({ page }) => {
  const watched = await watch(page)
  await openSignedIn(page, product, product.firstSuperuser)
  const tab = `/os/${order}?tab=garantia`
  await pressEach(page, product, watched, claimConfirmations({ tab, company: fixture.matriz, supplement }))
  // Each press has left one row: paid, taken back and its correction, written off.
  const [first, ...others] = await claims()
  expect(first).toMatchObject({
    state: 'reconciled',
    submissions: [{ n: 1 }],
    decisions: [{ n: 1 }, { n: 2 }],
  })
  expect(first.entries).toHaveLength(4)
  expect(others).toMatchObject([
    { state: 'accepted', submissions: [{ n: 1 }], decisions: [{ n: 1 }] },
    { state: 'withdrawn', submissions: [], decisions: [] },
  ])
})
