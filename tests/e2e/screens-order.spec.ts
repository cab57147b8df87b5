import { expect, test } from '@playwright/test'
import { photo, text as textFile } from '../support/media.ts'
import { type Product, startProduct } from '../support/product.ts'
import { temporary } from './clerk.ts'
import { field, WHOLE } from './order-desk.ts'
import { comeAs, UNLIMITED } from './people.ts'
import {
  complaintsOf,
  eyes,
  furnishEvidence,
  furnishOrders,
  furnishPeople,
  withhold,
} from './screens-scene.ts'

let product: Product
let scene: Awaited<ReturnType<typeof furnishPeople>> & Awaited<ReturnType<typeof furnishOrders>>
let next = 500
const anOrder = () => scene.desk.order({ os_number: `000${next++}`, ...WHOLE })
test.beforeAll(async () => {
  product = await startProduct(UNLIMITED)
  const people = await furnishPeople(product)
  const orders = await furnishOrders(people)
  await furnishEvidence(product, people, orders)
  scene = { ...people, ...orders }
})
test.afterAll(() => product.stop())

test('an order is sound full, with long texts, waiting and failed (OSD-1 to OSD-12, UPL-1, EVI-1)', async ({
  page,
}) => {
  test.setTimeout(900_000)
  const complaints = complaintsOf(page)
  const { seen, open, text, button, dialog, question, menu } = eyes(page, product)
  const [plain, long] = [`/os/${scene.plain}`, `/os/${scene.long}`]
  await comeAs(page, product, product.first)
  await open(plain)
  await text('José da Silva')
  await seen('os-geral')
  await seen('os-status', { prepare: menu(/^Alterar status da OS/) })
  await page.getByRole('menuitem', { name: 'Cancelar' }).click()
  await expect(dialog.getByLabel('Motivo')).toBeFocused()
  await seen('os-motivo')
  await button('Voltar').click()
  await expect(dialog).toHaveCount(0)
  await button(/^Alterar status da OS/).click()
  await page.getByRole('menuitem', { name: 'Concluir' }).click()
  await expect(question).toBeVisible()
  await seen('os-pendencias')
  await page.keyboard.press('Escape')
  await open(long)
  await text('sem-espaços')
  await seen('os-geral-longa')
  await open(`${long}?tab=historico`)
  await text('Evidência enviada')
  await seen('os-historico-longa')
  await open(`${plain}?tab=evidencias`)
  await text('laudo.pdf')
  await text('Odômetro')
  await expect(page.getByRole('list', { name: 'Pendências' })).toBeVisible()
  await seen('os-evidencias')
  await open(`${long}?tab=evidencias`)
  await text(/fotografia-do-chassi/)
  await seen('os-evidencias-longa')
  await button('Upload').click()
  await text('Pacote final até 25 MB.')
  await seen('os-upload')
  await dialog.getByRole('button', { name: 'Fechar' }).click()
  await expect(dialog).toHaveCount(0)
  await button(/^Excluir/)
    .last()
    .click()
  await expect(question).toBeVisible()
  await seen('os-evidencia-excluir')
  await open(`/os/${(await anOrder()).id}?tab=evidencias`)
  await text(/Nenhuma evidência|Arraste|Solte/)
  await seen('os-evidencias-vazia')
  await open('/os/9999')
  await text('Ordem de serviço não encontrada')
  await seen('os-ausente')
  await open('/nao-existe')
  await text('Essa página ainda não está disponível.')
  await seen('nao-existe')

  await withhold(page, ['orders.one', 'evidence.list', 'orders.history'], 'never')
  await open(plain)
  await expect(page.locator('.skeleton').first()).toBeAttached()
  await seen('os-carregando')
  await page.unrouteAll()
  await withhold(page, ['evidence.list', 'orders.history'], 'never')
  await open(`${plain}?tab=evidencias`)
  await expect(page.locator('.skeleton').first()).toBeAttached()
  await seen('os-evidencias-carregando')
  await withhold(page, ['evidence.list', 'orders.history'], 'error')
  await open(`${plain}?tab=evidencias`)
  await text('Tentar novamente')
  await seen('os-evidencias-erro')
  await open(`${plain}?tab=historico`)
  await text('Tentar novamente')
  await seen('os-historico-erro')
  await withhold(page, ['orders.one'], 'error')
  await open(plain)
  await text('Tentar novamente')
  await seen('os-erro')
  expect(complaints('Failed to load resource')).toEqual([])
})

test('evidence is sound while it is sent, looked at, held and sealed (EVI-12, UPL-3, D-22, D-47, beyond 1.3)', async ({
  page,
}) => {
  test.setTimeout(900_000)
  const { seen, open, text, button, dialog } = eyes(page, product)
  await comeAs(page, product, product.first)
  await test.step('the viewer, with a photo, with both its versions and with a film', async () => {
    await open(`/os/${scene.plain}?tab=evidencias`)
    await button('Ver painel.jpg').click()
    const viewer = page.locator('.viewer')
    const picture = viewer.locator('.yarl__slide_current img').first()
    const isLoaded = () => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)
    await expect.poll(isLoaded).toBeGreaterThan(0)
    await seen('visor-foto')
    await page.keyboard.press('o')
    await expect(viewer.locator('.yarl__slide_current figure')).toHaveCount(2)
    await seen('visor-comparado')
    await page.keyboard.press('o')
    await page.keyboard.press('ArrowRight')
    await expect(viewer.getByRole('heading', { name: 'ruido.mp4' })).toBeVisible()
    await expect
      .poll(() =>
        viewer.locator('.yarl__slide_current video').evaluate((film: HTMLVideoElement) => film.readyState),
      )
      .toBeGreaterThan(0)
    await seen('visor-filme')
    await page.keyboard.press('Escape')
  })

  await test.step('what is sent: on its way, held, refused and arrived', async () => {
    const { id } = await anOrder()
    await open(`/os/${id}?tab=evidencias`)
    await button('Upload').first().click()
    const dir = await temporary()
    await dialog
      .locator('input[type=file]')
      .first()
      .setInputFiles([
        await photo(dir, { name: 'roda' }),
        await textFile(dir, 'nota.jpg', 'isto não é uma foto'),
      ])
    await page.route(/\/api\/v1\/uploads/, () => undefined)
    await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
    await text(/0 de 2 arquivos/)
    await seen('os-upload-enviando')
    await button('Continuar em segundo plano').click()
    const tray = page.getByRole('region', { name: 'Envios', exact: true })
    await tray.locator('.upload-tray-toggle').click()
    await seen('envios-enviando')
    await tray.getByRole('button', { name: 'Pausar todos os envios' }).click()
    await expect(tray).toContainText('Pausado')
    await seen('envios-pausados')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await tray.getByRole('button', { name: 'Continuar todos os envios' }).click()
    await expect(tray).toContainText('1 enviado · 1 recusado')
    await seen('envios-recusados')
    await tray.getByRole('button', { name: 'Limpar concluídos' }).click()
  })

  await test.step('dossiers: one in the queue and one sealed, of an order under legal hold', async () => {
    await open(`/os/${scene.plain}?tab=evidencias`)
    const panel = page.getByRole('region', { name: 'Dossiê', exact: true })
    const build = () => panel.getByRole('button', { name: 'Gerar dossiê' }).click()
    await build()
    await expect(panel.getByText('Selado')).toBeVisible({ timeout: 60_000 })
    await button('Retenção judicial').click()
    await dialog.getByLabel('Motivo').fill('Processo 0001234-56.2026')
    await dialog.getByRole('button', { name: 'Reter' }).click()
    await text('Processo 0001234-56.2026')
    process.kill(product.workerPid(), 'SIGSTOP')
    try {
      await build()
      await expect(panel.getByText('Na fila')).toBeVisible()
      await panel.scrollIntoViewIfNeeded()
      await seen('os-dossies-retida', { prepare: () => panel.scrollIntoViewIfNeeded() })
    } finally {
      process.kill(product.workerPid(), 'SIGCONT')
    }
  })
})

test('the forms of an order are sound empty, refused and filled (NEW-1, MOD-1, EDP-1)', async ({ page }) => {
  test.setTimeout(900_000)
  const complaints = complaintsOf(page)
  const { seen, open, text, button, dialog, question } = eyes(page, product)
  await comeAs(page, product, product.first)
  await open('/nova-os')
  await button('Criar OS').click()
  await text('Número da OS é obrigatório')
  await seen('nova-os-erros')
  await open(`/os/${scene.long}/edit`)
  await expect(page.getByLabel('Diagnóstico')).toBeVisible()
  await seen('os-edit-longa')
  await open('/lista-os')
  await button('Nova OS').click()
  await dialog.getByRole('button', { name: 'Próximo' }).click()
  await expect(dialog.getByText('Número da OS é obrigatório')).toBeVisible()
  await seen('nova-os-dialogo')
  await page.keyboard.press('Escape')
  const { id } = await anOrder()
  await open(`/os/${id}`)
  await button('Editar').click()
  await dialog.getByRole('tab', { name: 'Cliente e Veículo' }).click()
  await field(page, 'Chassi').fill('9BGRDO8X04G117974')
  await seen('os-editar-cliente')
  await open(`/os/${id}/edit`)
  await field(page, 'Diagnóstico').fill('Meu diagnóstico')
  await scene.desk.patch(`/service-orders/${id}`, { diagnosis: 'Diagnóstico de outra pessoa' })
  await button('Salvar').click()
  await expect(question).toBeVisible()
  await seen('os-conflito')
  await question.getByRole('button', { name: 'Recarregar' }).click()
  await scene.desk.post(`/service-orders/${id}/status/cancelled`)
  page.once('dialog', (leaving) => leaving.accept())
  await page.reload()
  await text(/não pode ser editada/)
  await seen('os-pagina-fechada')
  expect(complaints('409 (Conflict)')).toEqual([])
})
