import { expect, test } from '@playwright/test'
import { openSignedIn } from './page-helpers.ts'
import { openProduct, type Product, startProduct } from './product.ts'
import {
  blockProcedures,
  collectPageErrors,
  screenHelpers,
  seedEvidence,
  seedOrderList,
  seedOrders,
  seedPeople,
} from './screens-fixture.ts'
import { auditAtWidth } from './visual-audit.ts'

let product: Product
test.beforeAll(async () => {
  product = await openProduct()
  const scene = await seedPeople(product)
  await seedOrderList(scene)
  await seedEvidence(product, scene, await seedOrders(scene))
})

test('an empty installation: every screen says why it is empty and what to do next', async ({ page }) => {
  const fresh = await startProduct()
  try {
    const complaints = collectPageErrors(page)
    const { audit, open, text } = screenHelpers(page, fresh)
    await open('/login')
    await audit('login')
    await openSignedIn(page, fresh, fresh.firstSuperuser)
    await open('/dashboard')
    await text('Crie a primeira para começar.')
    await audit('dashboard-vazio')
    await open('/lista-os')
    await text('Nenhuma ordem de serviço encontrada')
    await audit('lista-os-nenhuma')
    await open('/compartilhar')
    await text('Nenhum arquivo recebido')
    await audit('compartilhar-vazio')
    await open('/relatorios')
    await expect(page.getByText('Nada no período.')).toHaveCount(3)
    await audit('relatorios-vazio')
    await open('/brands')
    await text('Inicializar Marcas')
    await audit('brands-vazia')
    await open('/companies')
    await audit('companies-nenhuma')
    await open('/ajuda')
    await text('Um manual curto')
    await audit('ajuda')
    await open('/ajuda/evidencias?busca=categoria')
    await text('Trabalhar em um arquivo')
    await audit('ajuda-pagina')
    expect(complaints()).toEqual([])
  } finally {
    await fresh.stop()
  }
})

test('dashboard and list pass the visual audit full, loading, failed and in use (LIST-1 to LIST-22, DASH-1 to DASH-9)', async ({
  page,
}) => {
  test.setTimeout(900_000)
  const complaints = collectPageErrors(page)
  const { audit, open, text, button, dialog, confirmDialog, menu } = screenHelpers(page, product)
  await openSignedIn(page, product, product.firstSuperuser)
  await open('/dashboard')
  await expect(page.getByRole('link', { name: /999999/ })).toBeVisible()
  await expect(page.getByRole('img', { name: /Ordens por marca/ })).toBeVisible()
  await audit('dashboard')
  await button(/^Ver tabela: Distribuição/).click()
  await button('Personalizado').click()
  await audit('dashboard-tabela')

  await open('/relatorios')
  await text('Sem responsável')
  await audit('relatorios')
  await open('/lista-os')
  await text('999999')
  await audit('lista-os')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(dialog.locator('input')).toBeFocused()
  await page.keyboard.type('0002')
  await text('Procurar «0002» na lista de OS')
  // Results of the previous query are dimmed until the new ones arrive.
  await expect(page.locator('.palette-list.is-stale')).toHaveCount(0)
  await audit('busca')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('?')
  await expect(dialog).toContainText('Atalhos de teclado')
  await audit('atalhos')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  await text('O que falta')
  await audit('espiada')
  await page.keyboard.press('Escape')
  await open('/lista-os?page=5')
  await text('000260')
  await audit('lista-os-pagina-5')
  // With many pages the foot of the list is at its widest.
  await auditAtWidth(page, 768, 'lista-os-pagina-5', async () => {})
  await open('/lista-os?search=nada')
  await text('Nenhuma ordem de serviço encontrada')
  await audit('lista-os-vazia')
  await open('/lista-os?status=completed,in_analysis&conversion_status=not_started&min_days_open=1')
  await text('Abertas há 1+ dias')
  await audit('lista-os-filtros')

  await open('/lista-os')
  const boxes = page.getByRole('checkbox', { name: /^Selecionar OS/ }).filter({ visible: true })
  await boxes.nth(1).check()
  await boxes.nth(2).check()
  await audit('lista-os-selecao')
  await button('Mudar status').click()
  await expect(dialog.getByRole('radio').first()).toBeFocused()
  await audit('lista-os-status')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('region', { name: 'Ações em lote' }).getByRole('button', { name: 'Excluir' }).click()
  await expect(confirmDialog).toBeVisible()
  await audit('lista-os-excluir')
  await page.keyboard.press('Escape')
  await expect(confirmDialog).toHaveCount(0)
  await button(/^Responsável$/).click()
  await expect(dialog.getByLabel('Responsável')).toBeVisible()
  await audit('lista-os-atribuir')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.setViewportSize({ width: 390, height: 900 })
  await button('Filtros').click()
  await audit('lista-os-vistas', { prepare: menu('Vistas') })
  await page.keyboard.press('Escape')
  await audit('notificacoes', { prepare: menu(/^Notificações/) })
  await page.keyboard.press('Escape')
  await audit('conta', { prepare: menu(/^Menu de/) })
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 900 })
  await button('Abrir menu').click()
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  await audit('menu')
  await page.keyboard.press('Escape')
  await button('Recolher menu').click()
  await audit('menu-recolhido')
  await button('Expandir menu').click()

  await blockProcedures(
    page,
    ['orderList.page', 'dashboard.attention', 'dashboard.metrics', 'dashboard.recent', 'reports.monthly'],
    'never',
  )
  await open('/relatorios')
  await expect(page.locator('.skeleton').first()).toBeAttached()
  await audit('relatorios-carregando')
  await open('/lista-os')
  await expect(page.locator('.skeleton').first()).toBeAttached()
  await audit('lista-os-carregando')
  await open('/dashboard')
  await expect(page.locator('.skeleton').first()).toBeAttached()
  await audit('dashboard-carregando')
  await blockProcedures(
    page,
    [
      ...['orderList.page', 'dashboard.attention', 'dashboard.metrics', 'dashboard.recent'],
      ...['reports.monthly', 'deadlines.counts', 'claimReports.receivable'],
    ],
    'error',
  )
  await open('/relatorios')
  await text('Erro ao carregar o relatório')
  await audit('relatorios-erro')
  await open('/lista-os')
  await text('Erro ao carregar ordens de serviço')
  await audit('lista-os-erro')
  await open('/dashboard')
  await text('Dados de exemplo')
  await text('Não foi possível contar as ordens.')
  await text('Não foi possível carregar os prazos e os valores a receber.')
  await expect(page.getByRole('img', { name: /Ordens por marca/ })).toBeVisible()
  await audit('dashboard-erro')
  expect(complaints('Failed to load resource')).toEqual([])
})
