import {
  differencePage,
  remittanceLineView,
  remittancePage,
  remittanceReport,
  remittanceView,
} from '@garantia/shared/claims/remittance'
import { answersReport, receivableReport, ruleProposals } from '@garantia/shared/claims/reports'
import { claimView } from '@garantia/shared/claims/schema'
import { isoDay } from '@garantia/shared/format'
import { IMPORT_LIMITS } from '@garantia/shared/orders/import'
import type { TestApp } from '../support/test-app.ts'
import { csv, mapping, PAID_ON, paidClaim, reason, remitted } from './claim-money-rows.ts'
import type { Row as Contract } from './people-rows.ts'
import { type Attempt, withTooManyOpen } from './upload-rows.ts'

export async function claimMoneyContract(testApp: TestApp): Promise<Contract[]> {
  const { make } = testApp
  const accepted = await make.claim({ state: 'accepted' })
  const [debited, corrected, reconciled] = [
    await paidClaim(testApp),
    await paidClaim(testApp),
    await paidClaim(testApp),
  ]
  const written = await make.claim({ state: 'partial', authorised: [60] })
  const { id: company_id } = await make.company()
  const { id: brand_id } = await make.brand()
  const owner = `company_id=${company_id}&brand_id=${brand_id}`
  const read = await remitted(testApp, company_id, brand_id)
  const done = await remitted(testApp, company_id, brand_id, 'done')
  const undone = await remitted(testApp, company_id, brand_id, 'done')
  const row = (call: Contract['call'], path: string, rest: Omit<Contract, 'id' | 'call' | 'path'>) => ({
    id: 'D-56',
    call,
    path,
    ...rest,
  })
  const step = (claim: { id: number }, name: string, body: object) =>
    row(`POST /claims/{id}/${name}`, `/claims/${claim.id}/${name}`, { body, reply: claimView })
  const lines = (line_id: number | undefined, amount: number) => [{ line_id, amount }]
  return [
    step(accepted, 'credit-note', { credit_note_on: isoDay(new Date()) }),
    step(accepted, 'pay', { booked_on: PAID_ON, amount: 99.99 }),
    step(debited, 'debit', { booked_on: PAID_ON, ...reason, lines: lines(debited.line_id, 0.01) }),
    step(written, 'write-off', { ...reason, lines: lines(written.lines[0]?.id, 40) }),
    step(corrected, 'correct-entry', { ...reason, entry_id: corrected.entry_id }),
    step(reconciled, 'reconcile', reason),
    row('GET /remittances', `/remittances?${owner}`, { reply: remittancePage }),
    row('POST /remittances', `/remittances?${owner}`, { ...csv(), status: 201, reply: remittanceView }),
    row('POST /remittances/typed', '/remittances/typed', {
      body: { company_id, brand_id, paid_on: PAID_ON, lines: [{ brand_number: 'nenhuma', amount: 10 }] },
      reply: remittanceView,
    }),
    row('POST /remittances/typed/check', '/remittances/typed/check', {
      body: { company_id, brand_id, lines: [{ brand_number: 'nenhuma', amount: 10 }] },
      reply: remittanceReport,
    }),
    row('GET /remittances/{id}', `/remittances/${read.id}`, { reply: remittanceView }),
    row('POST /remittances/{id}/check', `/remittances/${read.id}/check`, {
      body: { mapping },
      reply: remittanceReport,
    }),
    row('POST /remittances/{id}/run', `/remittances/${read.id}/run`, {
      body: { mapping, paid_on: PAID_ON },
      reply: remittanceView,
    }),
    row('POST /remittances/{id}/undo', `/remittances/${undone.id}/undo`, {
      body: reason,
      reply: remittanceView,
    }),
    row('GET /remittances/differences', '/remittances/differences?limit=5', { reply: differencePage }),
    row('POST /remittances/differences/{id}/resolve', `/remittances/differences/${done.line_id}/resolve`, {
      body: { resolution: 'ignored', note: 'Outra marca' },
      reply: remittanceLineView,
    }),
    row('GET /claims/reports/receivable', '/claims/reports/receivable', { reply: receivableReport }),
    row('GET /claims/reports/answers', '/claims/reports/answers?from=2026-01&until=2026-03', {
      reply: answersReport,
    }),
    row('GET /claims/reports/proposals', '/claims/reports/proposals', { reply: ruleProposals }),
  ]
}

export function claimMoneyRefusals(testApp: TestApp): Record<string, () => Promise<Attempt>> {
  const { make } = testApp
  const step = async (name: string, body: object) => ({
    path: `/claims/${(await make.claim()).id}/${name}`,
    body,
  })
  const owner = async () => `company_id=${(await make.company()).id}&brand_id=${(await make.brand()).id}`
  const path = async () => `/remittances?${await owner()}`
  const missing = 'company_id=999999&brand_id=1'
  const held = async (status: 'read' | 'reading' | 'done') =>
    remitted(testApp, (await make.company()).id, (await make.brand()).id, status)
  const lines = [{ line_id: 1, amount: 1 }]
  return {
    'POST /claims/{id}/credit-note 409': () => step('credit-note', { credit_note_on: PAID_ON }),
    'POST /claims/{id}/pay 409': () => step('pay', { booked_on: PAID_ON, amount: 1 }),
    'POST /claims/{id}/debit 409': () => step('debit', { booked_on: PAID_ON, ...reason, lines }),
    'POST /claims/{id}/write-off 409': () => step('write-off', { ...reason, lines }),
    'POST /claims/{id}/correct-entry 409': () => step('correct-entry', { ...reason, entry_id: 1 }),
    'POST /claims/{id}/reconcile 409': () => step('reconcile', reason),
    'POST /remittances 400': async () => ({
      path: await path(),
      body: 'nada disso é multipart',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    }),
    'POST /remittances 404': async () => ({ path: `/remittances?${missing}`, ...csv() }),
    'POST /remittances 413': async () => ({
      path: await path(),
      ...csv(Buffer.alloc(IMPORT_LIMITS.bytes + 1, 'x')),
    }),
    'POST /remittances 415': async () => ({ path: await path(), body: { file: 'x' } }),
    'POST /remittances 429': async () => ({
      as: await withTooManyOpen(testApp),
      path: await path(),
      ...csv(),
    }),
    'POST /remittances/typed 404': async () => ({
      path: '/remittances/typed',
      body: { company_id: 999_999, brand_id: 1, paid_on: PAID_ON, lines: [{ brand_number: 'x', amount: 1 }] },
    }),
    'POST /remittances/typed/check 404': async () => ({
      path: '/remittances/typed/check',
      body: { company_id: 999_999, brand_id: 1, lines: [{ brand_number: 'x', amount: 1 }] },
    }),
    'POST /remittances/{id}/check 409': async () => ({
      path: `/remittances/${(await held('reading')).id}/check`,
      body: { mapping },
    }),
    'POST /remittances/{id}/run 409': async () => ({
      path: `/remittances/${(await held('done')).id}/run`,
      body: { mapping, paid_on: PAID_ON },
    }),
    'POST /remittances/{id}/undo 409': async () => ({
      path: `/remittances/${(await held('read')).id}/undo`,
      body: reason,
    }),
    'POST /remittances/differences/{id}/resolve 409': async () => {
      const { line_id } = await held('done')
      const { kernel } = testApp
      await kernel.ctx.db
        .updateTable('remittance_lines')
        .set({ outcome: 'matched' })
        .where('id', '=', line_id)
        .execute()
      return {
        path: `/remittances/differences/${line_id}/resolve`,
        body: { resolution: 'ignored', note: 'Outra marca' },
      }
    },
  }
}
