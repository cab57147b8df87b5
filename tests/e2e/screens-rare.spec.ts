import { expect, test } from '@playwright/test'
import { picture } from '../support/make.ts'
import { COMPLETE_ORDER, createOrderFixture, type OrderFixture } from './order-fixture.ts'
import { openSignedIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { blockProcedures, holdProcedures, screenHelpers } from './screens-fixture.ts'
import { auditAtWidth } from './visual-audit.ts'

let product: Product
let fixture: OrderFixture
let id: number
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
  id = (await fixture.order({ os_number: '000401', ...COMPLETE_ORDER })).id
  for (const os_number of ['000402', '000403']) await fixture.order({ os_number })
})

test('states that few people see pass the visual audit: dialogs of lists, brands, companies and orders', async ({
  page,
}) => {
  test.setTimeout(600_000)
  const { audit, open, text, button, dialog, confirmDialog } = screenHelpers(page, product)
  await openSignedIn(page, product, product.firstSuperuser)
  const closed = () => expect(page.locator('[role="dialog"], [role="alertdialog"]')).toHaveCount(0)

  await open('/lista-os?status=created')
  await button('Vistas').click()
  await page.getByRole('menuitem', { name: 'Salvar vista…' }).click()
  await button('Salvar').click()
  await expect(dialog.getByRole('alert').first()).toBeVisible()
  await audit('vista-erro')
  await page.keyboard.press('Escape')
  await closed()
  await page.getByRole('checkbox', { name: 'Selecionar OS 000402' }).check()
  await page.getByRole('checkbox', { name: 'Selecionar OS 000403' }).check()
  await button('Mudar status').click()
  await dialog.getByText(/^Concluir/).click()
  await dialog.getByRole('button', { name: 'Mudar status' }).click()
  // The one before fades out meanwhile.
  await expect(dialog.filter({ hasText: '2 OS não foram alteradas' })).toBeVisible()
  await expect(dialog).toHaveCount(1)
  await audit('lista-os-recusadas')
  await page.keyboard.press('Escape')
  await closed()

  await open('/brands')
  await button('Nova marca').click()
  await button('Criar marca').click()
  await expect(dialog.getByRole('alert').first()).toBeVisible()
  await audit('brands-nova-erros')
  await page.keyboard.press('Escape')
  await closed()
  await button('Arquivo').click()
  await page.getByRole('menuitem', { name: 'Importar regras…' }).click()
  await dialog.getByLabel('Arquivo de regras').setInputFiles({
    name: 'regras.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"format":"outro"}'),
  })
  await expect(dialog.getByRole('alert').first()).toBeVisible()
  await audit('brands-importar-erro')
  await page.keyboard.press('Escape')
  await closed()
  await button('Mais ações de Honda').click()
  await page.getByRole('menuitem', { name: 'Desativar' }).click()
  await expect(confirmDialog).toContainText('As 3 OS abertas desta marca')
  await audit('brands-desativar')
  await page.keyboard.press('Escape')
  await closed()

  const companies = (await fixture.get('/companies')).data as { id: number; trading_name: string }[]
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(await picture('png', 600, 200))]), 'logo.png')
  await fetch(`${product.url}/api/v1/companies/${companies[0]?.id}/logo`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.token}` },
    body: form,
  })
  await open('/companies')
  await button(new RegExp(`^Ações de ${companies[0]?.trading_name}$`)).click()
  await page.getByRole('menuitem', { name: 'Editar' }).click()
  await expect(dialog.getByAltText('Logotipo atual')).toBeVisible()
  await audit('companies-logotipo')
  await page.keyboard.press('Escape')
  await closed()

  await open(`/os/${id}`)
  await page.getByLabel('Comentário', { exact: true }).pressSequentially('Ver @t')
  await expect(page.getByRole('option').first()).toBeVisible()
  await audit('os-mencao')
  await page.keyboard.press('Escape')
  await open(`/os/${id}?tab=evidencias`)
  await button('Retenção judicial').click()
  await button('Reter').click()
  await expect(dialog.getByRole('alert').first()).toBeVisible()
  await audit('os-reter-erro')
  await page.keyboard.press('Escape')
  await closed()

  await open('/lista-os')
  await text('000403')
  await page.context().setOffline(true)
  await button('Atualizar').click()
  await text('Sem conexão com o servidor.')
  await audit('sem-servidor')
  await page.context().setOffline(false)
  await open('/companies')
  await button('Adicionar Empresa').first().click()
  await dialog.getByLabel('Nome Fantasia').fill('Auto Norte')
  await dialog.getByLabel('Razão Social').fill('Auto Norte Ltda')
  await dialog.getByLabel('Tipo', { exact: true }).selectOption('matriz')
  await dialog.getByLabel('CNPJ').fill('11.444.777/0001-61')
  // Last, since any call that the screen makes by itself ends the session.
  await page.evaluate(() => localStorage.setItem('access_token', 'vencido'))
  await button('Salvar').click()
  await text('O que você digitou está guardado')
  await audit('login-rascunho')
})

test('what loads for long or fails passes the visual audit on every screen that loads more than one thing', async ({
  page,
}) => {
  test.setTimeout(600_000)
  const { open, text, button } = screenHelpers(page, product)
  await openSignedIn(page, product, product.firstSuperuser)
  const audit = (name: string) => auditAtWidth(page, 1280, name, async () => {})
  const screens: [path: string, procedures: string[], failed: string][] = [
    ['/settings?tab=sessoes', ['account.sessions'], 'Erro ao carregar sessões'],
    ['/settings?tab=seguranca', ['account.factors'], 'Erro ao carregar a segurança'],
    ['/settings?tab=tokens', ['tokens.list'], 'Erro ao carregar tokens'],
    ['/settings?tab=webhooks', ['webhooks.list'], 'Erro ao carregar webhooks'],
    ['/settings?tab=armazenamento', ['quota.usage'], 'Erro ao carregar o armazenamento'],
    ['/settings?tab=auditoria', ['audit.list'], 'Erro ao carregar a auditoria'],
    ['/settings?tab=registro', ['audit.security'], 'Erro ao carregar o registro de segurança'],
    ['/lgpd', ['privacy.requests'], 'Erro ao carregar os pedidos'],
    ['/lgpd?tab=acessos', ['privacy.accesses'], 'Erro ao carregar os acessos'],
    ['/lgpd?tab=registro', ['compliance.register'], 'Erro ao carregar o registro'],
    ['/lgpd?tab=incidentes', ['compliance.incidents'], 'Erro ao carregar os incidentes'],
    ['/lgpd?tab=guarda', ['compliance.customerRetention'], 'Erro ao carregar o prazo de guarda'],
    ['/importar?id=1', ['orderImports.one'], 'Erro ao carregar a importação'],
    [`/os/${id}/edit`, ['orders.one'], 'Erro ao carregar ordem de serviço'],
    [`/os/${id}`, ['comments.list', 'orderList.related'], 'Erro ao carregar comentários'],
    ['/admin', ['users.list'], 'Erro ao carregar usuários'],
  ]
  for (const [path, procedures, failed] of screens)
    await test.step(path, async () => {
      const fail = await holdProcedures(page, procedures)
      await open(path)
      await expect(page.locator('h1, .skeleton, .bp6-spinner').first()).toBeVisible()
      await audit(`${path} loading`)
      fail()
      await text(failed)
      await audit(`${path} failed`)
    })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await blockProcedures(page, ['notifications.list', 'orders.one'], 'error')
  await open('/lista-os')
  await button(/^Notificações/).click()
  await expect(page.getByRole('menu', { name: 'Notificações' })).toBeVisible()
  await audit('bell failed')
  await page.keyboard.press('Escape')
  await page.getByRole('row').nth(1).focus()
  await page.keyboard.press('Space')
  await expect(page.locator('.peek .field-error')).toBeVisible()
  await audit('peek failed')
})
