import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EvidenceDetail, EvidenceFile } from '@garantia/shared/evidence/schema'
import { type BrowserContext, chromium, expect, type Page, test } from '@playwright/test'
import { type BadNetwork, badNetwork } from '../support/bad-network.ts'
import { CHROMIUM_ARGS } from '../support/chromium.ts'
import { count as countOf } from '../support/exhaustive.ts'
import { photo } from '../support/media.ts'
import {
  button,
  COMPLETE_ORDER,
  createOrderFixture,
  dialog,
  type OrderFixture,
  tab,
} from './order-fixture.ts'
import { intercept, notice, openSignedIn, submitSignIn } from './page-helpers.ts'
import { FAKE_CAMERA } from './phone-camera.ts'
import { openProduct, type Product } from './product.ts'
import { smallTargets } from './touch.ts'
import { temporary } from './ui-steps.ts'
import { auditAllViewports } from './visual-audit.ts'

let product: Product
let network: BadNetwork
let fixture: OrderFixture
test.beforeAll(async () => {
  product = await openProduct()
  network = await badNetwork(product.url)
  fixture = await createOrderFixture(product)
  await fixture.patch(`/brands/${fixture.brand('Honda')}`, {
    max_evidence_count: 400,
    required_categories: [
      { category: 'placa', min: 2 },
      { category: 'chassi', min: 2 },
      { category: 'odometro', min: 2 },
    ],
  })
})
test.afterAll(() => network.close())

const tray = (page: Page) => page.getByRole('region', { name: 'Envios', exact: true })
const camera = (page: Page) => page.getByRole('dialog', { name: /^Fotografar a OS/ })

/** A phone whose browser keeps what pages keep, in this folder, and whose camera is Chromium's fake one. */
async function turnOn(dir: string) {
  const context = await chromium.launchPersistentContext(dir, {
    executablePath: process.env.CHROMIUM_PATH,
    args: [...CHROMIUM_ARGS, ...FAKE_CAMERA],
    serviceWorkers: 'allow',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
  })
  await context.addInitScript(() => {
    const { mediaDevices } = navigator
    const open = mediaDevices?.getUserMedia.bind(mediaDevices)
    // Drawing eight megapixels thirty times a second takes both processors.
    if (open)
      mediaDevices.getUserMedia = ({ audio = false } = {}) =>
        open({ audio, video: { width: 640, height: 480 } })
  })
  return { context, page: context.pages()[0] ?? (await context.newPage()) }
}
async function loseNetwork(context: BrowserContext) {
  await context.setOffline(true)
  network.cut()
}

/** What the phone keeps of an order, by the names of the queries and the count of nonces. */
const keptOf = (page: Page, id: number) =>
  page.evaluate(async (order) => {
    const request = indexedDB.open('guardados')
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const all = (store: string) =>
      new Promise<Record<string, unknown>[]>((resolve, reject) => {
        const found = database.transaction(store).objectStore(store).getAll()
        found.onsuccess = () => resolve(found.result)
        found.onerror = () => reject(found.error)
      })
    const [answers, nonces] = await Promise.all([all('answers'), all('nonces')])
    database.close()
    return {
      answers: answers
        .map(({ hash }) => String(hash))
        .filter((hash) => hash.includes(`id":${order}}`) && !/brands|conversion/.test(hash)).length,
      nonces: nonces.filter(({ order_id }) => order_id === order).length,
    }
  }, id)

/** Lets the phone keep what it needs of this order, which has never been opened on it, then takes its network away. */
async function takeAway({ context, page }: Awaited<ReturnType<typeof turnOn>>, id: number) {
  await page.goto(`${network.url}/lista-os`)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => keptOf(page, id), { timeout: 60_000 }).toEqual({ answers: 5, nonces: 100 })
  await loseNetwork(context)
}
const signIn = (page: Page) => openSignedIn(page, { ...product, url: network.url }, product.firstSuperuser)

interface Sent {
  sha256: string
  category: string
  name: string
  captured_at: string | null
}
/** What waits on the device, each with the hash of its bytes. */
const waitingOn = (page: Page) =>
  page.evaluate(async () => {
    const request = indexedDB.open('envios')
    const database = await new Promise<IDBDatabase>((resolve) => {
      request.onsuccess = () => resolve(request.result)
    })
    const rows = await new Promise<
      { bytes: Blob; name: string; fields: { category: string; captured_at: string | null } }[]
    >((resolve) => {
      const found = database.transaction('files').objectStore('files').getAll()
      found.onsuccess = () => resolve(found.result)
    })
    const sent: Sent[] = []
    for (const { bytes, name, fields } of rows) {
      const digest = await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer())
      const sha256 = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
      sent.push({ sha256, category: fields.category, name, captured_at: fields.captured_at ?? null })
    }
    database.close()
    return sent
  })

const filesOf = async (id: number): Promise<EvidenceFile[]> =>
  (await fixture.get(`/evidence/${id}/evidence`)).evidence_files
const detailsOf = async (id: number): Promise<EvidenceDetail[]> => {
  const files = await filesOf(id)
  return Promise.all(files.map((file) => fixture.get(`/evidence/${file.id}`)))
}
const bySha = <T extends { sha256: string }>(files: readonly T[]) =>
  files.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))

/** Photos as a phone takes them, each at a second of its own. */
async function phonePhotos(dir: string, count: number) {
  const first = '2026:11:20 10:00:00'
  const picture = await readFile(await photo(dir, { name: 'molde', width: 320, height: 240, taken: first }))
  const paths = Array.from({ length: count }, (_, place) => join(dir, `IMG_${1000 + place}.jpg`))
  await Promise.all(
    paths.map((path, place) => {
      const two = (number: number) => String(number).padStart(2, '0')
      const taken = `2026:11:20 10:${two(Math.floor(place / 60))}:${two(place % 60)}`
      const text = picture.toString('latin1').replace(first, taken)
      return writeFile(path, Buffer.from(text, 'latin1'))
    }),
  )
  return paths
}

const BY_CAMERA = 6
const PHOTOS = countOf({ exhaustive: 200, default: 16 })

test(`in airplane mode an order is opened and ${PHOTOS} photos are taken and categorised; the tab is killed and the browser started again: each arrives once over a line that loses 60 %`, async () => {
  const [dir, profile] = [await temporary(), await temporary()]
  const { id } = await fixture.order({ os_number: '000901', ...COMPLETE_ORDER })
  const phone = await turnOn(profile)
  const { page } = phone
  await signIn(page)
  await takeAway(phone, id)

  await page.goto(`${network.url}/lista-os`)
  await expect(page.getByText('Sem conexão com o servidor.')).toBeVisible()
  await page
    .getByRole('link', { name: /000901/ })
    .first()
    .tap()
  await expect(page.getByRole('heading', { name: 'OS 000901' })).toBeVisible()
  await tab(page, /Evidências/).tap()

  await test.step('some by the camera', async () => {
    await button(page, 'Fotografar o que falta').tap()
    const use = camera(page).getByRole('button', { name: 'Usar assim mesmo' })
    await page.addLocatorHandler(use, () => use.tap())
    for (let count = 1; count <= BY_CAMERA; count++) {
      await camera(page)
        .getByRole('button', { name: /^Fotografar: / })
        .tap()
      await expect(
        camera(page).getByRole('list', { name: 'Fotos desta vez' }).getByRole('listitem'),
      ).toHaveCount(count, { timeout: 60_000 })
    }
    await expect(camera(page).getByText('Tudo o que a marca exige está fotografado.')).toBeVisible()
    await auditAllViewports(page, 'fotografar-sem-rede')
    await page.setViewportSize({ width: 390, height: 844 })
    await camera(page).getByRole('button', { name: 'Ver evidências' }).tap()
    await page.removeLocatorHandler(use)
  })

  await test.step('the others from the gallery, by categories', async () => {
    const all = await phonePhotos(dir, PHOTOS - BY_CAMERA)
    for (const [category, paths] of [
      ['Defeito Reportado', all.slice(0, PHOTOS / 2)],
      ['Peças Substituídas', all.slice(PHOTOS / 2)],
    ] as const) {
      await button(page, 'Upload').tap()
      await dialog(page).locator('input[type=file]').first().setInputFiles(paths)
      await dialog(page).getByLabel('Categoria', { exact: true }).selectOption({ label: category })
      await button(page, 'Enviar').tap()
      await button(page, 'Continuar em segundo plano').tap()
    }
  })
  await expect(tray(page)).toContainText(`${PHOTOS} envios aguardando conexão`, { timeout: 60_000 })
  await expect(tray(page)).toContainText(
    'Guardados neste aparelho: se o Garantia for fechado, o envio continua quando ele for aberto.',
  )
  await auditAllViewports(page, 'sem-rede')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await smallTargets(page, '.upload-tray')).toEqual([])
  const kept = await waitingOn(page)
  expect(new Set(kept.map(({ sha256 }) => sha256)).size).toBe(PHOTOS)
  const chosen = kept.filter(({ captured_at }) => captured_at === null)
  const bytes = await Promise.all(chosen.map(({ name }) => readFile(join(dir, name))))
  expect(chosen.map(({ sha256 }) => sha256)).toEqual(
    bytes.map((content) => createHash('sha256').update(content).digest('hex')),
  )

  await test.step('the tab is killed, the browser started again', async () => {
    const session = await phone.context.newCDPSession(page)
    const crashed = page.waitForEvent('crash')
    // Nobody is left to answer.
    void session.send('Page.crash').catch(() => {})
    await crashed
    await phone.context.close()
  })
  const again = await turnOn(profile)
  await again.context.setOffline(true)
  await again.page.goto(`${network.url}/lista-os`)
  await expect(tray(again.page)).toContainText(`${PHOTOS} envios aguardando conexão`, { timeout: 60_000 })
  expect(await filesOf(id)).toEqual([])

  network.restore()
  network.lose(0.6)
  await again.context.setOffline(false)
  // The network of a phone at the edge of its reach comes and goes; without these events each pause is up to 15 s.
  await again.page.evaluate(() => setInterval(() => dispatchEvent(new Event('online')), 100))
  await expect.poll(async () => (await filesOf(id)).length, { timeout: 240_000 }).toBe(PHOTOS)
  const { count, requests } = network.losses()
  expect(count / requests).toBeGreaterThan(0.55)
  await expect.poll(() => waitingOn(again.page), { timeout: 60_000 }).toEqual([])
  network.lose(0)

  await expect
    .poll(async () => (await detailsOf(id)).filter(({ captured_at }) => captured_at === null).length, {
      timeout: 180_000,
      intervals: [2_000],
    })
    .toBe(0)
  const details = await detailsOf(id)
  expect(
    bySha(details).map((file) => ({
      sha256: file.sha256,
      category: file.evidence_category,
      name: file.original_filename,
      captured_at: file.app_capture?.captured_at ?? null,
    })),
  ).toEqual(bySha(kept))
  await again.context.close()
})

/** Opens the evidence of an order in airplane mode and sends one photo, which waits. */
async function sendOneOffline(phone: Awaited<ReturnType<typeof turnOn>>, id: number, path: string) {
  const { page } = phone
  await takeAway(phone, id)
  await page.goto(`${network.url}/os/${id}?tab=evidencias`)
  await button(page, 'Upload').tap()
  await dialog(page).locator('input[type=file]').first().setInputFiles(path)
  await dialog(page).getByLabel('Categoria', { exact: true }).selectOption({ label: 'Odômetro' })
  await button(page, 'Enviar').tap()
  await button(page, 'Continuar em segundo plano').tap()
  await expect(tray(page)).toContainText('1 envio aguardando conexão')
}
const askToSignOut = async (page: Page) => {
  await page.getByRole('button', { name: /^Menu de / }).tap()
  await page.getByRole('menuitem', { name: 'Log out' }).tap()
  await expect(question(page)).toContainText('1 arquivo ainda não chegou ao servidor.')
}
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Sair antes do fim do envio?' })

test('who signs out says what becomes of files that wait; nothing of an order is shown to whoever is not signed in', async () => {
  const [dir, profile] = [await temporary(), await temporary()]
  const { id } = await fixture.order({ os_number: '000902', ...COMPLETE_ORDER })
  const phone = await turnOn(profile)
  const { page } = phone
  await signIn(page)
  await sendOneOffline(phone, id, await photo(dir, { name: 'painel' }))
  await expect(page.getByText('0 de 2 · 1 em envio')).toBeVisible()

  await askToSignOut(page)
  await auditAllViewports(page, 'sair-sem-rede')
  await page.setViewportSize({ width: 390, height: 844 })
  await question(page).getByRole('button', { name: 'Continuar enviando' }).tap()
  await expect(question(page)).toBeHidden()
  await expect(tray(page)).toContainText('1 envio aguardando conexão')

  await askToSignOut(page)
  await question(page).getByRole('button', { name: 'Guardar e sair' }).tap()
  await expect(button(page, 'Entrar')).toBeVisible()
  await expect(tray(page)).toBeHidden()
  expect(await page.evaluate(() => indexedDB.databases())).toEqual([
    expect.objectContaining({ name: 'envios' }),
  ])
  await page.goto(`${network.url}/os/${id}?tab=evidencias`)
  await expect(button(page, 'Entrar')).toBeVisible()
  await expect(page.getByText('000902')).toBeHidden()

  // Whoever has sent it off signs in again.
  network.restore()
  await phone.context.setOffline(false)
  await submitSignIn(page, product.firstSuperuser)
  await expect.poll(async () => (await filesOf(id)).length, { timeout: 60_000 }).toBe(1)
  expect(await filesOf(id)).toMatchObject([
    { original_filename: 'painel.jpg', evidence_category: 'odometro' },
  ])

  await sendOneOffline(phone, id, await photo(dir, { name: 'motor', width: 800 }))
  await askToSignOut(page)
  await question(page).getByRole('button', { name: 'Apagar e sair' }).tap()
  await expect(button(page, 'Entrar')).toBeVisible()
  await expect.poll(() => waitingOn(page)).toEqual([])
  await phone.context.close()
  network.restore()
})

test('a page that is older than the server says so, and is loaded anew with the next screen, once', async ({
  page,
}) => {
  const answer = await fetch(`${product.url}/api/v1/utils/health-check/`)
  const html = await (await fetch(product.url, { headers: { accept: 'text/html' } })).text()
  expect(html).toContain(`src="${answer.headers.get('x-client-script')}"`)

  await openSignedIn(page, product, product.firstSuperuser)
  await intercept(page, '**/trpc/**', async (route) => {
    const response = await route.fetch()
    const headers = { ...response.headers(), 'x-client-script': '/assets/index-novo.js' }
    await route.fulfill({ response, headers })
  })
  await page.goto(`${product.url}/lista-os`)
  const newVersion = notice(page, 'Há uma versão nova do Garantia.')
  await expect(newVersion).toBeVisible()
  await auditAllViewports(page, 'versao-nova', { withNotices: true })
  const mark = () => page.evaluate(() => Object.assign(window, { isMarked: true }))
  const isMarked = () => page.evaluate(() => 'isMarked' in window)
  await mark()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('link', { name: 'Empresas' }).click()
  await expect(page.getByRole('heading', { name: 'Gestão de Empresas' })).toBeVisible()
  // Asked in the moment of the loading there is no page to answer.
  await expect.poll(() => isMarked().catch(() => true)).toBe(false)

  // While servers are replaced an old one may have loaded this page, and a new one answers it.
  await mark()
  await page.getByRole('link', { name: 'Lista OS' }).click()
  await expect(page.getByRole('heading', { name: 'Ordens de Serviço' })).toBeVisible()
  await expect(newVersion).toBeHidden()
  expect(await isMarked()).toBe(true)
  // Those that are still being answered end with the page.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
