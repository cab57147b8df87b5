import { expect, type Page, test } from '@playwright/test'
import {
  button,
  COMPLETE_ORDER,
  confirmDialog,
  createOrderFixture,
  dialog,
  fact,
  gil,
  type OrderFixture,
  tab,
  teo,
  tina,
} from './order-fixture.ts'
import {
  expectFieldError,
  intercept,
  notice,
  openSignedIn,
  recordCalls,
  tabTo,
  tabToAndPress,
} from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let fixture: OrderFixture
let count = 400
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
})

async function anOrder(fields: object = {}) {
  const os_number = `000${count++}`
  const { id } = await fixture.order({ os_number, ...COMPLETE_ORDER, ...fields })
  return { id, os_number, path: `/os/${id}` }
}
async function show(
  page: Page,
  { path, os_number }: { path: string; os_number: string },
  who = product.firstSuperuser,
) {
  await openSignedIn(page, product, who)
  await page.goto(`${product.url}${path}`)
  await expect(page.getByRole('heading', { name: `OS ${os_number}`, exact: true })).toBeVisible()
}
const badge = (page: Page) => page.locator('.page-header .badge').first()
const statusMenu = (page: Page) => page.getByRole('button', { name: /^Alterar status da OS/ })
const entry = (page: Page, name: string) => page.getByRole('menuitem', { name })
const MOVED = 'Status atualizado com sucesso'

test('the page of an order by mouse (OSD-1 to OSD-5, OSD-7, OSD-9 to OSD-12)', async ({ page }) => {
  const order = await anOrder({ technician_name: 'Tina Torres' })
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/lista-os?search=${order.os_number}`)
  await page.getByRole('button', { name: `Ver OS ${order.os_number}` }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`OS ${order.os_number}`)
  await expect(badge(page)).toHaveText('Criada')
  await expect(page.getByText(`Honda · ${fixture.matriz}`)).toBeVisible()
  await expect(button(page, 'Editar')).toBeEnabled()
  await expect(page.getByRole('tab')).toHaveText([
    'Informações Gerais',
    /^Evidências0?$/,
    'Garantia',
    'Histórico',
  ])

  const facts: [string, string, string | RegExp][] = [
    ['Veículo', 'Modelo', 'Civic Touring'],
    ['Veículo', 'Ano', '2022'],
    ['Veículo', 'Cor', 'Prata'],
    ['Veículo', 'Placa', 'ABC-1234'],
    ['Veículo', 'Quilometragem', '45.210 km'],
    ['Veículo', 'Chassi', /^•{11}117974/],
    ['Cliente', 'Nome', 'José da Silva'],
    ['Cliente', 'Email', 'jose@exemplo.com.br'],
    ['Cliente', 'Telefone', '(11) 98765-4321'],
    ['Cliente', 'CPF/CNPJ', '529.982.247-25'],
    ['Problema', 'Descrição', 'Ruído na suspensão dianteira'],
    ['Problema', 'Diagnóstico', 'Bucha gasta'],
    ['Problema', 'Solução aplicada', 'Troca da bucha'],
    ['Valores & Datas', 'Valor do veículo', 'R$ 150.000,00'],
    ['Valores & Datas', 'Valor total', 'R$ 1.550,50'],
    ['Valores & Datas', 'Abertura', /^\d{2}\/\d{2}\/\d{4}$/],
    ['Valores & Datas', 'Conclusão', '—'],
    ['Valores & Datas', 'Técnico', 'Tina Torres'],
  ]
  for (const [card, name, text] of facts) await expect(fact(page, card, name)).toHaveText(text)

  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  await tab(page, 'Histórico').click()
  await expect(page).toHaveURL(/tab=historico/)
  await expect(page.getByText('OS aberta')).toBeVisible()
  expect(scripts.some((url) => /history-tab/.test(url))).toBe(true)
  await page.getByRole('link', { name: 'Voltar para a lista' }).click()
  await expect(page).toHaveURL(new RegExp(`/lista-os\\?search=${order.os_number}$`))

  await page.goto(`${product.url}${order.path}`)
  await page.getByRole('link', { name: 'Voltar para a lista' }).click()
  await expect(page).toHaveURL(/\/lista-os$/)
})

test('values are copied with one press, the chassis is revealed, the customer is written to, other orders are beside', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const earlier = await anOrder({ vehicle_chassis: '9BGRD08X04G555555', vehicle_plate: null })
  const order = await anOrder({
    vehicle_chassis: '9BGRD08X04G555555',
    vehicle_plate: 'QWE4R56',
    parts_replaced: 'Bucha da bandeja',
    customer_document: '11144477735',
  })
  await show(page, order)
  await expect(fact(page, 'Problema', 'Peças substituídas')).toHaveText('Bucha da bandeja')
  await expect(fact(page, 'Valores & Datas', 'Valor das peças')).toHaveText('R$ 1.200,50')
  const copied = async (name: string) => {
    await button(page, `Copiar ${name}`).click()
    await expect(page.getByRole('status').filter({ hasText: 'Copiado' })).toHaveCount(1)
    await expect(page.getByRole('status').filter({ hasText: 'Copiado' })).toHaveCount(0)
    return page.evaluate(() => navigator.clipboard.readText())
  }
  expect(await copied('número da OS')).toBe(order.os_number)
  expect(await copied('placa')).toBe('QWE4R56')
  expect(await copied('chassi')).toBe('9BGRD08X04G555555')
  expect(await copied('CPF ou CNPJ')).toBe('111.444.777-35')
  expect(await copied('telefone')).toBe('11987654321')
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await tabToAndPress(page, button(page, 'Copiar telefone'))
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('11987654321')
  await expect(fact(page, 'Veículo', 'Chassi')).toContainText('555555')
  await expect(fact(page, 'Veículo', 'Chassi')).not.toContainText('9BGRD08X04G')
  await button(page, 'Mostrar o chassi inteiro').press('Enter')
  await expect(fact(page, 'Veículo', 'Chassi')).toContainText('9BGRD08X04G555555')

  const phone = fact(page, 'Cliente', 'Telefone')
  await expect(phone.getByRole('link')).toHaveAttribute('href', 'tel:+5511987654321')
  await context.route('https://wa.me/**', (route) => route.fulfill({ body: '' }))
  await tabToAndPress(page, button(page, 'Mensagem por WhatsApp'))
  const opened = context.waitForEvent('page')
  await page.getByRole('menuitem', { name: 'Veículo pronto' }).press('Enter')
  await expect(await opened).toHaveURL(/^https:\/\/wa\.me\/5511987654321\?text=Ol/)

  const others = page.getByRole('region', { name: 'Outras OS' })
  await expect(others.getByRole('link')).toHaveText([`OS ${earlier.os_number}`])
  await others.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`OS ${earlier.os_number}`)
})

test('a technician sees the customer of a colleague masked in list, preview and page, and reveals with one press (D-86)', async ({
  page,
}) => {
  const order = await anOrder({
    technician_user_id: fixture.teo.id,
    customer_phone: '11987654321',
    customer_document: '11144477735',
  })
  await openSignedIn(page, product, tina)
  await page.goto(`${product.url}/lista-os?search=11144477735`)
  await button(page, `Espiar OS ${order.os_number}`).press('Enter')
  const peek = page.locator('.peek-facts')
  await expect(peek).toContainText('•••••••4321')
  await button(page, 'Mostrar o telefone inteiro').click()
  await expect(peek).toContainText('(11) 98765-4321')

  const calls = recordCalls(page, 'orders.reveal')
  await page.goto(`${product.url}${order.path}`)
  const document = fact(page, 'Cliente', 'CPF/CNPJ')
  await expect(document).toContainText('•••••••7735')
  await tabToAndPress(page, button(page, 'Mostrar o CPF ou CNPJ inteiro'))
  await expect(document).toContainText('111.444.777-35')
  await expect(fact(page, 'Cliente', 'Telefone')).toContainText('•••••••4321')
  expect(calls).toHaveLength(1)
})

test('a comment mentions a person, who is told, by keyboard alone', async ({ page }) => {
  const order = await anOrder()
  await show(page, order, gil)
  const field = page.getByLabel('Comentário', { exact: true })
  await tabTo(page, field)
  await page.keyboard.type('Falta a placa, @tin')
  await expect(page.getByRole('option')).toHaveText(['Tina Torres'])
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('Falta a placa, @Tina Torres ')
  await page.keyboard.press('ControlOrMeta+Enter')
  const comments = page.getByRole('region', { name: 'Comentários' })
  await expect(comments.getByRole('listitem')).toContainText(['Falta a placa, @Tina Torres'])
  await expect(field).toHaveValue('')
  await tab(page, 'Histórico').click()
  await expect(page.locator('.timeline-event').first()).toContainText('Comentário')

  await openSignedIn(page, product, tina)
  await page.goto(`${product.url}/lista-os`)
  const bell = page.getByRole('button', { name: 'Notificações: 1 não lida' })
  await tabToAndPress(page, bell)
  const notification = page.getByRole('menuitem', {
    name: `Gil Gestor mencionou você em um comentário na OS ${order.os_number}`,
  })
  await expect(notification).toBeVisible()
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(notification).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`OS ${order.os_number}`)
  await expect(page.getByRole('button', { name: 'Notificações', exact: true })).toBeVisible()
})

test('an order that does not exist, and one that cannot be loaded (OSD-6, OSD-13, ERR-6)', async ({
  page,
}) => {
  const order = await anOrder()
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/999999`)
  await expect(page.getByText('Ordem de serviço não encontrada')).toBeVisible()
  await intercept(page, '**/trpc/**orders.one**', (route) => route.abort())
  await page.goto(`${product.url}${order.path}`)
  await expect(page.getByText('Erro ao carregar ordem de serviço')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ordem de serviço' })).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await button(page, 'Tentar novamente').click()
  await expect(page.getByRole('heading', { name: `OS ${order.os_number}` })).toBeVisible()

  // Parts of it, each with its own way to ask again.
  const others = page.getByRole('region', { name: 'Outras OS' })
  const PARTS = /trpc\/.*(orderList\.related|evidence\.checklist|brands\.evidenceRules|retention\.holdOf)/
  await intercept(page, PARTS, (route) => route.abort())
  await page.goto(`${product.url}${order.path}`)
  await expect(others).toContainText('Erro ao carregar outras OS')
  await page.unrouteAll({ behavior: 'wait' })
  await others.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(others).toContainText('Deste veículo')
  await intercept(page, PARTS, (route) => route.abort())
  await page.goto(`${product.url}${order.path}?tab=evidencias`)
  const failed = page.getByRole('alert').filter({
    hasText: 'Não foi possível carregar o que a marca exige, as pendências e a retenção judicial.',
  })
  await expect(failed).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await failed.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(failed).toHaveCount(0)
  await expect(button(page, 'Retenção judicial')).toBeVisible()
})

test('the lifecycle of an order by mouse: on hold, completed with problems, reopened, deleted (OSD-5, OSD-8, STA-12, STA-13, STA-24, D-10)', async ({
  page,
}) => {
  const order = await anOrder()
  await show(page, order)
  await statusMenu(page).click()
  await entry(page, 'Colocar em análise').click()
  await expect(notice(page, MOVED)).toBeVisible()
  await expect(badge(page)).toHaveText('Em Análise')
  const sent = recordCalls(page, 'orders.setStatus')
  await statusMenu(page).click()
  await entry(page, 'Concluir').click()
  await expect(notice(page, 'Problemas na validação', 'Envie ao menos uma evidência')).toBeVisible()
  await expect(confirmDialog(page)).toContainText(`Concluir OS ${order.os_number} com pendências?`)
  await expect(confirmDialog(page).getByRole('listitem').first()).toHaveText('Envie ao menos uma evidência')
  const complete = confirmDialog(page).getByRole('button', { name: 'Concluir assim mesmo' })
  const why = confirmDialog(page).getByLabel('Motivo')
  await complete.click()
  await expectFieldError(why, 'Informe o motivo para concluir com pendências')
  await why.fill('A montadora dispensou as fotos')
  await complete.click()
  await expect(badge(page)).toHaveText('Concluída')
  expect(sent).toMatchObject([{ status: 'completed' }, { status: 'completed', accepts_problems: true }])
  await expect(button(page, 'Editar')).toBeDisabled()
  await expect(button(page, 'Editar')).toHaveAttribute('title', /não pode ser editada/)
  await expect(fact(page, 'Valores & Datas', 'Conclusão')).toHaveText(/^\d{2}\/\d{2}\/\d{4}$/)

  await statusMenu(page).click()
  await expect(entry(page, 'Pendente')).toHaveAttribute('aria-disabled', 'true')
  await expect(entry(page, 'Pendente')).toContainText(
    'Transição de status não permitida: Concluída → Pendente',
  )
  await entry(page, 'Reabrir').click()
  await dialog(page).getByRole('button', { name: 'Reabrir OS' }).click()
  await expectFieldError(dialog(page).getByLabel('Motivo'), 'Informe o motivo para reabrir a OS')
  await dialog(page).getByLabel('Motivo').fill('Cliente voltou com o mesmo ruído')
  // The badge shows the new status before the server has answered.
  const reopened = page.waitForResponse(/orders\.setStatus/)
  await dialog(page).getByRole('button', { name: 'Reabrir OS' }).click()
  await reopened
  await expect(badge(page)).toHaveText('Em Análise')
  await expect(button(page, 'Editar')).toBeEnabled()
  await fixture.patch(`/service-orders/${order.id}`, { parts_value: 2000, vehicle_color: null })

  await tab(page, 'Histórico').click()
  await expect(
    page.getByText('Histórico em desenvolvimento: novos tipos de evento serão incluídos.'),
  ).toBeVisible()
  await page.reload()
  // A job seals the dossier, before or after the following events.
  const events = page.locator('.timeline-event').filter({ hasNotText: 'Dossiê' })
  await expect(events).toHaveText([
    /Dados alterados.*Valor das peçasde R\$ 1\.200,50 → para R\$ 2\.000,00Corde Prata → para —/,
    /Status alterado.*de Concluída → para Em Análise.*MotivoCliente voltou com o mesmo ruído/,
    /Status alterado.*de Em Análise → para Concluída.*MotivoA montadora dispensou as fotos.*Pendências aceitasEnvie ao menos uma evidência/,
    /Status alterado.*de Criada → para Em Análise/,
    new RegExp(`OS aberta.*Número da OS${order.os_number}`),
  ])
  await page.getByLabel('Mostrar').selectOption({ label: 'Status' })
  await expect(events).toHaveCount(3)

  await button(page, `Ações da OS ${order.os_number}`).click()
  await page.getByRole('menuitem', { name: 'Excluir' }).click()
  await expect(confirmDialog(page)).toContainText('Esta ação não pode ser desfeita.')
  await confirmDialog(page).getByRole('button', { name: 'Excluir', exact: true }).click()
  await expect(page).toHaveURL(/\/lista-os/)
  await page.goto(`${product.url}${order.path}`)
  await expect(page.getByText('Ordem de serviço não encontrada')).toBeVisible()
})

test('the page by keyboard alone; actions without permission are absent (OSD-3, OSD-5, OSD-7, OSD-8, STA-24, D-38)', async ({
  page,
}) => {
  const order = await anOrder({ technician_user_id: fixture.tina.id })
  for (let i = 0; i < 16; i++)
    for (const vehicle_color of ['Prata', 'Preto'])
      await fixture.patch(`/service-orders/${order.id}`, { vehicle_color })
  await show(page, order, gil)
  await tabToAndPress(page, statusMenu(page))
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(entry(page, 'Cancelar')).toBeFocused()
  // A slow key press: the key is released when the menu has closed and its button has the focus.
  await page.keyboard.down('Enter')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.keyboard.up('Enter')
  await expect(dialog(page).getByLabel('Motivo')).toBeFocused()
  await expect(page.locator('.status-menu')).toHaveCount(0)
  await page.keyboard.type('Cliente desistiu')
  await tabToAndPress(page, button(page, 'Cancelar OS'))
  await expect(notice(page, MOVED)).toBeVisible()
  await expect(badge(page)).toHaveText('Cancelada')
  await page.keyboard.press('e')
  await expect(dialog(page)).toHaveCount(0)
  await page.keyboard.press('Alt+2')
  await expect(tab(page, /Evidências/)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Alt+4')
  await expect(page.locator('.timeline-event')).toHaveCount(30)
  await tabToAndPress(page, button(page, 'Carregar mais'))
  await expect(page.locator('.timeline-event').nth(30)).toBeFocused()
  await expect(page.getByText('OS aberta')).toBeVisible()
  await page.keyboard.press('Alt+1')
  await expect(fact(page, 'Veículo', 'Cor')).toHaveText('Preto')
  await statusMenu(page).click()
  await expect(entry(page, 'Reabrir')).toContainText('Somente administradores podem reabrir uma OS')

  await show(page, order, teo)
  await expect(tab(page, 'Histórico')).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Editar|Alterar status|Ações da OS)/ })).toHaveCount(0)
})
