import { expect, test } from '@playwright/test'
import { photo, text as textFile } from '../support/media.ts'
import { COMPLETE_ORDER, field } from './order-fixture.ts'
import { intercept, openSignedIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import {
  blockProcedures,
  collectPageErrors,
  screenHelpers,
  seedEvidence,
  seedOrders,
  seedPeople,
} from './screens-fixture.ts'
import { temporary } from './ui-steps.ts'

let product: Product
let scene: Awaited<ReturnType<typeof seedPeople>> & Awaited<ReturnType<typeof seedOrders>>
let next = 500
const anOrder = () => scene.fixture.order({ os_number: `000${next++}`, ...COMPLETE_ORDER })
test.beforeAll(async () => {
  product = await openProduct()
  const people = await seedPeople(product)
  const orders = await seedOrders(people)
  await seedEvidence(product, people, orders)
  scene = { ...people, ...orders }
})

test('an order passes the visual audit full, with long texts, loading and failed (OSD-1 to OSD-12, UPL-1, EVI-1)', async ({
  page,
}) => {
  test.setTimeout(900_000)
  const complaints = collectPageErrors(page)
  const { audit, open, text, button, dialog, confirmDialog, menu } = screenHelpers(page, product)
  const [plain, long] = [`/os/${scene.plain}`, `/os/${scene.long}`]
  await openSignedIn(page, product, product.firstSuperuser)
  await open(plain)
  await text('José da Silva')
  await audit('os-geral')
  await audit('os-status', { prepare: menu(/^Alterar status da OS/) })
  await page.getByRole('menuitem', { name: 'Cancelar' }).click()
  await expect(dialog.getByLabel('Motivo')).toBeFocused()
  await audit('os-motivo')
  await button('Voltar').click()
  await expect(dialog).toHaveCount(0)
  await button(/^Alterar status da OS/).click()
  await page.getByRole('menuitem', { name: 'Concluir' }).click()
  await expect(confirmDialog).toBeVisible()
  await audit('os-pendencias')
  await page.keyboard.press('Escape')
  await open(long)
  await text('sem-espaços')
  await audit('os-geral-longa')
  await open(`${long}?tab=historico`)
  await text('Evidência enviada')
  await audit('os-historico-longa')
  await open(`${plain}?tab=evidencias`)
  await text('laudo.pdf')
  await text('Odômetro')
  await expect(page.getByRole('list', { name: 'Pendências' })).toBeVisible()
  await audit('os-evidencias')
  await page.getByLabel('Selecionar laudo.pdf').check()
  await page.getByLabel('Selecionar painel.jpg').check()
  await audit('os-evidencias-selecao')
  await open(`${long}?tab=evidencias`)
  await text(/fotografia-do-chassi/)
  await audit('os-evidencias-longa')
  await button('Upload').click()
  await text('Pacote final até 25 MB.')
  await audit('os-upload')
  await dialog.getByRole('button', { name: 'Fechar' }).click()
  await expect(dialog).toHaveCount(0)
  await button(/^Excluir/)
    .last()
    .click()
  await expect(confirmDialog).toBeVisible()
  await audit('os-evidencia-excluir')
  await open(`/os/${(await anOrder()).id}?tab=evidencias`)
  await text(/Nenhuma evidência|Arraste|Solte/)
  await audit('os-evidencias-vazia')
  await open(`/os/${scene.long}/imprimir`)
  await expect(page.locator('.sheet-checks li').first()).toBeVisible()
  await audit('imprimir-capa-longa')
  await open(`${long}/imprimir?folha=termo`)
  await text('Trindade/PE')
  await audit('imprimir-termo-longo')
  await open(`${long}/imprimir?folha=etiqueta`)
  await text('Folha A4')
  await audit('imprimir-etiqueta')
  await open('/os/9999')
  await text('Ordem de serviço não encontrada')
  await audit('os-ausente')
  await open('/nao-existe')
  await text('Essa página ainda não está disponível.')
  await audit('nao-existe')

  await blockProcedures(page, ['orders.one', 'orders.sheet', 'evidence.list', 'orders.history'], 'never')
  await open(`${plain}/imprimir`)
  await expect(page.locator('.skeleton').first()).toBeAttached()
  await audit('imprimir-carregando')
  await open(plain)
  await expect(page.locator('.skeleton').first()).toBeAttached()
  await audit('os-carregando')
  await page.unrouteAll()
  await blockProcedures(page, ['evidence.list', 'orders.history'], 'never')
  await open(`${plain}?tab=evidencias`)
  await expect(page.locator('.skeleton').first()).toBeAttached()
  await audit('os-evidencias-carregando')
  await blockProcedures(page, ['evidence.list', 'orders.history'], 'error')
  await open(`${plain}?tab=evidencias`)
  await text('Tentar novamente')
  await audit('os-evidencias-erro')
  await open(`${plain}?tab=historico`)
  await text('Tentar novamente')
  await audit('os-historico-erro')
  await blockProcedures(page, ['orders.one', 'orders.sheet'], 'error')
  await open(`${plain}/imprimir`)
  await text('Erro ao carregar a folha')
  await audit('imprimir-erro')
  await open(plain)
  await text('Tentar novamente')
  await audit('os-erro')
  expect(complaints('Failed to load resource')).toEqual([])
})

test('evidence passes the visual audit while uploading, in the viewer, under legal hold and sealed (EVI-12, UPL-3, D-22, D-47, beyond 1.3)', async ({
  page,
}) => {
  test.setTimeout(900_000)
  const { audit, open, text, button, dialog } = screenHelpers(page, product)
  await openSignedIn(page, product, product.firstSuperuser)
  await test.step('the viewer, with a photo, with both its versions and with a video', async () => {
    await open(`/os/${scene.plain}?tab=evidencias`)
    await button('Ver painel.jpg').click()
    const viewer = page.locator('.viewer')
    const picture = viewer.locator('.yarl__slide_current img').first()
    const isLoaded = () => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)
    await expect.poll(isLoaded).toBeGreaterThan(0)
    await audit('visor-foto')
    await page.keyboard.press('o')
    await expect(viewer.locator('.yarl__slide_current figure')).toHaveCount(2)
    await audit('visor-comparado')
    await page.keyboard.press('o')
    await page.keyboard.press('ArrowRight')
    await expect(viewer.getByRole('heading', { name: 'ruido.mp4' })).toBeVisible()
    await expect
      .poll(() =>
        viewer.locator('.yarl__slide_current video').evaluate((video: HTMLVideoElement) => video.readyState),
      )
      .toBeGreaterThan(0)
    await audit('visor-filme')
    await page.keyboard.press('Escape')
  })

  await test.step('the upload tray: in progress, paused, refused and complete', async () => {
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
    await intercept(page, /\/api\/v1\/uploads/, () => undefined)
    await dialog.getByLabel('Categoria de roda.jpg').selectOption({ label: 'Placa do Veículo' })
    await audit('os-upload-escolhidos')
    await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
    await text(/0 de 2 arquivos/)
    await audit('os-upload-enviando')
    await button('Continuar em segundo plano').click()
    const tray = page.getByRole('region', { name: 'Envios', exact: true })
    await tray.locator('.upload-tray-toggle').click()
    await audit('envios-enviando')
    await tray.getByRole('button', { name: 'Pausar todos os envios' }).click()
    await expect(tray).toContainText('Pausado')
    await audit('envios-pausados')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await tray.getByRole('button', { name: 'Continuar todos os envios' }).click()
    await expect(tray).toContainText('1 enviado · 1 recusado')
    await audit('envios-recusados')
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
      await audit('os-dossies-retida', { prepare: () => panel.scrollIntoViewIfNeeded() })
    } finally {
      process.kill(product.workerPid(), 'SIGCONT')
    }
  })
})

test('the forms of an order pass the visual audit refused and filled (MOD-1, EDP-1)', async ({ page }) => {
  test.setTimeout(900_000)
  const complaints = collectPageErrors(page)
  const { audit, open, text, button, dialog, confirmDialog } = screenHelpers(page, product)
  await openSignedIn(page, product, product.firstSuperuser)
  await open('/importar')
  await text('Enviar arquivo')
  await audit('importar')
  await field(page, 'Empresa').selectOption({ index: 1 })
  const csv = `Número da OS;Cliente;Placa;${'Um título de coluna muito comprido '.repeat(3)}\n888001;Maria;ABC;x\n888002;Ana;;y\n`
  await page.getByLabel('Arquivo', { exact: true }).setInputFiles({
    name: 'os.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv),
  })
  await button('Enviar arquivo').click()
  await button('Conferir').click()
  await text('Formato inválido de placa')
  await audit('importar-conferencia')
  await open(`/os/${scene.long}/edit`)
  await expect(page.getByLabel('Diagnóstico')).toBeVisible()
  await audit('os-edit-longa')
  const { id } = await anOrder()
  await open(`/os/${id}`)
  await button('Editar').click()
  await dialog.getByRole('tab', { name: 'Cliente e Veículo' }).click()
  await field(page, 'Chassi').fill('9BGRDO8X04G117974')
  await audit('os-editar-cliente')
  await open(`/os/${id}/edit`)
  await field(page, 'Diagnóstico').fill('Meu diagnóstico')
  await scene.fixture.patch(`/service-orders/${id}`, { diagnosis: 'Diagnóstico de outra pessoa' })
  await button('Salvar').click()
  await expect(confirmDialog).toBeVisible()
  await audit('os-conflito')
  await confirmDialog.getByRole('button', { name: 'Recarregar' }).click()
  await scene.fixture.post(`/service-orders/${id}/status/cancelled`)
  page.once('dialog', (leaving) => leaving.accept())
  await page.reload()
  await text(/não pode ser editada/)
  await audit('os-pagina-fechada')
  expect(complaints('409 (Conflict)')).toEqual([])
})
