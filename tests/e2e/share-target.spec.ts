import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { pdf, photo } from '../support/media.ts'
import { button, createOrderFixture, dialog, type OrderFixture, teo, tina } from './order-fixture.ts'
import { openSignedIn, storedToken, submitSignIn, tabToAndPress } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { newPhonePage, smallTargets } from './touch.ts'
import { temporary } from './ui-steps.ts'
import { auditAllViewports } from './visual-audit.ts'

test.use({ serviceWorkers: 'allow' })

let product: Product
let fixture: OrderFixture
let paths: string[]
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
  const dir = await temporary()
  paths = [await photo(dir, { name: 'painel', width: 1600, height: 1200 }), await pdf(dir)]
})

const at = (path: string) => `${product.url}${path}`
const received = (page: Page) => page.getByRole('list', { name: 'Arquivos recebidos' }).getByRole('listitem')
const confirmShared = (page: Page) => button(page, 'Sim, usar').tap()
const orderButton = (page: Page, os_number: string) =>
  page.getByRole('button', { name: new RegExp(`^OS ${os_number}`) })
const chosen = (page: Page) =>
  dialog(page).getByRole('list', { name: 'Arquivos escolhidos' }).getByRole('listitem')
const filesOf = async (id: number): Promise<EvidenceFile[]> =>
  (await fixture.get(`/evidence/${id}/evidence`)).evidence_files

/** A phone's page that its service worker serves, as the installed app's are; of nobody, whose session has expired, too. */
async function inApp(browser: Browser, who: typeof tina | null) {
  const page = await newPhonePage(browser)
  await openSignedIn(page, product, who ?? tina)
  await page.goto(at('/lista-os'))
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null))
  if (!who) await page.evaluate(() => localStorage.removeItem('access_token'))
  await page.reload()
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  return page
}

/** What the system sends when files are shared with the app. */
async function share(page: Page, files: string[]) {
  await page.evaluate(() => {
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', enctype: 'multipart/form-data', action: '/compartilhar' })
    const input = document.createElement('input')
    Object.assign(input, { type: 'file', multiple: true, name: 'files', id: 'compartilhados' })
    form.append(input)
    document.body.append(form)
  })
  await page.locator('#compartilhados').setInputFiles(files)
  await page.locator('form:has(#compartilhados)').evaluate((form: HTMLFormElement) => form.submit())
  await expect(page).toHaveURL(/\/(compartilhar|login)/)
}

test('files that another app shares are sent to the order that is chosen, whole and with a category', async ({
  browser,
}) => {
  const order = await fixture.order({ os_number: '000901', vehicle_plate: 'BRA2E19', customer_name: 'Ana' })
  const closed = await fixture.order({ os_number: '000902' })
  await fixture.patch(`/service-orders/${closed.id}`, { status: 'cancelled' })
  const ofTeo = await fixture.order({ os_number: '000903', technician_user_id: fixture.teo.id })
  const page = await inApp(browser, tina)
  for (const { id } of [order, closed, ofTeo]) {
    await page.goto(at(`/os/${id}`))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect
      .poll(() => page.evaluate(() => Object.entries(localStorage).find(([key]) => key.startsWith('recent'))))
      .toContainEqual(expect.stringMatching(new RegExp(`^${id}\\b`)))
  }

  await share(page, paths)
  await expect(received(page)).toHaveCount(2)
  await expect(received(page).filter({ hasText: 'painel.jpg' }).locator('img')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Foi você quem compartilhou?' })).toContainText(
    'de outro app deste aparelho ou de um site que não disse o nome',
  )
  await expect(page.getByRole('searchbox', { name: 'Procurar OS' })).toBeHidden()
  await confirmShared(page)
  await expect(page.getByText('Abertas há pouco')).toBeVisible()
  await expect(orderButton(page, '000901')).toBeEnabled()
  await expect(orderButton(page, '000902')).toBeDisabled()
  await expect(orderButton(page, '000902')).toContainText('OS concluída ou cancelada não pode ser editada.')
  await expect(orderButton(page, '000903')).toBeDisabled()
  await expect(orderButton(page, '000903')).toContainText('Esta OS é de outro técnico.')
  await auditAllViewports(page, 'compartilhar')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await smallTargets(page, '.share')).toEqual([])

  await button(page, 'Remover laudo.pdf da lista').tap()
  await expect(received(page)).toHaveCount(1)
  await page.reload()
  await expect(received(page)).toHaveCount(1)

  const search = page.getByRole('searchbox', { name: 'Procurar OS' })
  await search.fill('não existe')
  await expect(page.getByText('Nenhuma ordem de serviço encontrada para «não existe».')).toBeVisible()
  await search.fill('bra2e19')
  await expect(page.getByText('Encontradas')).toBeVisible()
  await orderButton(page, '000901').dblclick()

  await expect(page).toHaveURL(at(`/os/${order.id}?tab=evidencias`))
  await expect(chosen(page)).toHaveCount(1)
  await expect(chosen(page)).toContainText('painel.jpg')
  await dialog(page).getByLabel('Categoria', { exact: true }).selectOption({ label: 'Odômetro' })
  await button(page, 'Enviar').tap()
  await expect(dialog(page)).toBeHidden({ timeout: 60_000 })
  const [file, ...others] = await filesOf(order.id)
  expect(others).toEqual([])
  expect(file).toMatchObject({ original_filename: 'painel.jpg', evidence_category: 'odometro' })
  const stored = await fetch(at(`/api/v1/evidence/${file?.id}/download?original=true`), {
    headers: { authorization: `Bearer ${fixture.token}` },
  })
  expect(Buffer.from(await stored.arrayBuffer()).equals(await readFile(paths[0] ?? ''))).toBe(true)

  await page.goBack()
  await expect(page.getByText('Nenhum arquivo recebido')).toBeVisible()
  await page.context().close()
})

test('without network the orders opened last are there, and the files wait for one', async ({ browser }) => {
  const order = await fixture.order({ os_number: '000905', customer_name: 'Beatriz' })
  const page = await inApp(browser, tina)
  await page.goto(at(`/os/${order.id}?tab=evidencias`))
  await expect(button(page, 'Upload')).toBeVisible()
  const isKept = () =>
    page.evaluate(async (id) => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opened = indexedDB.open('guardados')
        opened.onsuccess = () => resolve(opened.result)
      })
      const key = JSON.stringify([['orders', 'one'], { input: { id }, type: 'query' }])
      const count = await new Promise((resolve) => {
        const counted = database.transaction('answers').objectStore('answers').count(key)
        counted.onsuccess = () => resolve(counted.result)
      })
      database.close()
      return count
    }, order.id)
  await expect.poll(isKept).toBe(1)
  await page.context().setOffline(true)
  await share(page, paths)
  await expect(received(page)).toHaveCount(2)
  await confirmShared(page)
  await expect(orderButton(page, '000905')).toContainText('Beatriz')
  await page.getByRole('searchbox', { name: 'Procurar OS' }).fill('000905')
  await expect(page.getByText('Sem conexão, só as OS abertas há pouco.')).toBeVisible()
  await orderButton(page, '000905').tap()
  await expect(chosen(page)).toHaveCount(2)
  await page.context().close()
})

test('who is not signed in chooses the order after the sign-in, by keyboard; signing out forgets the files', async ({
  browser,
}) => {
  const order = await fixture.order({ os_number: '000907' })
  const page = await inApp(browser, null)
  await share(page, paths)
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await submitSignIn(page, tina)
  await expect(page).toHaveURL(at('/compartilhar'))
  await expect(received(page)).toHaveCount(2)
  await tabToAndPress(page, button(page, 'Sim, usar'))
  await tabToAndPress(page, button(page, 'Remover painel.jpg da lista'))
  await expect(received(page)).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Procurar OS' }).fill('000907')
  await tabToAndPress(page, orderButton(page, '000907'))
  await expect(page).toHaveURL(at(`/os/${order.id}?tab=evidencias`))
  await expect(chosen(page)).toContainText('laudo.pdf')

  // The one that was listed there has not been sent off.
  await share(page, paths)
  await expect(received(page)).toHaveCount(3)
  await page.getByRole('button', { name: /^Menu de/ }).tap()
  await page.getByRole('menuitem', { name: 'Log out' }).tap()
  await expect.poll(() => storedToken(page)).toBeNull()
  await submitSignIn(page, tina)
  await expect(page).toHaveURL(at('/dashboard'))
  await page.goto(at('/compartilhar'))
  await expect(page.getByText('Nenhum arquivo recebido')).toBeVisible()
  await page.context().close()
})

test('what was shared is of who was signed in then; a form of another site is refused, or has to be confirmed', async ({
  browser,
}) => {
  const page = await inApp(browser, tina)
  await share(page, paths)
  await expect(received(page)).toHaveCount(2)
  await page.evaluate(() => localStorage.setItem('access_token', 'ended'))
  await page.reload()
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await submitSignIn(page, teo)
  await expect(page.getByText('Nenhum arquivo recebido')).toBeVisible()

  const foreign = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    if (request.url === '/sem-nome') response.setHeader('referrer-policy', 'no-referrer')
    response.end(`<form method="post" enctype="multipart/form-data" action="${at('/compartilhar')}">
      <input type="file" multiple name="files"></form>`)
  }).listen(0, '127.0.0.1')
  await once(foreign, 'listening')
  const submitAt = async (path: string) => {
    await page.goto(`http://localhost:${(foreign.address() as AddressInfo).port}${path}`)
    await page.locator('input').setInputFiles(paths)
    await page.locator('form').evaluate((form: HTMLFormElement) => form.submit())
  }
  await submitAt('/')
  await expect(page).toHaveURL(at('/compartilhar?erro=site'))
  await expect(page.getByRole('alert')).toContainText('Um site tentou pôr arquivos aqui e foi recusado.')
  await expect(page.getByText('Nenhum arquivo recebido')).toBeVisible()
  await submitAt('/sem-nome')
  await expect(received(page)).toHaveCount(2)
  await expect(page.getByRole('searchbox', { name: 'Procurar OS' })).toBeHidden()
  await button(page, 'Não, descartar').tap()
  await expect(page.getByText('Nenhum arquivo recebido')).toBeVisible()
  foreign.close()
  await page.context().close()
})

test('files that could not be kept are asked for again, and those of yesterday are gone', async ({
  browser,
}) => {
  const context = await browser.newContext({ serviceWorkers: 'block', locale: 'pt-BR' })
  const unprepared = await context.newPage()
  await openSignedIn(unprepared, product, tina)
  await unprepared.goto(at('/lista-os'))
  await share(unprepared, paths)
  await expect(unprepared).toHaveURL(at('/compartilhar?erro=app'))
  await expect(unprepared.getByRole('alert')).toContainText('Os arquivos não chegaram')
  await expect(unprepared.getByText('Nenhum arquivo recebido')).toBeVisible()
  await auditAllViewports(unprepared, 'compartilhar-erro')
  await context.close()

  const page = await inApp(browser, tina)
  // A database of a later version cannot be written, as one on a full disk: the browser's quota takes half a minute to
  // be noticed.
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('compartilhados', 3)
        opening.onsuccess = () => {
          opening.result.close()
          resolve()
        }
      }),
  )
  await share(page, paths)
  await expect(page).toHaveURL(at('/compartilhar?erro=espaco'))
  await expect(page.getByRole('alert').first()).toContainText('Os arquivos não couberam neste aparelho.')
  await expect(page.getByRole('alert').last()).toContainText('Erro ao ler os arquivos recebidos')
  await page.evaluate(() => void indexedDB.deleteDatabase('compartilhados'))
  await share(page, paths)
  await expect(page).toHaveURL(at('/compartilhar'))
  await expect(received(page)).toHaveCount(2)
  await page.clock.setFixedTime(Date.now() + 25 * 3_600_000)
  await page.reload()
  await expect(page.getByText('Nenhum arquivo recebido')).toBeVisible()
  await page.context().close()
})
