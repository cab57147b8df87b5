import { expect, test } from '@playwright/test'
import { button, createOrderFixture, field, type OrderFixture } from './order-fixture.ts'
import {
  expectFieldError,
  intercept,
  notice,
  openSignedIn,
  recordCalls,
  submitSignIn,
} from './page-helpers.ts'
import { openProduct, type Product, startProduct } from './product.ts'

let product: Product
let fixture: OrderFixture
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
})

test('a save while the server is away loses nothing, and is made when it is back (D-49)', async ({
  page,
  context,
}) => {
  const { id } = await fixture.order({ os_number: '000801' })
  const bar = page.getByText('Sem conexão com o servidor.', { exact: true }).locator('..')
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${id}/edit`)
  await field(page, 'Valor das peças').fill('-5')
  await field(page, 'Quilometragem').fill('-5')
  await field(page, 'Diagnóstico').fill('Bucha gasta')
  await expectFieldError(field(page, 'Valor das peças'), 'O valor não pode ser negativo')
  await expectFieldError(field(page, 'Quilometragem'), 'A quilometragem não pode ser negativa')
  await field(page, 'Valor das peças').fill('350,5')
  await field(page, 'Quilometragem').fill('45210')

  const sent = recordCalls(page, 'orders.change')
  await context.setOffline(true)
  await button(page, 'Salvar').click()
  await expect(bar).toContainText('Nada se perdeu: o que você preencheu será salvo quando a conexão voltar.')
  await expect(field(page, 'Diagnóstico')).toHaveValue('Bucha gasta')
  await field(page, 'Diagnóstico').fill('Bucha gasta e batente solto')
  await expect(page.getByText('Erro ao atualizar OS')).toHaveCount(0)
  await context.setOffline(false)
  await expect(notice(page, 'OS atualizada com sucesso!')).toBeVisible()
  await expect(bar).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(`/os/${id}$`))
  expect(sent).toHaveLength(2)
  expect(await fixture.get(`/service-orders/${id}`)).toMatchObject({
    diagnosis: 'Bucha gasta e batente solto',
    parts_value: 350.5,
    vehicle_mileage: 45_210,
  })

  await page.goto(`${product.url}/os/${id}/edit`)
  await field(page, 'Cor').fill('Prata')
  await page.evaluate(() => localStorage.setItem('access_token', 'vencido'))
  await page.keyboard.press('Control+s')
  await expect(page.getByText('O que você digitou está guardado')).toBeVisible()
  await submitSignIn(page, product.firstSuperuser)
  await expect(field(page, 'Cor')).toHaveValue('Prata')
})

test('a new order whose answer is lost is sent again as it was, and what was typed since waits to be saved (D-80)', async ({
  page,
}) => {
  const sent = recordCalls(page, 'orders.open')
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/nova-os`)
  await field(page, 'Número da OS').fill('000802')
  await field(page, 'Marca').selectOption({ label: 'Honda' })
  await field(page, 'Empresa').selectOption({ label: fixture.matriz })
  await intercept(
    page,
    '**/trpc/orders.open*',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await button(page, 'Criar OS').click()
  await expect(notice(page, 'Erro ao criar OS')).toBeVisible()
  await field(page, 'Diagnóstico').fill('Bucha gasta')
  await button(page, 'Criar OS').click()
  await expect(notice(page, 'OS criada com sucesso!', 'ainda não foi salvo')).toBeVisible()
  await expect(page).toHaveURL(/\/os\/\d+\/edit$/)
  await expect(page.getByText('Rascunho recuperado.')).toBeVisible()
  await expect(field(page, 'Diagnóstico')).toHaveValue('Bucha gasta')
  const [first, again, ...more] = sent
  expect([again, more]).toEqual([first, []])
  const id = new URL(page.url()).pathname.split('/')[2]
  const saved = () => fixture.get(`/service-orders/${id}`)
  expect(await saved()).toMatchObject({ os_number: '000802', diagnosis: null, version: 1 })
  await button(page, 'Salvar').click()
  await expect(notice(page, 'OS atualizada com sucesso!')).toBeVisible()
  expect(await saved()).toMatchObject({ diagnosis: 'Bucha gasta', version: 2 })
})

test('while the server is killed one bar says so, and a comment waits for it (D-49)', async ({ page }) => {
  const own = await startProduct()
  const bar = page.getByText('Sem conexão com o servidor.', { exact: true })
  try {
    const orders = await createOrderFixture(own)
    const { id } = await orders.order({ os_number: '000803' })
    await openSignedIn(page, own, own.firstSuperuser)
    await page.goto(`${own.url}/os/${id}`)
    await page.getByLabel('Comentário', { exact: true }).fill('Peça pedida')
    await page.getByRole('tab', { name: 'Evidências' }).click()
    await expect(page.getByText('Nenhuma evidência enviada')).toBeVisible()
    // Its supervisor would start another one at once.
    process.kill(own.pid, 'SIGSTOP')
    process.kill(own.serverPid(), 'SIGKILL')
    await expect(bar).toBeVisible({ timeout: 20_000 })
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.getByRole('tab', { name: 'Informações Gerais' }).click()
    await page.getByLabel('Comentário', { exact: true }).fill('Peça pedida hoje')
    await button(page, 'Comentar').click()
    await expect(bar.locator('..')).toContainText('Nada se perdeu')
    await expect(page.getByText('Erro ao comentar')).toHaveCount(0)
    process.kill(own.pid, 'SIGCONT')
    await expect(page.getByRole('listitem').filter({ hasText: 'Peça pedida hoje' })).toBeVisible({
      timeout: 30_000,
    })
    await expect(bar).toHaveCount(0)
  } finally {
    process.kill(own.pid, 'SIGCONT')
    await own.stop()
  }
})

test('what was typed in a dialog is back after an expired session (D-49)', async ({ page }) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/companies`)
  await button(page, 'Adicionar Empresa').first().click()
  await field(page, 'Nome Fantasia').fill('Auto Oeste')
  await field(page, 'Razão Social').fill('Auto Oeste Ltda')
  await field(page, 'Tipo').selectOption('matriz')
  await field(page, 'CNPJ').fill('11.444.777/0001-61')
  await page.evaluate(() => localStorage.setItem('access_token', 'vencido'))
  await page.keyboard.press('Control+s')
  await expect(page.getByText('O que você digitou está guardado')).toBeVisible()
  await submitSignIn(page, product.firstSuperuser)
  await button(page, 'Adicionar Empresa').first().click()
  await expect(field(page, 'Nome Fantasia')).toHaveValue('Auto Oeste')
  await expect(notice(page, 'Rascunho recuperado.')).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(notice(page, 'Empresa criada com sucesso.')).toBeVisible()
  await button(page, 'Adicionar Empresa').first().click()
  await expect(field(page, 'Nome Fantasia')).toHaveValue('')
})

test('the name of a view and the reason of a status outlive an expired session (D-49)', async ({ page }) => {
  const { id } = await fixture.order({ os_number: '000790' })
  const dialog = page.getByRole('dialog')
  const expire = () => page.evaluate(() => localStorage.setItem('access_token', 'vencido'))
  const signInAgain = async () => {
    await expect(page.getByText('O que você digitou está guardado')).toBeVisible()
    await submitSignIn(page, product.firstSuperuser)
  }
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/lista-os?status=created`)
  const saveView = async () => {
    await button(page, 'Vistas').click()
    await page.getByRole('menuitem', { name: 'Salvar vista…' }).click()
  }
  await saveView()
  await dialog.getByRole('textbox', { name: 'Nome' }).fill('Abertas da semana')
  await expire()
  await page.keyboard.press('Control+s')
  await signInAgain()
  await saveView()
  await expect(dialog.getByRole('textbox', { name: 'Nome' })).toHaveValue('Abertas da semana')
  await page.keyboard.press('Control+s')
  await expect(notice(page, 'Vista salva', 'Abertas da semana')).toBeVisible()

  await page.goto(`${product.url}/os/${id}`)
  const cancel = async () => {
    await page.getByRole('button', { name: /^Alterar status/ }).click()
    await page.getByRole('menuitem', { name: 'Cancelar' }).click()
  }
  await cancel()
  await dialog.getByLabel('Motivo').fill('Cliente desistiu do reparo')
  await expire()
  await dialog.getByRole('button', { name: 'Cancelar OS' }).click()
  await signInAgain()
  await cancel()
  await expect(dialog.getByLabel('Motivo')).toHaveValue('Cliente desistiu do reparo')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await page.goto(`${product.url}/lista-os`)
  await page
    .getByRole('row', { name: /Selecionar OS/ })
    .first()
    .focus()
  await page.keyboard.press('s')
  await dialog.getByLabel('Motivo').fill('Aguardando a peça')
  await expire()
  await page.keyboard.press('Control+Enter')
  await signInAgain()
  await page
    .getByRole('row', { name: /Selecionar OS/ })
    .first()
    .focus()
  await page.keyboard.press('s')
  await expect(dialog.getByLabel('Motivo')).toHaveValue('Aguardando a peça')
})
