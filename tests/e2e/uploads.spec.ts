import { createHash } from 'node:crypto'
import { open, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bytes } from '@garantia/shared/format'
import { expect, type Page, test } from '@playwright/test'
import { type BadNetwork, badNetwork } from '../support/bad-network.ts'
import { count, isExhaustive } from '../support/exhaustive.ts'
import { photo, text, video } from '../support/media.ts'
import { button, createOrderFixture, dialog, type OrderFixture, tab, teo, tina } from './order-fixture.ts'
import {
  apiAs,
  holdRequests,
  intercept,
  notice,
  openSignedIn,
  storedToken,
  submitSignIn,
} from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { temporary } from './ui-steps.ts'

const MEGABYTE = 1_000_000

let product: Product
let network: BadNetwork
let fixture: OrderFixture
let dir: string
test.beforeAll(async () => {
  product = await openProduct()
  network = await badNetwork(product.url)
  fixture = await createOrderFixture(product)
  dir = await temporary()
})
test.afterAll(async () => {
  await network.close()
})

const tray = (page: Page) => page.getByRole('region', { name: 'Envios', exact: true })
const files = async (order: { id: number }): Promise<{ id: number; original_filename: string }[]> =>
  (await fixture.get(`/evidence/${order.id}/evidence`)).evidence_files

/** Signed in behind the simulated bad network, with the upload dialog of a new order open. */
async function atTheUpload(page: Page, os_number: string, brand = 'BYD') {
  const order = await fixture.order({ os_number, brand_id: fixture.brand(brand) })
  await openSignedIn(page, { ...product, url: network.url }, tina)
  await page.goto(`${network.url}/os/${order.id}`)
  await chooseAgain(page)
  return order
}
async function chooseAgain(page: Page) {
  await tab(page, /Evidências/).click()
  await button(page, 'Upload').click()
  await expect(dialog(page).getByRole('button', { name: 'Escolher arquivos' })).toBeVisible()
}
const choose = (page: Page, paths: string | string[]) =>
  dialog(page).locator('input[type=file]').first().setInputFiles(paths)

const OFFERED = {
  defeito: 'Defeito Reportado',
  tela_aparelho: 'Tela do Aparelho',
  teste: 'Teste Realizado',
  pecas: 'Peças Substituídas',
  solucionado: 'Situação Solucionada',
  pos_rodagem: 'Pós-Rodagem',
  chassi: 'Chassi Visível',
  placa: 'Placa do Veículo',
  odometro: 'Odômetro',
}

test('the upload dialog, from its nine categories to the result of each file (UPL-1 to UPL-8, D-22, D-27)', async ({
  page,
}) => {
  const order = await atTheUpload(page, '000200')
  const category = dialog(page).getByLabel('Categoria', { exact: true })
  const offered = await category
    .locator('option:not(optgroup option)')
    .evaluateAll((all) => all.map((one) => [one.getAttribute('value'), one.textContent]))
  expect(Object.fromEntries(offered.filter(([value]) => value))).toEqual(OFFERED)
  await expect(dialog(page).getByText('Pacote final até 100 MB.')).toBeVisible()
  await expect(dialog(page).getByText('MP4, MOV · até 4')).toBeVisible()
  await expect(button(page, 'Enviar')).toBeDisabled()

  const picker = dialog(page).locator('input[type=file]').first()
  await expect(picker).toHaveAttribute('multiple')
  for (const kind of ['image/*', 'video/*', 'application/pdf', '.heic'])
    await expect(picker).toHaveAttribute('accept', new RegExp(kind.replace(/[*.]/g, '\\$&')))
  const picture = await photo(dir, { name: 'painel' })
  await choose(page, [picture, await text(dir, 'nota.jpg', 'isto não é uma foto')])
  const listed = dialog(page).getByRole('list', { name: 'Arquivos escolhidos' }).getByRole('listitem')
  await expect(listed).toHaveCount(2)
  await expect(listed.filter({ hasText: 'painel.jpg' })).toContainText(bytes((await stat(picture)).size))

  await category.selectOption({ label: 'Placa do Veículo' })
  // A file follows the category of all until it gets its own, by mouse or by keyboard.
  const own = dialog(page).getByLabel('Categoria de painel.jpg')
  await expect(own).toHaveValue('placa')
  await own.selectOption({ label: 'Teste Realizado' })
  await own.focus()
  await page.keyboard.type('Odô')
  await expect(own).toHaveValue('odometro')
  await expect(dialog(page).getByLabel('Categoria de nota.jpg')).toHaveValue('placa')
  await dialog(page).getByLabel('Descrição').fill('Placa legível, foto do pátio')
  await button(page, 'Enviar').click()
  await expect(notice(page, 'Evidências enviadas com sucesso', '1 arquivo')).toBeVisible()
  await expect(notice(page, 'Erro ao enviar evidências', '1 arquivo não foi enviado.')).toBeVisible()
  await expect(listed.first()).toContainText('Recusado')
  await expect(listed.first()).toContainText('Formato não aceito')
  expect(await files(order)).toMatchObject([
    {
      original_filename: 'painel.jpg',
      evidence_category: 'odometro',
      description: 'Placa legível, foto do pátio',
    },
  ])
  await choose(page, picture)
  await button(page, 'Enviar').click()
  await expect(listed.filter({ hasText: 'Já estava nesta OS' })).toHaveCount(1)
  await expect(notice(page, 'Nenhum arquivo novo', '1 arquivo já estava nesta OS')).toBeVisible()
  expect(await files(order)).toHaveLength(1)

  // A limit keeps the file in the list with its sentence, until it is sent again.
  const refusals = [
    { status: 507, wait: '1', detail: 'Este envio de 3 MB não cabe no disco.' },
    { status: 429, wait: '7200', detail: 'Você enviou 50 GB nas últimas 24 horas.' },
  ]
  await intercept(page, '**/api/v1/uploads', async (route) => {
    const next = refusals.shift()
    if (!next) return route.fallback()
    const { status, wait, detail } = next
    return route.fulfill({ status, headers: { 'retry-after': wait }, json: { detail } })
  })
  await choose(page, await photo(dir, { name: 'motor' }))
  await button(page, 'Enviar').click()
  const kept = listed.filter({ hasText: 'motor.jpg' })
  const retry = kept.getByRole('button', { name: 'Tentar enviar motor.jpg novamente' })
  for (const sentence of ['não cabe no disco', 'nas últimas 24 horas']) {
    await expect(kept).toContainText(sentence)
    await expect(kept).toContainText('Não enviado')
    await retry.click()
  }
  await expect(kept).toContainText('Enviado')
  expect(await files(order)).toHaveLength(2)
})

test('the dialog closes when the page below shows what was sent (UPL-7)', async ({ page }) => {
  await atTheUpload(page, '000210')
  await choose(page, await photo(dir, { name: 'em-seguida' }))
  const list = await holdRequests(page, /evidence\.list/)
  await button(page, 'Enviar').click()
  await expect(notice(page, 'Evidências enviadas com sucesso')).toBeVisible()
  await expect(dialog(page)).not.toHaveClass(/exit/)
  list.releaseRequests()
  await expect(dialog(page)).toHaveCount(0)
  await page.keyboard.press('c')
  await expect(notice(page, 'Conversão em lote iniciada')).toBeVisible()
})

/** Several requests long, of 8 MB each; the tray says how much of it has arrived. */
const LARGE = isExhaustive
  ? {
      megabytes: 200,
      cutAfter: 120,
      arrived: /^1 envio aguardando conexão0 de 1 · 1[12]\d(,\d)? MB de 200 MB/,
    }
  : { megabytes: 60, cutAfter: 36, arrived: /^1 envio aguardando conexão0 de 1 · [34]\d(,\d)? MB de 60 MB/ }
test(`cut at 60 % of ${LARGE.megabytes} MB and restored, a file arrives once and whole, and no acknowledged byte is sent again (D-22)`, async ({
  page,
}) => {
  const path = await longVideo('rodagem', LARGE.megabytes * MEGABYTE)
  const order = await atTheUpload(page, '000201')
  await choose(page, path)
  const cut = network.cutAfter(LARGE.cutAfter * MEGABYTE)
  await dialog(page).getByLabel('Categoria', { exact: true }).selectOption({ label: 'Pós-Rodagem' })
  await button(page, 'Enviar').click()
  await cut
  const before = network.sent()
  await expect(dialog(page).getByText('Aguardando conexão', { exact: true })).toBeVisible()
  await expect(dialog(page).getByText('0 de 1 arquivo · aguardando conexão')).toBeVisible()
  await button(page, 'Continuar em segundo plano').click()
  await expect(tray(page)).toContainText(LARGE.arrived)
  network.restore()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(notice(page, 'Evidências enviadas com sucesso')).toBeVisible({ timeout: 120_000 })
  const again = network.sent() - before - (LARGE.megabytes - LARGE.cutAfter) * MEGABYTE
  expect(again / MEGABYTE, 'megabytes sent a second time').toBeLessThan(4)
  const [file, ...others] = await files(order)
  expect(others).toEqual([])
  expect(file).toMatchObject({ original_filename: 'rodagem.mp4', evidence_category: 'pos_rodagem' })
  const { token } = await apiAs(product, tina)
  const stored = await fetch(`${product.url}/api/v1/evidence/${file?.id}/download?original=true`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(await sha256(stored.body ?? [])).toBe(await sha256((await open(path)).createReadStream()))
})

test('a paused, abandoned or frozen upload resumes where it stopped, for its own user only', async ({
  page,
}) => {
  const path = await longVideo('elevador', 60 * MEGABYTE)
  network.slow(4)
  const order = await atTheUpload(page, '000202')
  await test.step('paused, then selected again after a reload', async () => {
    await choose(page, path)
    const before = network.sent()
    await button(page, 'Enviar').click()
    await expect.poll(() => network.sent() - before).toBeGreaterThan(20 * MEGABYTE)
    await button(page, 'Pausar').click()
    await expect(dialog(page).getByText(/^Pausado em \d+ %$/)).toBeVisible()
    page.once('dialog', (question) => void question.accept())
    await page.reload()
    await chooseAgain(page)
    await choose(page, path)
    await button(page, 'Enviar').click()
    await expect(dialog(page).getByText(/^(3|4|5)\d %/)).toBeVisible()
    await button(page, 'Continuar em segundo plano').click()
  })

  await test.step('its connection stalls: aborted once the network is reported back', async () => {
    network.freeze()
    const before = network.sent()
    await expect(async () => {
      await page.evaluate(() => dispatchEvent(new Event('online')))
      expect(network.sent() - before).toBeGreaterThan(2 * MEGABYTE)
    }).toPass({ intervals: [1_000], timeout: 30_000 })
    network.cut()
    network.restore()
    await page.evaluate(() => dispatchEvent(new Event('online')))
  })

  await test.step('signed out: another person sees nothing of it', async () => {
    const token = await storedToken(page)
    const ended = await fetch(`${product.url}/trpc/auth.logout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
    expect(ended.status).toBe(200)
    await expect(button(page, 'Entrar')).toBeVisible({ timeout: 30_000 })
    await expect(tray(page)).toBeHidden()
    await submitSignIn(page, teo)
    await expect(page.getByRole('heading', { name: `OS 000202` })).toBeVisible()
    await expect(tray(page)).toBeHidden()
    await page.getByRole('button', { name: 'Menu de Téo Tavares' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await submitSignIn(page, tina)
    network.slow(0)
    await expect(notice(page, 'Evidências enviadas com sucesso')).toBeVisible({ timeout: 60_000 })
  })
  expect(await files(order)).toMatchObject([{ original_filename: 'elevador.mp4' }])
})

const MANY = count({ exhaustive: 300, default: 40 })
test(`the page responds while ${MANY} files upload; the invalid one shows its reason, the others arrive, and cancelling leaves nothing`, async ({
  page,
}) => {
  const admin = await apiAs(product, product.firstSuperuser)
  await admin.patch(`/brands/${fixture.brand('Ford')}`, { max_evidence_count: 400 })
  const many = await phonePhotos(MANY - 1)
  many.splice(MANY / 2, 0, await text(dir, 'recibo.jpg', 'isto não é uma foto'))
  const order = await atTheUpload(page, '000203', 'Ford')
  network.slow(20)
  await choose(page, many)
  await expect(dialog(page).getByText(`${MANY} arquivos`, { exact: false }).first()).toBeVisible()
  await button(page, 'Enviar').click()
  await expect(dialog(page).getByText(new RegExp(`^\\d+ de ${MANY} arquivos · `))).toBeVisible()
  await page.keyboard.press('Escape')

  await test.step('the tabs respond during the upload, and so do other screens', async () => {
    await tab(page, 'Informações Gerais').click()
    await expect(page.getByRole('region', { name: 'Veículo' })).toBeVisible()
    await page.getByRole('link', { name: 'Lista OS' }).click()
    await expect(page.getByRole('heading', { name: 'Ordens de Serviço' })).toBeVisible()
    await expect(tray(page)).toContainText(new RegExp(`^Enviando evidências\\d+ de ${MANY} · `))
  })
  network.slow(0)
  await expect(notice(page, 'Erro ao enviar evidências')).toContainText(
    '1 arquivo não foi enviado na OS 000203',
    {
      timeout: 180_000,
    },
  )
  await expect(tray(page)).toContainText(`${MANY - 1} enviados · 1 recusado`)
  await page.getByRole('button', { name: /^Envio com pendências/ }).click()
  await expect(tray(page).getByRole('listitem').first()).toContainText('recibo.jpg')
  await expect(tray(page).getByRole('listitem').first()).toContainText('Recusado')
  expect(await files(order)).toHaveLength(MANY - 1)
  await tray(page).getByRole('link', { name: 'OS 000203' }).click()
  await expect(tab(page, `Evidências ${MANY - 1}`)).toBeVisible()
  await button(page, 'Limpar concluídos').click()
  await expect(tray(page)).toBeHidden()

  await test.step('cancelled from the tray', async () => {
    network.slow(80)
    await chooseAgain(page)
    await choose(page, await longVideo('ruido', 40 * MEGABYTE))
    const before = network.sent()
    await button(page, 'Enviar').click()
    await expect.poll(() => network.sent() - before).toBeGreaterThan(2 * MEGABYTE)
    await button(page, 'Continuar em segundo plano').click()
    await tray(page)
      .getByRole('button', { name: /^Enviando evidências/ })
      .click()
    await tray(page).getByRole('button', { name: 'Cancelar todos' }).click()
    const gone = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancelar o envio' }).click()
    expect((await gone).status()).toBe(204)
    await expect(tray(page)).toBeHidden()
    network.slow(0)
  })
  expect(await files(order)).toHaveLength(MANY - 1)
})

/** A valid video of any size without the time to encode it: a box that players skip fills the rest. */
async function longVideo(name: string, size: number) {
  const path = await video(dir, { name, seconds: 1, noise: 0 })
  const file = await open(path, 'a')
  const box = size - (await file.stat()).size
  const head = Buffer.alloc(8)
  head.writeUInt32BE(box)
  head.write('free', 4)
  await file.write(head)
  // No two blocks are equal: a chunk in the wrong place would be noticed.
  const block = Buffer.alloc(MEGABYTE, createHash('sha512').update(name).digest())
  for (let left = box - head.length; left > 0; left -= block.length) {
    block.writeUInt32BE(left)
    await file.write(block, 0, Math.min(block.length, left))
  }
  await file.close()
  return path
}

/** One photo many times, each with a different comment, so that bytes and hashes differ. */
async function phonePhotos(count: number) {
  const picture = await readFile(await photo(dir, { name: 'molde', width: 320, height: 240 }))
  const paths: string[] = []
  for (let place = 1; place <= count; place++) {
    const words = Buffer.from(`foto ${place}`)
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, words.length + 2]), words])
    const path = join(dir, `IMG_${String(place).padStart(4, '0')}.jpg`)
    await writeFile(path, Buffer.concat([picture.subarray(0, 2), comment, picture.subarray(2)]))
    paths.push(path)
  }
  return paths
}

async function sha256(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  const hash = createHash('sha256')
  for await (const piece of bytes) hash.update(piece)
  return hash.digest('hex')
}
