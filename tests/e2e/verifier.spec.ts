import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import AxeBuilder from '@axe-core/playwright'
import { stampRequest } from '@garantia/shared/dossier/timestamp-token'
import { expect, type Page, test } from '@playwright/test'
import { photo } from '../support/media.ts'
import { startTimeAuthority } from '../support/time-authority.ts'
import { createOrderFixture } from './order-fixture.ts'
import { apiAs } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { execFileAsync, temporary } from './ui-steps.ts'

let product: Product
/** Of a sealed dossier: its ZIP and its folder. */
let zip: string
let folder: string
test.beforeAll(async () => {
  product = await openProduct()
  const { token, post } = await apiAs(product, product.firstSuperuser)
  const { order } = await createOrderFixture(product)
  const { id } = await order({ os_number: '000778' })
  const dir = await temporary()
  const headers = { authorization: `Bearer ${token}` }
  const form = new FormData()
  const picture = await photo(dir, { name: 'placa', noise: 20 })
  form.append('files', new Blob([await readFile(picture)]), 'placa.jpg')
  await fetch(`${product.url}/api/v1/evidence/${id}/upload`, { method: 'POST', headers, body: form })
  await post(`/evidence-conversion/${id}/convert-all`)
  const read = async (path: string) => (await fetch(`${product.url}/api/v1${path}`, { headers })).json()
  const converted = async () => (await read(`/evidence-conversion/${id}/conversion-report`)).converted_count
  await expect.poll(converted, { timeout: 60_000 }).toBe(1)
  await post(`/service-orders/${id}/dossier`)
  const status = async () => (await read(`/service-orders/${id}/dossier`)).data[0].status
  await expect.poll(status, { timeout: 60_000 }).toBe('sealed')
  const sealed = await fetch(`${product.url}/api/v1/service-orders/${id}/dossier/1/download`, { headers })
  zip = join(dir, 'dossie.zip')
  folder = join(dir, 'dossie')
  await writeFile(zip, Buffer.from(await sealed.arrayBuffer()))
  await execFileAsync('unzip', ['-q', zip, '-d', folder])
})

const heading = (page: Page) => page.getByRole('heading', { level: 2 })

test('a dossier verifies in its own page, from the disk and without a network; a changed one is named', async ({
  page,
  context,
}) => {
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  await context.setOffline(true)
  await page.goto(pathToFileURL(join(folder, 'verificar.html')).href)
  await page.getByLabel('Escolher o ZIP').setInputFiles(zip)
  await expect(heading(page)).toHaveText('O dossiê está íntegro')
  await expect(heading(page)).toBeFocused()
  await expect(page.getByText('000778 ·')).toBeVisible()
  await page.locator('summary').first().press('Enter')
  await expect(page.getByText('não identificada no arquivo')).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await page.getByLabel('Escolher a pasta').setInputFiles(folder)
  await expect(page.getByText(/^Lendo/)).toBeHidden()
  await expect(heading(page)).toHaveText('O dossiê está íntegro')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.reload()
    await page.getByLabel('Escolher o ZIP').setInputFiles(zip)
    await expect(heading(page)).toHaveText('O dossiê está íntegro')
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  }

  const manifest = JSON.parse(await readFile(join(folder, 'manifesto.json'), 'utf8'))
  const [{ name }] = manifest.files
  const bytes = await readFile(join(folder, name))
  const place = bytes.length >> 1
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place)
  await writeFile(join(folder, name), bytes)
  await writeFile(join(folder, 'carta.txt'), 'acrescentada')
  await page.getByLabel('Escolher a pasta').setInputFiles(folder)
  await expect(heading(page)).toHaveText('O dossiê não está como foi selado')
  await expect(page.getByText(`${name} foi alterado`)).toBeVisible()
  await expect(page.getByText('carta.txt foi acrescentado')).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])

  const half = join(folder, '..', 'metade.zip')
  await writeFile(half, (await readFile(zip)).subarray(0, 50_000))
  await page.getByLabel('Escolher o ZIP').setInputFiles(half)
  await expect(page.getByText('O ZIP está danificado ou incompleto')).toBeVisible()
  const commented = join(folder, '..', 'comentado.zip')
  const comment = Buffer.from('oculto')
  const whole = await readFile(zip)
  whole.writeUInt16LE(comment.length, whole.length - 2)
  await writeFile(commented, Buffer.concat([whole, comment]))
  await page.getByLabel('Escolher o ZIP').setInputFiles(commented)
  await expect(heading(page)).not.toHaveText('O dossiê está íntegro')
  await expect(page.getByText('tem bytes depois do fim')).toBeVisible()
  const prefixed = join(folder, '..', 'precedido.zip')
  await writeFile(prefixed, Buffer.concat([await readFile(zip), await readFile(zip)]))
  await page.getByLabel('Escolher o ZIP').setInputFiles(prefixed)
  await expect(heading(page)).toHaveText('O ZIP não está como o Garantia o escreve')
  expect(problems).toEqual([])
})

test('a page that has no WebCrypto, as one that did not come by HTTPS, comes to the same hashes', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'isSecureContext', { value: false })
    Object.defineProperty(window.crypto, 'subtle', { value: undefined })
  })
  await page.goto(pathToFileURL(join(folder, 'verificar.html')).href)
  await page.getByLabel('Escolher o ZIP').setInputFiles(zip)
  await expect(heading(page)).toHaveText('O dossiê está íntegro')
})

test('a time-stamp verifies without a network ten years later; one of another manifest is named', async ({
  page,
  context,
}) => {
  const authority = await startTimeAuthority()
  const dir = await temporary()
  const stamp = async (bytes: Uint8Array, name: string) => {
    const query = stampRequest(createHash('sha256').update(bytes).digest(), randomBytes(8))
    await writeFile(join(dir, name), await authority.stamp(query))
    return join(dir, name)
  }
  const { stdout } = await execFileAsync('unzip', ['-p', zip, 'manifesto.json'])
  const good = await stamp(Buffer.from(stdout), 'os_000778_dossie_1_manifesto.json.tsr')
  const other = await stamp(Buffer.from('{}'), 'outro.tsr')
  await authority.stop()
  await context.setOffline(true)
  await page.clock.setFixedTime('2036-11-23T12:00:00Z')
  await page.goto(pathToFileURL(join(folder, 'verificar.html')).href)
  await page.getByLabel('Escolher o ZIP').setInputFiles([zip, good])
  await expect(heading(page)).toHaveText('O dossiê está íntegro; falta conferir a autoridade do carimbo')
  await expect(page.getByText('Autoridade não conferida')).toBeVisible()
  await expect(page.getByText('Carimbo de Teste (certificada por Raiz de Teste)')).toBeVisible()
  await expect(page.getByText('no momento do carimbo valia, e isso basta')).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await page.getByLabel('Escolher o ZIP').setInputFiles([zip, other])
  await expect(heading(page)).toHaveText('O dossiê está íntegro; o carimbo de tempo não vale')
  await expect(page.getByText('é de outro manifesto, não deste').first()).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
})

test('a dossier of the release before verifies in the page of today, and in its own', async ({
  page,
  context,
}) => {
  const before = join(import.meta.dirname, '../fixtures/dossie-0.1.0.zip')
  const own = await temporary()
  await execFileAsync('unzip', ['-q', before, '-d', own])
  await context.setOffline(true)
  for (const [dir, title] of [
    [folder, 'O manifesto foi assinado por uma chave estranha'],
    [own, 'O dossiê está íntegro'],
  ] as const) {
    await page.goto(pathToFileURL(join(dir, 'verificar.html')).href)
    await page.getByLabel('Escolher o ZIP').setInputFiles(before)
    await expect(page.getByText(title).first()).toBeVisible()
  }
})

test('the house serves the same page, and confirms a fingerprint to anybody who has it', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 900 })
  await page.goto(`${product.url}/verificar`)
  await page.getByLabel('Escolher o ZIP').setInputFiles(zip)
  await expect(heading(page)).toHaveText('O dossiê está íntegro')
  const { contents_sha256, signing_key } = JSON.parse(await readFile(join(folder, 'manifesto.json'), 'utf8'))
  const keys = await (await fetch(signing_key.keys_at)).json()
  expect(keys.data).toMatchObject([{ id: signing_key.id, is_current: true }])

  await page.goto(`${product.url}/verificar/${contents_sha256}`)
  await expect(page.getByText('Um dossiê com esta impressão digital foi selado aqui em')).toBeVisible()
  await expect(page.getByText(signing_key.id.match(/.{4}/g).join(' '))).toBeVisible()
  await page.goto(`${product.url}/verificar/${'0'.repeat(64)}`)
  await expect(page.getByText('Nenhum dossiê com esta impressão digital foi selado aqui.')).toBeVisible()
  await page.getByRole('link', { name: 'Conferir os arquivos do dossiê' }).click()
  await expect(page.getByRole('heading', { name: 'Conferir um dossiê' })).toBeVisible()
})
