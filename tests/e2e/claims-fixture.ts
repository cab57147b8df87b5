import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { photo } from '../support/media.ts'
import { COMPLETE_ORDER, type OrderFixture } from './order-fixture.ts'
import type { Product } from './product.ts'
import { temporary } from './ui-steps.ts'

export const CLAIM_LINES = [
  { kind: 'part', description: 'Bucha', part_number: '51393', quantity: 1, is_causal: true, claimed: 1200.5 },
  { kind: 'labour', description: 'Troca da bucha', labour_code: '410115', hours: 1.5, claimed: 350 },
]

export const claimPanel = (page: Page, name: string) => page.getByRole('region', { name: `SG ${name}` })
export const dialog = (page: Page) => page.getByRole('dialog')
export async function expectState(page: Page, name: string, state: string) {
  await expect(claimPanel(page, name).locator('.badge').first()).toHaveText(state, { timeout: 60_000 })
  await expect(dialog(page)).toHaveCount(0)
}

/** A photo of the order, whose conversion is asked for. */
export async function startConversion(
  { url }: Pick<Product, 'url'>,
  fixture: OrderFixture,
  order: number,
  category = 'defeito',
) {
  const path = await photo(await temporary(), { name: `${category}-${order}`, noise: 40 })
  const form = new FormData()
  form.append('category', category)
  form.append('files', new Blob([await readFile(path)]), basename(path))
  const reply = await fetch(`${url}/api/v1/evidence/${order}/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.token}` },
    body: form,
  })
  expect(reply.status).toBe(201)
  await fixture.post(`/evidence-conversion/${order}/convert-all`)
}

/** A photo of the order, converted, so that a dossier can be sealed. */
export async function convertedPhoto(
  product: Pick<Product, 'url'>,
  fixture: OrderFixture,
  order: number,
  category?: string,
) {
  await startConversion(product, fixture, order, category)
  await expect
    .poll(async () => (await fixture.get(`/service-orders/${order}`)).conversion_status, { timeout: 60_000 })
    .toBe('available')
}

/** An order with a converted photo, completed with what its brand still asks on record. */
export async function completedOrder(
  product: Pick<Product, 'url'>,
  fixture: OrderFixture,
  os_number: string,
  fields: object = {},
) {
  const { id } = await fixture.order({ os_number, ...COMPLETE_ORDER, ...fields })
  await convertedPhoto(product, fixture, id)
  await fixture.post(`/service-orders/${id}/status/completed?reason=Entregue`)
  return id
}

/** Sends a claim; the first try has the dossier sealed. */
export async function sendOverApi(fixture: OrderFixture, id: number, brand_number = `N-${id}`) {
  await expect(async () => {
    await fixture.post(`/claims/${id}/submit`, { brand_number })
  }).toPass({ timeout: 60_000 })
}
