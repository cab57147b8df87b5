import { expect, test } from '@playwright/test'
import { type Product, startProduct } from '../support/product.ts'
import { comeAs, UNLIMITED } from './people.ts'
import {
  complaintsOf,
  eyes,
  furnishEvidence,
  furnishList,
  furnishOrders,
  furnishPeople,
  withhold,
} from './screens-scene.ts'

let product: Product
test.beforeAll(async () => {
  product = await startProduct(UNLIMITED)
  const scene = await furnishPeople(product)
  await furnishList(scene)
  await furnishEvidence(product, scene, await furnishOrders(scene))
})
test.afterAll(() => product.stop())

test('the first day: every screen says why it is empty and what to do next', async ({ page }) => {
  const fresh = await startProduct(UNLIMITED)
  try {
    const complaints = complaintsOf(page)
    const { seen, open, text } = eyes(page, fresh)
    await open('/login')
    await seen('login')
    await comeAs(page, fresh, fresh.first)
    await open('/dashboard')
    await text('Crie a primeira para começar.')
    await seen('dashboard-vazio')
    await open('/lista-os')
    await text('Nenhuma ordem de serviço encontrada')
    await seen('lista-os-nenhuma')
    await open('/brands')
    await text('Inicializar Marcas')
    await seen('brands-vazia')
    await open('/companies')
    await seen('companies-nenhuma')
    expect(complaints()).toEqual([])
  } finally {
    await fresh.stop()
  }
})

test('dashboard and list are sound full, waiting, failed and in use (LIST-1 to LIST-22, DASH-1 to DASH-9)', async ({
  page,
}) => {
  test.setTimeout(900_000)
  const complaints = complaintsOf(page)
  const { seen, open, text, button, dialog, question, menu } = eyes(page, product)
  await comeAs(page, product, product.first)
  await open('/dashboard')
  await expect(page.getByRole('link', { name: /999999/ })).toBeVisible()
  await expect(page.getByRole('img', { name: /Ordens por marca/ })).toBeVisible()
  await seen('dashboard')
  await button(/^Ver tabela: Distribuição/).click()
  await button('Personalizado').click()
  await seen('dashboard-tabela')

  await open('/lista-os')
  await text('999999')
  await seen('lista-os')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(dialog.locator('input')).toBeFocused()
  await page.keyboard.type('0002')
  await text('Procurar «0002» na lista de OS')
  await seen('busca')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('?')
  await expect(dialog).toContainText('Atalhos de teclado')
  await seen('atalhos')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  await text('O que falta')
  await seen('espiada')
  await page.keyboard.press('Escape')
  await open('/lista-os?page=5')
  await text('000260')
  await seen('lista-os-pagina-5')
  await open('/lista-os?search=nada')
  await text('Nenhuma ordem de serviço encontrada')
  await seen('lista-os-vazia')
  await open('/lista-os?status=completed,in_analysis&conversion_status=not_started&min_days_open=1')
  await text('Abertas há 1+ dias')
  await seen('lista-os-filtros')

  await open('/lista-os')
  const boxes = page.getByRole('checkbox', { name: /^Selecionar OS/ }).filter({ visible: true })
  await boxes.nth(1).check()
  await boxes.nth(2).check()
  await seen('lista-os-selecao')
  await button('Mudar status').click()
  await expect(dialog.getByRole('radio').first()).toBeFocused()
  await seen('lista-os-status')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('region', { name: 'Ações em lote' }).getByRole('button', { name: 'Excluir' }).click()
  await expect(question).toBeVisible()
  await seen('lista-os-excluir')
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await seen('lista-os-vistas', { prepare: menu('Vistas') })
  await page.keyboard.press('Escape')
  await seen('conta', { prepare: menu(/^Menu de/) })
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 900 })
  await button('Abrir menu').click()
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  await seen('menu')
  await page.keyboard.press('Escape')
  await button('Recolher menu').click()
  await seen('menu-recolhido')
  await button('Expandir menu').click()

  await withhold(
    page,
    ['orderList.page', 'orderList.summary', 'dashboard.metrics', 'dashboard.recent'],
    'never',
  )
  await open('/lista-os')
  await expect(page.locator('.skeleton').first()).toBeAttached()
  await seen('lista-os-carregando')
  await open('/dashboard')
  await expect(page.locator('.skeleton').first()).toBeAttached()
  await seen('dashboard-carregando')
  await withhold(
    page,
    ['orderList.page', 'orderList.summary', 'dashboard.metrics', 'dashboard.recent'],
    'error',
  )
  await open('/lista-os')
  await text('Erro ao carregar ordens de serviço')
  await seen('lista-os-erro')
  await open('/dashboard')
  await text('Dados de exemplo')
  await seen('dashboard-erro')
  expect(complaints('Failed to load resource')).toEqual([])
})
