import { CLAIM_EVENT, type ClaimEvent } from '@garantia/shared/claims/events'
import { expect, type Page } from '@playwright/test'
import { claimPanel, dialog } from './claims-fixture.ts'
import type { OrderFixture } from './order-fixture.ts'
import { operate, type Product } from './product.ts'

export const sinceSending = (page: Page) =>
  dialog(page).getByRole('region', { name: 'O que mudou desde o último envio' })
export const course = (page: Page, name: string) =>
  claimPanel(page, name).getByRole('list', { name: 'Andamento' })

export const remittance = (lines: [number: string, os: string, amount: string][]) => ({
  name: 'demonstrativo.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'SG;OS;Chassi;Valor',
      ...lines.map(([number, os, amount]) => `${number};${os};117974;${amount}`),
      '',
    ].join('\n'),
  ),
})
/** What the check of a remittance counts, before anything is booked. */
export const expectCount = (page: Page, name: string, value: string) =>
  expect(
    page
      .getByRole('region', { name: 'Conferência' })
      .locator('.import-counts > div', { has: page.getByText(name, { exact: true }) })
      .locator('dd'),
  ).toHaveText(value)

/** Every step is in the history on the screen, in this order, and in the event chain, which is whole. */
export async function expectLife(
  page: Page,
  { product, fixture, order }: { product: Product; fixture: OrderFixture; order: number },
  steps: readonly ClaimEvent[],
) {
  const events = page.locator('.timeline-event strong')
  await expect(events.first()).toBeVisible()
  const more = page.getByRole('button', { name: 'Carregar mais' })
  if (await more.isVisible()) await more.press('Enter')
  await expect(events).toHaveText(steps.map((step) => CLAIM_EVENT[step]).reverse())
  const { events: chain } = await fixture.get(`/service-orders/${order}/history?limit=100`)
  const kinds = (chain as { kind: string }[]).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind.startsWith('claim.')).reverse()).toEqual(steps)
  const report = JSON.parse(await operate(product, 'verificar-cadeia', '--id', String(order), '--json'))
  expect(report).toMatchObject({ orders: 1, events: chain.length, faults: [] })
  // Each sealed dossier holds the chain as it was then.
  expect(report.seals).toBe(3)
}
/**
 * The whole life of an order's claims: sent with a sealed dossier, returned by the brand, sent anew with what it
 * asked for, accepted in part and paid, appealed and complemented, paid by a remittance, reconciled, and debited.
 */
export const TO_APPEAL: readonly ClaimEvent[] = [
  'claim.opened',
  'claim.sent',
  'claim.returned',
  'claim.sent',
  'claim.decided',
  'claim.paid',
  'claim.opened',
  'claim.carried',
  'claim.sent',
  'claim.decided',
]
export const SUPPLEMENT: readonly ClaimEvent[] = ['claim.opened', 'claim.sent', 'claim.decided']
export const FROM_REMITTANCE: readonly ClaimEvent[] = ['claim.paid', 'claim.reconciled', 'claim.debited']
