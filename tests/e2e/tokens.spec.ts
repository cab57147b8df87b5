import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { expectFieldError, notice, openSignedIn, tabTo, tabToAndPress, typeInto } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
test.beforeAll(async () => {
  product = await openProduct()
})

const statusOf = async (token: string) =>
  (await fetch(`${product.url}/api/v1/users/me`, { headers: { authorization: `Bearer ${token}` } })).status

test('a token is created, copied, used and revoked, by keyboard', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/settings?tab=tokens`)
  const tokens = page.getByRole('list', { name: 'Tokens de API' })
  await expect(tokens).toContainText('Nenhum token criado')

  await typeInto(page, page.getByLabel('Nome'), 'Integração com o ERP')
  await tabToAndPress(page, page.getByRole('button', { name: 'Criar token' }))
  await expectFieldError(page.getByLabel('Permissão'), 'Permissão é obrigatória')
  const scope = page.getByLabel('Permissão')
  await tabTo(page, scope, 'Shift+Tab')
  await page.keyboard.type('Tudo')
  await expect(scope).toHaveValue('all')
  await typeInto(page, page.getByLabel('Endereços permitidos'), '127.0.0.0/33')
  await tabToAndPress(page, page.getByRole('button', { name: 'Criar token' }))
  await expectFieldError(page.getByLabel('Endereços permitidos'), 'Use endereços como 203.0.113.7')
  await typeInto(page, page.getByLabel('Endereços permitidos'), '127.0.0.0/8, ::1')
  await tabTo(page, page.getByLabel('Validade'))
  await page.keyboard.press('ArrowUp')
  await expect(page.getByLabel('Validade')).toHaveValue('30')
  await tabToAndPress(page, page.getByRole('button', { name: 'Criar token' }))
  const shown = page.getByLabel('Token criado')
  await expect(shown).toHaveValue(/^garantia_[\w-]{43}$/)
  const token = await shown.inputValue()
  await tabToAndPress(page, page.getByRole('button', { name: 'Copiar' }))
  await expect(notice(page, 'Token copiado')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag22aa']).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])

  await expect(tokens).toContainText('Integração com o ERP')
  await expect(tokens).toContainText('Tudo o que você pode, menos contas')
  await expect(tokens).toContainText('Só de 127.0.0.0/8, ::1')
  await expect(tokens).toContainText('Nunca usado')
  expect(await statusOf(token)).toBe(200)
  await page.reload()
  await expect(tokens).toContainText(/Usado em \d\d\/\d\d\/\d{4}/)
  await expect(page.getByLabel('Token criado')).toHaveCount(0)
  expect(await page.content()).not.toContain(token)

  await tabToAndPress(page, page.getByRole('button', { name: 'Revogar: Integração com o ERP' }))
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('deixa de ter acesso na hora')
  await expect(question.getByRole('button', { name: 'Cancelar' })).toBeFocused()
  await tabToAndPress(page, question.getByRole('button', { name: 'Revogar' }))
  await expect(notice(page, 'Token revogado')).toBeVisible()
  await expect(tokens).toContainText('Nenhum token criado')
  expect(await statusOf(token)).toBe(401)
})

test('the API is browsed and tried at /docs, offline and under the app’s own CSP', async ({ page }) => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  const externalRequests: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(product.url) && !url.startsWith('data:')) externalRequests.push(url)
  })

  await page.goto(`${product.url}/docs`)
  await expect(page.getByRole('heading', { name: /Garantia/ })).toBeVisible()
  const open = (section: string) => page.getByRole('link', { name: section, exact: true }).click()
  await open('Ordens de serviço')
  await expect(page.getByText('Lista ordens de serviço')).toBeVisible()

  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.locator('#oauth_username').fill(product.firstSuperuser.email)
  await page.locator('#oauth_password').fill(product.firstSuperuser.password)
  await page.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click()
  await page.getByRole('button', { name: 'Close' }).first().click()

  await open('Minha conta')
  await page.getByText('Seus dados e o seu alcance').click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await expect(page.locator('.live-responses-table tbody .response-col_status').first()).toContainText('200')
  await expect(page.locator('.live-responses-table')).toContainText(product.firstSuperuser.email)
  expect(complaints).toEqual([])
  expect(externalRequests).toEqual([])
})
