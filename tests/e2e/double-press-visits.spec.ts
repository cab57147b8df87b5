import { expect, type Page, test } from '@playwright/test'
import { completedOrder, sendOverApi } from './claims-fixture.ts'
import { type Confirmation, dialog, inDialog } from './double-press-rows.ts'
import { pressEach, watch } from './double-press-run.ts'
import { COMPLETE_ORDER, createOrderFixture } from './order-fixture.ts'
import { openSignedIn } from './page-helpers.ts'
import { openProduct } from './product.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })

/** On the tab of an order with a claim that was sent, after two other visits of the vehicle, 000912 and 000913. */
const visitConfirmations = (tab: string): Confirmation[] => [
  {
    path: tab,
    prepare: async () => {},
    button: (page) => page.getByRole('button', { name: 'Outro defeito: OS 000912' }),
    call: 'deadlines.refuse',
    message: 'Proposta recusada',
  },
  {
    prepare: async (page) => {
      await press(page, 'Ligar a outra visita')
      await field(page, 'Outra OS deste veículo').selectOption({ index: 1 })
    },
    button: (page) => inDialog(page, 'Ligar'),
    call: 'deadlines.link',
    message: 'Visitas ligadas',
  },
  {
    prepare: async () => {},
    button: (page) => page.getByRole('button', { name: 'Separar a OS 000913' }),
    call: 'deadlines.unlink',
    message: 'Visita separada',
  },
  {
    prepare: async (page) => {
      await press(page, 'Corrigir datas da visita')
      await field(page, 'Chegada do veículo').fill('02/01/2026 10:00')
    },
    button: (page) => inDialog(page, 'Salvar'),
    call: 'deadlines.changeVisit',
    message: 'Datas da visita salvas',
  },
  {
    prepare: (page) => press(page, 'Registrar espera ou carro reserva'),
    button: (page) => inDialog(page, 'Registrar'),
    call: 'deadlines.addFact',
    message: 'Fato registrado',
  },
  {
    prepare: async (page) => {
      await press(page, 'Editar peça 51393')
      await field(page, 'Lugar na prateleira').fill('B3')
    },
    button: (page) => inDialog(page, 'Salvar'),
    call: 'parts.change',
    message: 'Peça salva',
  },
]

test('a confirming button of visits and parts acts once when it is pressed again', {
  tag: '@exhaustive',
}, async ({ page }) => {
  const product = await openProduct()
  const fixture = await createOrderFixture(product)
  const order = await completedOrder(product, fixture, '000911')
  for (const os_number of ['000912', '000913']) await fixture.order({ os_number, ...COMPLETE_ORDER })
  const { id } = await fixture.post(`/service-orders/${order}/claims`, {
    type: 'normal',
    lines: [{ kind: 'part', description: 'Bucha', part_number: '51393', quantity: 1, claimed: 1200.5 }],
  })
  await sendOverApi(fixture, id)
  const watched = await watch(page)
  await openSignedIn(page, product, product.firstSuperuser)
  await pressEach(page, product, watched, visitConfirmations(`/os/${order}?tab=garantia`))
  const clock = await fixture.get(`/service-orders/${order}/legal-clock`)
  expect(clock.facts).toHaveLength(1)
  expect((await fixture.get(`/claims/${id}/parts`)).data).toMatchObject([{ place: 'B3', version: 2 }])
})
