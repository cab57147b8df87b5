import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { EvidenceList } from '@garantia/shared/evidence/schema'
import { bytes, percentSaved } from '@garantia/shared/format'
import { expect, type Page, test } from '@playwright/test'
import { photo, truncated } from '../support/media.ts'
import { createOrderFixture, type OrderFixture } from './order-fixture.ts'
import { intercept, notice, openSignedIn, recordCalls } from './page-helpers.ts'
import { expectPolls, stopClock } from './polling.ts'
import { openProduct, type Product } from './product.ts'
import { temporary } from './ui-steps.ts'

let product: Product
let fixture: OrderFixture
/** One order with a converted, a failed and a pending file, and an empty one. */
let id: number
let empty: number
let done: number
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
  id = (await fixture.order({ os_number: '000777' })).id
  empty = (await fixture.order({ os_number: '000778' })).id
  const dir = await temporary()
  done = await send(await photo(dir, { name: 'painel', width: 2400, height: 1800, noise: 90 }), {
    category: 'odometro',
    description: 'Painel com o motor ligado',
  })
  const whole = await photo(dir, { name: 'inteira', width: 1600, height: 1200, noise: 120 })
  const cut = await send(await truncated(dir, whole, 'cortada.jpg'))
  await send(await photo(dir, { name: 'espera', noise: 40 }))
  for (const file of [done, cut]) await convert(file)
})

const listed = (): Promise<EvidenceList> => fixture.get(`/evidence/${id}/evidence`)
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const count = (page: Page, label: string) =>
  page.locator('.evidence-counts div', { hasText: new RegExp(`^${label}`) }).locator('dd')

/** Uploads a file and returns the id of its row. */
async function send(path: string, fields: Record<string, string> = {}) {
  const form = new FormData()
  form.append('files', new Blob([await readFile(path)]), basename(path))
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const reply = await fetch(`${product.url}/api/v1/evidence/${id}/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.token}` },
    body: form,
  })
  const { uploaded, errors } = await reply.json()
  expect(errors).toEqual([])
  return uploaded[0].id as number
}
async function convert(file: number) {
  await fixture.post(`/evidence-conversion/${file}/convert`)
  const state = async () => (await listed()).evidence_files.find((one) => one.id === file)?.status
  await expect.poll(state, { timeout: 60_000 }).toMatch(/converted|failed/)
}

test('the tab shows the state and the actions of every file (EVI-1, EVI-2, EVI-4 to EVI-13, EVI-15, STA-19, STA-21, STA-22)', async ({
  page,
}) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${empty}?tab=evidencias`)
  await expect(page.getByText('Nenhuma evidência enviada')).toBeVisible()
  await expect(button(page, 'Converter Todos')).toHaveCount(0)
  await expect(button(page, 'Baixar Evidências (ZIP)')).toHaveCount(0)
  await page.goto(`${product.url}/os/${id}?tab=evidencias`)

  const [tally, file] = [await listed(), (await listed()).evidence_files.find((one) => one.id === done)]
  expect(tally.evidence_files.map(({ status }) => status).sort()).toEqual(['converted', 'failed', 'pending'])
  for (const [label, figure] of [
    ['Total', '3'],
    ['Convertidos', '1'],
    ['Convertendo', '0'],
  ] as const)
    await expect(count(page, label)).toHaveText(figure)
  await expect(button(page, 'Converter Todos')).toBeEnabled()
  await expect(button(page, 'Baixar Evidências (ZIP)')).toBeEnabled()

  const [ready, failed, waiting] = [
    card(page, 'painel.jpg'),
    card(page, 'cortada.jpg'),
    card(page, 'espera.jpg'),
  ]
  const size = file?.file_size ?? 0
  const saved = percentSaved(size, file?.converted_size ?? 0)
  expect(saved).toBeGreaterThan(0)
  for (const words of ['Imagem', 'Pronto', 'painel.jpg', 'Odômetro', 'Painel com o motor ligado'])
    await expect(ready.getByText(words, { exact: true })).toBeVisible()
  await expect(ready).toContainText(bytes(size))
  await expect(ready).toContainText(`${bytes(file?.converted_size ?? 0)} −${saved} %`)
  await expect(ready).toContainText(file?.converted_filename ?? 'sem nome')
  for (const name of [
    'Baixar painel.jpg convertido',
    'Baixar o original de painel.jpg',
    'Excluir painel.jpg',
  ])
    await expect(button(page, name)).toBeEnabled()
  await expect(button(page, 'Processar painel.jpg')).toHaveCount(0)

  await expect(failed.getByText('Erro', { exact: true })).toBeVisible()
  await expect(waiting.getByText('Pendente', { exact: true })).toBeVisible()
  for (const name of ['cortada.jpg', 'espera.jpg']) {
    await expect(button(page, `Processar ${name}`)).toBeEnabled()
    await expect(button(page, `Excluir ${name}`)).toBeEnabled()
    await expect(button(page, `Baixar ${name} convertido`)).toHaveCount(0)
  }

  const reason = tally.evidence_files.find(({ status }) => status === 'failed')?.error ?? 'sem motivo'
  await expect(failed).toContainText(reason)
  await button(page, 'Ver cortada.jpg').click()
  await expect(page.getByRole('note', { name: 'Erro na conversão' })).toContainText(reason)
})

test('files are polled every 3 seconds and the report every 5 (EVI-16, EVI-17, CON-14)', async ({ page }) => {
  await openSignedIn(page, product, product.firstSuperuser)
  // Without server-sent events, which would trigger requests of their own.
  await intercept(page, /live\.address/, (route) => route.abort())
  await page.clock.install()
  await page.goto(`${product.url}/os/${id}?tab=evidencias`)
  await expect(count(page, 'Total')).toBeVisible()
  await stopClock(page)
  await expectPolls(page, { 'evidence.list': 3_000, 'conversion.report': 5_000 }, { seconds: 31, times: 4 })
})

test('what is notified is not polled as well (D-24)', async ({ page }) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.clock.install()
  const listening = page.waitForResponse((answer) => answer.url().includes(`/live/${id}/`))
  await page.goto(`${product.url}/os/${id}?tab=evidencias`)
  await listening
  await expect(count(page, 'Total')).toBeVisible()
  // One more reading each, which was due before the page was notified.
  await page.clock.runFor(6_000)
  // A thumbnail that is finished meanwhile is notified, too; polling would leave no twenty seconds without a call.
  await expect(async () => {
    const calls = [recordCalls(page, 'evidence.list'), recordCalls(page, 'conversion.report')]
    for (let second = 0; second < 20; second++) await page.clock.runFor(1_000)
    expect(calls).toEqual([[], []])
  }).toPass()
  const total = Number(await count(page, 'Total').textContent())
  await send(await photo(await temporary(), { name: 'avisada', noise: 60 }))
  await expect(count(page, 'Total')).toHaveText(String(total + 1))
})

test('several cards get a category in one act, by mouse and by keyboard, and one click undoes it (D-67)', async ({
  page,
}) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${id}?tab=evidencias`)
  const bar = page.getByRole('region', { name: 'Arquivos selecionados' })
  const categories = async () => (await listed()).evidence_files.map((file) => file.evidence_category)
  const before = await categories()
  const calls = recordCalls(page, 'evidence.changeMany')
  await page.getByLabel('Selecionar painel.jpg').check()
  await page.getByLabel('Selecionar espera.jpg').click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('3 arquivos selecionados')
  await bar.getByRole('button', { name: 'Categoria' }).click()
  await page.getByRole('menuitem', { name: 'Placa do Veículo' }).click()
  await expect(notice(page, 'Categoria alterada', '3 arquivos')).toBeVisible()
  expect((await categories()).slice(0, 3)).toEqual(['placa', 'placa', 'placa'])
  expect(calls).toHaveLength(1)
  await expect(bar).toHaveCount(0)
  // Nobody is left without a focus when the bar goes.
  await expect(card(page, 'painel.jpg')).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect.poll(categories).toEqual(before)

  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowRight')
  await expect(bar).toContainText('2 arquivos selecionados')
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await page.keyboard.press('x')
  await page.keyboard.press('t')
  await expect(page.getByRole('menuitem', { name: 'Defeito Reportado' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(card(page, 'cortada.jpg').getByText('Tela do Aparelho', { exact: true })).toBeVisible()
  await expect(card(page, 'cortada.jpg')).toBeFocused()
})

test('failures of a file show their reason (EVI-20, EVI-22, EVI-24)', async ({ page, context }) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${id}?tab=evidencias`)
  await expect(card(page, 'espera.jpg')).toBeVisible()
  const remove = async () => {
    await button(page, 'Excluir espera.jpg').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  }
  await context.setOffline(true)
  await button(page, 'Processar espera.jpg').click()
  await expect(notice(page, 'Erro ao iniciar conversão')).toBeVisible()
  await remove()
  await expect(notice(page, 'Erro ao excluir', 'Erro ao excluir arquivo')).toBeVisible()
  await button(page, 'Baixar Evidências (ZIP)').click()
  await expect(notice(page, 'Erro ao baixar', 'Não foi possível baixar o arquivo ZIP')).toBeVisible()
  await context.setOffline(false)

  // Somebody closes the order while this page is open.
  await expect(button(page, 'Excluir espera.jpg')).toBeEnabled()
  await button(page, 'Excluir espera.jpg').click()
  await fixture.post(`/service-orders/${id}/status/cancelled?reason=desistiu`)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  await expect(
    notice(page, 'Erro ao excluir', 'OS concluída ou cancelada não pode ser editada'),
  ).toBeVisible()
})

test('«e mais 2» of a long list of problems leads to all of them, by mouse and by keyboard (EVI-25)', async ({
  page,
}) => {
  const required_categories = ['defeito', 'odometro', 'chassi', 'placa', 'pecas', 'solucionado'].map(
    (category) => ({
      category,
      min: 1,
    }),
  )
  await fixture.patch(`/brands/${fixture.brand('Honda')}`, { required_categories })
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${empty}?tab=evidencias`)
  const checklist = page.getByRole('region', { name: 'Exigido por Honda' })
  const more = notice(page, 'Problemas na validação').getByRole('button', { name: /^e mais \d+$/ })
  await checklist.getByRole('button', { name: 'Validar' }).click()
  await more.click()
  await expect(checklist).toBeFocused()
  await expect(checklist).toBeInViewport()
  await notice(page, 'Problemas na validação').getByRole('button', { name: 'Fechar' }).click()
  await expect(more).toHaveCount(0)
  await button(page, 'Validar').press('Enter')
  await more.press('Enter')
  await expect(checklist).toBeFocused()
})
