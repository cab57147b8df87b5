import { expect, test } from '@playwright/test'
import { convertedPhoto } from './claims-fixture.ts'
import { COMPLETE_ORDER, createOrderFixture } from './order-fixture.ts'
import { openSignedIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
let fixture: Awaited<ReturnType<typeof createOrderFixture>>
test.beforeAll(async () => {
  product = await openProduct()
  fixture = await createOrderFixture(product)
})

test('refusals are counted, lead to their claims, and propose a rule that a person declines, then accepts', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const { id: order } = await fixture.order({ os_number: '000921', ...COMPLETE_ORDER })
  await convertedPhoto(product, fixture, order)
  await fixture.post(`/service-orders/${order}/status/completed?reason=Entregue`)
  const lines = [1, 2, 3].map((n) => ({ kind: 'third_party', description: `Guincho ${n}`, claimed: 100 }))
  const { id } = await fixture.post(`/service-orders/${order}/claims`, { type: 'normal', lines })
  await expect(async () => {
    await fixture.post(`/claims/${id}/submit`, { brand_number: 'HND9' })
  }).toPass({ timeout: 60_000 })
  const claim = await fixture.get(`/claims/${id}`)
  await fixture.post(`/claims/${id}/decide`, {
    answer: 'decided',
    lines: claim.lines.map((line: { id: number }) => ({
      line_id: line.id,
      authorised: 0,
      reason: 'evidence_missing',
      evidence_category: 'causa',
    })),
  })
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/dashboard`)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  const reason = part('Recusas por motivo').getByRole('row', { name: /^Evidência ausente/ })

  await test.step('a figure leads to the list that makes it', async () => {
    await expect(reason).toContainText('R$ 300,00')
    await expect(part('Respostas').getByRole('row', { name: /^Honda/ })).toContainText('0')
    await reason.getByRole('link', { name: '1' }).click()
    await expect(page.getByText(/^Filtro de um relatório: recusadas .*Evidência ausente\.$/)).toBeVisible()
    await expect(page.getByRole('row', { name: /000921-1/ })).toBeVisible()
    await page.getByRole('button', { name: 'Remover este filtro' }).click()
    await expect(page.getByText('Filtro de um relatório')).toHaveCount(0)
    await page.goBack()
    await page.goBack()
  })
  const proposals = part('Propostas para as regras das marcas')
  const asked = page.getByRole('dialog').getByLabel('Causa', { exact: true })
  await test.step('declined: closed without saving, the rules stay as they are', async () => {
    await expect(proposals).toContainText('3 por falta de Causa. Exigir?')
    await proposals.getByRole('button', { name: 'Abrir as regras' }).click()
    await expect(asked).toHaveValue('1')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Descartar' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goBack()
  })
  await test.step('accepted: saved, and nothing is proposed any more', async () => {
    await proposals.getByRole('button', { name: 'Abrir as regras' }).click()
    await expect(asked).toHaveValue('1')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await expect(page.getByText('Regras salvas')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    await expect(reason).toBeVisible()
    await expect(proposals).toHaveCount(0)
  })
})
