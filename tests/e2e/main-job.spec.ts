import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { expect, test } from '@playwright/test'
import { ffprobe, quadrantColours, startsFast, UPRIGHT } from '../support/media.ts'
import { openProduct, type Product } from './product.ts'
import { execFileAsync, initialiseBrands, openOrder, phoneFiles, signIn, temporary } from './ui-steps.ts'

let product: Product
let files: string[]
test.beforeAll(async () => {
  product = await openProduct()
  files = await phoneFiles(await temporary())
})

/** Honda allows 10 MB, BYD 100. */
for (const { brand, megabytes, os_number, tag } of [
  { brand: 'Honda', megabytes: 10, os_number: '000123', tag: [] },
  { brand: 'BYD', megabytes: 100, os_number: '000124', tag: '@exhaustive' },
])
  test(`from phone files to a package of ${brand} under ${megabytes} MB (EVI-1 to EVI-24, UPL-1 to UPL-7)`, {
    tag,
  }, async ({ page }) => {
    const dir = await temporary()
    await signIn(page, product)
    await initialiseBrands(page)
    await openOrder(page, os_number, brand)

    await page.getByRole('tab', { name: /Evidências/ }).click()
    await expect(page.getByText('Nenhuma evidência enviada')).toBeVisible()
    await page.getByRole('button', { name: 'Upload' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(`Pacote final até ${megabytes} MB.`)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Enviar' })).toBeDisabled()
    await dialog.getByLabel('Categoria', { exact: true }).selectOption({ label: 'Defeito Reportado' })
    await dialog.locator('input[type=file]').first().setInputFiles(files)
    await dialog.getByRole('button', { name: 'Enviar' }).click()
    await expect(page.getByText('Evidências enviadas com sucesso')).toBeVisible({ timeout: 60_000 })
    await expect(dialog).toBeHidden()

    await page.getByRole('button', { name: 'Converter Todos' }).click()
    await expect(page.getByText('Conversão em lote iniciada')).toBeVisible()
    const percents = new Set<string>()
    const bar = page.getByRole('progressbar', { name: /teste-de-rodagem/ })
    await expect(async () => {
      percents.add((await bar.getAttribute('aria-valuenow', { timeout: 200 }).catch(() => null)) ?? '')
      await expect(page.getByText('Pronto', { exact: true })).toHaveCount(6, { timeout: 1 })
    }).toPass({ intervals: [500], timeout: 240_000 })
    await expect(page.getByText('Conversão concluída')).toBeVisible()
    percents.delete('')
    expect(percents.size, `progress seen: ${[...percents].join(', ')}`).toBeGreaterThan(1)

    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Baixar Evidências (ZIP)' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^os_\d+_evidencias\.zip$/)
    await expect(page.getByText('Download concluído')).toBeVisible()
    const zip = join(dir, 'pacote.zip')
    await download.saveAs(zip)
    expect((await stat(zip)).size).toBeLessThanOrEqual(megabytes * 1_000_000)
    await expectSoundPackage(zip, join(dir, 'pacote'))
  })

/** Complete, verifiable, upright and playable: what an auditor and a browser need. */
async function expectSoundPackage(zip: string, folder: string) {
  await execFileAsync('unzip', ['-t', zip])
  await execFileAsync('unzip', ['-q', '-d', folder, zip])
  await execFileAsync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder })
  const names = await readdir(folder)
  const { files } = JSON.parse(await readFile(join(folder, 'manifesto.json'), 'utf8'))
  expect(names.sort()).toEqual(
    [...files.map(({ name }: { name: string }) => name), 'manifesto.json', 'SHA256SUMS'].sort(),
  )
  const nameOf = (original: string) =>
    join(
      folder,
      files.find((file: { original: { filename: string } }) => file.original.filename === original).name,
    )
  for (const original of ['doze-megapixels.jpg', 'de-lado.jpg', 'tela.png'])
    expect(await quadrantColours(nameOf(original)), original).toBe(UPRIGHT)
  const pictures = names.filter((name) => ['.jpg', '.png'].includes(extname(name)))
  expect(pictures).toHaveLength(4)
  for (const name of pictures)
    expect((await readFile(join(folder, name))).includes('GPSLatitude')).toBe(false)
  const videoPath = nameOf('teste-de-rodagem.mp4')
  const { streams } = await ffprobe(videoPath)
  expect(streams.map((stream: { codec_name: string }) => stream.codec_name)).toEqual(['h264', 'aac'])
  expect(await startsFast(videoPath)).toBe(true)
}
