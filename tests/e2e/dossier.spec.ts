import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Locator, test } from '@playwright/test'
import { photo } from '../support/media.ts'
import { createOrderFixture } from './order-fixture.ts'
import { apiAs, notice, openSignedIn, recordCalls } from './page-helpers.ts'
import { passSeconds, stopClock } from './polling.ts'
import { openProduct, type Product } from './product.ts'
import { execFileAsync, temporary } from './ui-steps.ts'

let product: Product
let order_id: number
test.beforeAll(async () => {
  product = await openProduct()
  const boss = await apiAs(product, product.firstSuperuser)
  const { order } = await createOrderFixture(product)
  order_id = (await order({ os_number: '000777' })).id
  const dir = await temporary()
  for (const name of ['um', 'dois']) await send(await photo(dir, { name, noise: name.length * 20 }))
  await boss.post(`/evidence-conversion/${order_id}/convert-all`)
  const report = `${product.url}/api/v1/evidence-conversion/${order_id}/conversion-report`
  const headers = { authorization: `Bearer ${boss.token}` }
  await expect
    .poll(async () => (await (await fetch(report, { headers })).json()).converted_count, { timeout: 60_000 })
    .toBe(2)
})

/** Another clerk adds a file to the order over the API. */
async function send(path: string) {
  const { token } = await apiAs(product, product.firstSuperuser)
  const form = new FormData()
  form.append('files', new Blob([await readFile(path)]), path.split('/').at(-1))
  const url = `${product.url}/api/v1/evidence/${order_id}/upload`
  const reply = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  expect(reply.status).toBe(201)
}

test('a page is notified of a change immediately, without polling', async ({ page }) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.clock.install()
  const listening = page.waitForResponse((answer) => answer.url().includes(`/live/${order_id}/`))
  await page.goto(`${product.url}/os/${order_id}`)
  expect((await listening).headers()['content-type']).toContain('text/event-stream')
  const tab = page.getByRole('tab', { name: /Evidências/ })
  await expect(tab).toContainText('2')
  // After the conversion nothing on this tab polls any more.
  await expect(page.getByText('Disponível').first()).toBeVisible({ timeout: 60_000 })
  await stopClock(page)
  // A thumbnail that is finished meanwhile is notified, too; polling would leave no four seconds without a call.
  await expect(async () => {
    const asked = recordCalls(page, 'evidence.list')
    await passSeconds(page, 4)
    expect(asked).toEqual([])
  }).toPass()
  const asked = recordCalls(page, 'evidence.list')
  await page.clock.resume()
  await send(await photo(await temporary(), { name: 'de-longe', noise: 90 }))
  await expect(tab).toContainText('3')
  expect(asked.length).toBeGreaterThan(0)
})

test('a dossier is built with progress, listed and downloaded, on a phone too (beyond 1.3)', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 900 })
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${order_id}?tab=evidencias`)
  const panel = page.getByRole('region', { name: 'Dossiê', exact: true })
  const versions = panel.getByRole('listitem')
  await expect(panel.getByRole('button', { name: 'Gerar dossiê' })).toBeEnabled()
  const before = await versions.count()
  await panel.getByRole('button', { name: 'Gerar dossiê' }).click()
  await expect(notice(page, 'Dossiê em preparação')).toBeVisible()
  await expect(versions).toHaveCount(before + 1)
  const newest = versions.first()
  await expect(newest).toContainText(`Versão ${before + 1}`)
  await expect(newest.getByText('Selado')).toBeVisible({ timeout: 60_000 })
  // It stands above the files at every width, so that nobody has to look for it below them.
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const top = async (place: Locator) => (await place.boundingBox())?.y ?? Number.NaN
    expect(await top(panel)).toBeLessThan(await top(page.getByRole('button', { name: /^Excluir um/ })))
  }
  const saving = page.waitForEvent('download')
  await newest.getByRole('button', { name: /^ZIP · .* baixar/ }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe(`os_000777_dossie_${before + 1}.zip`)
  const dir = await temporary()
  await saved.saveAs(join(dir, 'dossie.zip'))
  await execFileAsync('unzip', ['-q', 'dossie.zip', '-d', 'dossie'], { cwd: dir })
  const { stdout } = await execFileAsync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: join(dir, 'dossie') })
  expect(stdout).not.toContain('FAILED')
})

test('an order under legal hold says so, and none of its files can be deleted (D-47)', async ({ page }) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${order_id}?tab=evidencias`)
  await page.getByRole('button', { name: 'Retenção judicial' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Reter' }).click()
  await expect(dialog.getByText('Informe o motivo da retenção')).toBeVisible()
  await dialog.getByLabel('Motivo').fill('Processo 0001234-56.2026')
  await dialog.getByRole('button', { name: 'Reter' }).click()
  await expect(notice(page, 'OS em retenção judicial')).toBeVisible()
  await expect(page.getByText('Processo 0001234-56.2026')).toBeVisible()

  const remove = page.getByRole('button', { name: /^Excluir um.*: OS em retenção judicial/ })
  await expect(remove).toBeDisabled()
  await expect(remove).toHaveAttribute('title', /^OS em retenção judicial/)
  await page.locator('[data-card]').first().press('Delete')
  await expect(
    page.locator('.toast').filter({ hasText: 'nada pode ser excluído até a liberação' }),
  ).toBeVisible()
  await page.getByRole('button', { name: /^Ações da OS/ }).click()
  await expect(page.getByRole('menuitem', { name: /^Excluir.*OS em retenção judicial/ })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)

  await page.getByRole('button', { name: 'Liberar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Encerrar retenção' }).click()
  await expect(notice(page, 'Retenção judicial encerrada')).toBeVisible()
  await expect(page.getByText('Processo 0001234-56.2026')).toHaveCount(0)
})
