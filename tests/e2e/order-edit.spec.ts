import { expect, type Page, test } from '@playwright/test'
import {
  button,
  confirmDialog,
  createOrderFixture,
  dialog,
  field,
  gil,
  type OrderFixture,
  tab,
  teo,
  tina,
} from './order-fixture.ts'
import {
  expectFieldError,
  holdRequests,
  intercept,
  notice,
  openSignedIn,
  recordCalls,
  submitSignIn,
  tabTo,
  tabToAndPress,
  typeInto,
} from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let fixture: OrderFixture
let count = 300
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
})

const SAVED = 'OS atualizada com sucesso!'
/** An order with every field that the dialog requires. */
async function anOrder(fields: object = {}) {
  const os_number = `000${count++}`
  const { id } = await fixture.order({
    os_number,
    problem_description: 'Ruído na suspensão',
    customer_name: 'José da Silva',
    customer_phone: '11987654321',
    vehicle_model: 'Civic',
    ...fields,
  })
  return { id, os_number }
}
async function show(page: Page, path: string, heading: string, who = product.firstSuperuser) {
  await openSignedIn(page, product, who)
  await page.goto(`${product.url}${path}`)
  await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
}
const editing = (
  page: Page,
  { id, os_number }: { id: number; os_number: string },
  who = product.firstSuperuser,
) => show(page, `/os/${id}/edit`, `Editar OS ${os_number}`, who)

test('the page of an order by mouse (EDP-1, EDP-5 to EDP-7, VAL-3, VAL-8, MOD-19, MOD-20, D-13, D-16)', async ({
  page,
}) => {
  const order = await anOrder()
  const { releaseRequests } = await holdRequests(page, /\/trpc\/.*orders\.one/)
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${order.id}/edit`)
  await expect(page.getByText('Carregando ordem de serviço…')).toBeVisible()
  releaseRequests()
  await page.unrouteAll({ behavior: 'wait' })
  await expect(page.getByRole('heading', { name: `Editar OS ${order.os_number}` })).toBeVisible()
  for (const name of ['Informações Básicas', 'Veículo', 'Cliente', 'Serviço', 'Valores'])
    await expect(page.getByRole('region', { name, exact: true })).toBeVisible()
  await expect(field(page, 'Número da OS')).toHaveValue(order.os_number)
  await expect(field(page, 'Número da OS')).not.toBeEditable()
  await expect(field(page, 'Marca').locator('option:checked')).toHaveText('Honda')
  await expect(field(page, 'Empresa').locator('option:checked')).toHaveText(fixture.matriz)

  const sent = recordCalls(page, 'orders.change')
  await field(page, 'Placa').fill('ABC1234')
  const people = page.locator('datalist option')
  await expect(people).toHaveCount(3)
  await field(page, 'Técnico').fill('Tina Torres')
  await field(page, 'Data de abertura').fill('31/12/2999')
  await button(page, 'Salvar').click()
  await expectFieldError(field(page, 'Data de abertura'), 'A data de abertura não pode estar no futuro')
  await expect(field(page, 'Data de abertura')).toBeFocused()
  await field(page, 'Data de abertura').fill('02012026')
  await expect(field(page, 'Data de abertura')).toHaveValue('02/01/2026')
  await intercept(page, '**/trpc/orders.change**', (route) => route.abort())
  await button(page, 'Salvar').click()
  await expect(notice(page, 'Erro ao atualizar OS', 'Erro desconhecido')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  sent.length = 0
  await button(page, 'Salvar').click()
  await expect(notice(page, SAVED)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/os/${order.id}$`))
  expect(sent).toEqual([
    {
      id: order.id,
      version: expect.any(Number),
      change: {
        vehicle_plate: 'ABC1234',
        technician_name: 'Tina Torres',
        technician_user_id: fixture.tina.id,
        opened_at: '2026-01-02T03:00:00.000Z',
      },
    },
  ])

  await page.goto(`${product.url}/os/${order.id}/edit`)
  await field(page, 'Técnico').fill('Oficina do Zé')
  sent.length = 0
  await button(page, 'Salvar').click()
  await expect(page).toHaveURL(new RegExp(`/os/${order.id}$`))
  expect(sent).toMatchObject([{ change: { technician_name: 'Oficina do Zé', technician_user_id: null } }])

  await page.goto(`${product.url}/os/999999/edit`)
  await expect(page.getByText('Ordem de serviço não encontrada')).toBeVisible()
  await intercept(page, '**/trpc/**orders.one**', (route) => route.abort())
  await page.goto(`${product.url}/os/${order.id}/edit`)
  await expect(page.getByText('Erro ao carregar ordem de serviço')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Editar OS' })).toBeVisible()
  await expect(button(page, 'Voltar')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await button(page, 'Tentar novamente').click()
  await expect(field(page, 'Técnico')).toHaveValue('Oficina do Zé')
})

test('the page by keyboard; a closed order and another technician’s are read-only (EDP-2 to EDP-4, EDP-7, STA-13, ERR-6)', async ({
  page,
}) => {
  const order = await anOrder({ technician_user_id: fixture.tina.id })
  await editing(page, order, tina)
  await expect(field(page, 'Data de abertura')).toHaveCount(0)
  await typeInto(page, field(page, 'Diagnóstico'), 'Bucha gasta')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(notice(page, SAVED)).toBeVisible()
  await expect(page.getByText('Bucha gasta')).toBeVisible()

  await editing(page, order, teo)
  await expect(page.getByText('Esta OS é de outro técnico: você pode ver, mas não editar.')).toBeVisible()
  await expect(button(page, 'Salvar')).toHaveCount(0)

  await fixture.post(`/service-orders/${order.id}/status/cancelled`)
  await editing(page, order)
  await expect(page.getByText('Esta OS está concluída ou cancelada e não pode ser editada.')).toBeVisible()
  await expect(button(page, 'Salvar')).toHaveCount(0)
  for (const label of ['Marca', 'Empresa', 'Modelo', 'Placa', 'Diagnóstico', 'Valor das peças'])
    await expect(field(page, label)).toBeDisabled()
  const sent = recordCalls(page, 'orders.change')
  await page.keyboard.press('ControlOrMeta+s')
  await tabToAndPress(page, button(page, 'Voltar'))
  await expect(page).toHaveURL(new RegExp(`/os/${order.id}$`))
  expect(sent).toEqual([])
})

test('the two tabs over an existing order, by mouse and by keyboard (MOD-3 to MOD-5, MOD-9, MOD-19, STA-12, STA-24)', async ({
  page,
}) => {
  const order = await anOrder()
  await show(page, `/os/${order.id}`, `OS ${order.os_number}`, tina)
  await button(page, 'Editar').click()
  await expect(dialog(page).getByRole('tab')).toHaveText(['Informações Principais', 'Cliente e Veículo'])
  const status = field(page, 'Status')
  await expect(status.locator('option')).toHaveText([
    'Criada',
    'Pendente',
    'Em Análise',
    'Concluída',
    'Cancelada',
  ])
  await expect(status.locator('option:disabled')).toHaveText(['Concluída', 'Cancelada'])
  await expect(status).toHaveAccessibleDescription(/Concluída: Somente gestores e administradores/)
  await field(page, 'Descrição do problema').fill('')
  await button(page, 'Próximo').click()
  await expect(notice(page, 'Campos obrigatórios', 'Descrição do problema').first()).toBeVisible()
  await field(page, 'Descrição do problema').fill('Não liga')
  await button(page, 'Próximo').click()
  await field(page, 'Telefone').fill('')
  await tab(page, 'Informações Principais').click()
  await button(page, 'Salvar').click()
  await expectFieldError(field(page, 'Telefone'), 'Telefone é obrigatório')
  await expect(field(page, 'Telefone')).toBeFocused()
  await field(page, 'Telefone').fill('1133334444')
  await tab(page, 'Informações Principais').click()
  await status.selectOption('in_analysis')
  const [saved, moved] = [recordCalls(page, 'orders.change'), recordCalls(page, 'orders.setStatus')]
  await button(page, 'Salvar').click()
  await expect(notice(page, SAVED)).toBeVisible()
  await expect(notice(page, 'Status atualizado com sucesso')).toBeVisible()
  expect(saved).toMatchObject([{ change: { status: 'in_analysis', customer_phone: '1133334444' } }])
  expect(moved).toEqual([])
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.locator('.page-header .badge').first()).toHaveText('Em Análise')
  await expect(page.getByText('(11) 3333-4444')).toBeVisible()

  await page.keyboard.press('e')
  await expect(dialog(page)).toBeVisible()
  await tabTo(page, status)
  await page.keyboard.press('ArrowUp')
  await expect(status).toHaveValue('pending')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.locator('.page-header .badge').first()).toHaveText('Pendente')

  await show(page, `/os/${order.id}`, `OS ${order.os_number}`)
  const sent = recordCalls(page, 'orders.change')
  await page.keyboard.press('e')
  await field(page, 'Diagnóstico').fill('Bucha gasta')
  await status.selectOption('cancelled')
  await page.keyboard.press('Escape')
  await expect(button(page, 'Continuar editando')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+s')
  await page.keyboard.press('Enter')
  await expect(confirmDialog(page)).toHaveCount(0)
  expect(sent).toEqual([])
  await page.keyboard.press('ControlOrMeta+s')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(dialog(page).getByLabel('Motivo')).toBeFocused()
  expect(sent).toHaveLength(1)
})

test('two people edit one order: the second sees who changed what and loses nothing (D-49)', async ({
  page,
  browser,
}) => {
  const order = await anOrder({ diagnosis: 'Bucha gasta' })
  const other = await (await browser.newContext()).newPage()
  await editing(page, order)
  await editing(other, order, gil)
  await field(page, 'Diagnóstico').fill('Batente quebrado')
  await field(page, 'Cor').fill('Prata')

  await field(other, 'Diagnóstico').fill('Amortecedor vazando')
  await field(other, 'Valor das peças').fill('350,5')
  await button(other, 'Salvar').click()
  await expect(notice(other, SAVED)).toBeVisible()

  await button(page, 'Salvar').click()
  await expect(confirmDialog(page)).toContainText(/Esta OS foi alterada por Gil Gestor às/)
  const row = (label: string) => confirmDialog(page).getByRole('row', { name: label })
  await expect(row('Diagnóstico').getByRole('cell')).toHaveText([
    /Amortecedor vazando\s*Gil Gestor, /,
    'Batente quebrado',
  ])
  await expect(row('Valor das peças').getByRole('cell')).toHaveText([/R\$ 350,50/, 'não alterado'])
  await button(page, 'Recarregar').click()
  await expect(field(page, 'Diagnóstico')).toHaveValue('Amortecedor vazando')
  await expect(field(page, 'Valor das peças')).toHaveValue('R$ 350,50')
  await expect(field(page, 'Cor')).toHaveValue('Prata')
  await button(page, 'Trazer de volta').click()
  await expect(field(page, 'Diagnóstico')).toHaveValue('Batente quebrado')

  await other.goto(`${product.url}/os/${order.id}/edit`)
  await field(other, 'Diagnóstico').fill('Mola partida')
  await button(other, 'Salvar').click()
  await expect(other).toHaveURL(new RegExp(`/os/${order.id}$`))
  const sent = recordCalls(page, 'orders.change')
  await button(page, 'Salvar').click()
  await expect(row('Diagnóstico').getByRole('cell')).toHaveText([/Mola partida/, 'Batente quebrado'])
  await button(page, 'Manter o meu').click()
  await expect(notice(page, SAVED)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/os/${order.id}$`))
  expect(sent.at(-1)).toMatchObject({
    change: { diagnosis: 'Batente quebrado', vehicle_color: 'Prata' },
  })
  const now = await fixture.get(`/service-orders/${order.id}`)
  expect(now).toMatchObject({ diagnosis: 'Batente quebrado', vehicle_color: 'Prata', parts_value: 350.5 })
  await other.context().close()
})

test('a draft outlives the session, and is gone when discarded (STA-3, D-49)', async ({ page }) => {
  const order = await anOrder()
  await editing(page, order)
  await field(page, 'Diagnóstico').fill('Digitado antes do fim')
  await page.evaluate(() => localStorage.setItem('access_token', 'vencido'))
  await button(page, 'Salvar').click()
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await submitSignIn(page, product.firstSuperuser)
  await expect(page).toHaveURL(new RegExp(`/os/${order.id}/edit$`))
  await expect(page.getByText('Rascunho recuperado.')).toBeVisible()
  await expect(field(page, 'Diagnóstico')).toHaveValue('Digitado antes do fim')
  await button(page, 'Descartar rascunho').click()
  await expect(field(page, 'Diagnóstico')).toHaveValue('')
  await button(page, 'Cancelar').click()
  await expect(page).toHaveURL(new RegExp(`/os/${order.id}$`))
})

test('a saved form leaves no draft, even when the page is left before the form (D-49)', async ({ page }) => {
  const order = await anOrder()
  // Simulates a reload at the time when the URL changes.
  await page.addInitScript(() => {
    const { replaceState } = History.prototype
    History.prototype.replaceState = function (...to) {
      replaceState.apply(this, to)
      if (!/\/os\/\d+$/.test(location.pathname)) return
      dispatchEvent(new Event('pagehide'))
      const kept = Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))
      sessionStorage.setItem('kept', JSON.stringify(kept))
    }
  })
  await editing(page, order)
  await field(page, 'Diagnóstico').fill('Mola partida')
  await button(page, 'Salvar').click()
  await expect(page).toHaveURL(new RegExp(`/os/${order.id}$`))
  expect(await page.evaluate(() => sessionStorage.getItem('kept'))).toBe('[]')
})
