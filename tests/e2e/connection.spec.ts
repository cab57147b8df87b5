import { expect, test } from '@playwright/test'
import { button, createOrderFixture, field, type OrderFixture } from './order-fixture.ts'
import { expectFieldError, notice, openSignedIn, recordCalls, submitSignIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

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
  await expect(notice(page, 'Erro ao atualizar OS', 'Erro desconhecido')).toBeVisible()
  await expect(field(page, 'Diagnóstico')).toHaveValue('Bucha gasta')
  await field(page, 'Diagnóstico').fill('Bucha gasta e batente solto')
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
  await button(page, 'Salvar').click()
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
  await page.route(
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
