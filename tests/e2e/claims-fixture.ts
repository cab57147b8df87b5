import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { expect } from '@playwright/test'
import { photo } from '../support/media.ts'
import type { OrderFixture } from './order-fixture.ts'
import type { Product } from './product.ts'
import { temporary } from './ui-steps.ts'

/** A photo of the order, whose conversion is asked for. */
export async function startConversion({ url }: Pick<Product, 'url'>, fixture: OrderFixture, order: number) {
  const path = await photo(await temporary(), { name: `foto-${order}`, noise: 40 })
  const form = new FormData()
  form.append('category', 'defeito')
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
export async function convertedPhoto(product: Pick<Product, 'url'>, fixture: OrderFixture, order: number) {
  await startConversion(product, fixture, order)
  await expect
    .poll(async () => (await fixture.get(`/service-orders/${order}`)).conversion_status, { timeout: 60_000 })
    .toBe('available')
}
