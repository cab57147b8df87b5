import { decisionInput } from '@garantia/shared/claims/answers'
import {
  creditNoteInput,
  debitInput,
  entryCorrection,
  paymentInput,
  writeOffInput,
} from '@garantia/shared/claims/entries'
import { claimReason, claimView } from '@garantia/shared/claims/schema'
import { byId } from '@garantia/shared/fields'
import { endpoint } from '../../../http/rest.ts'
import {
  answerClaim,
  correctEntry,
  debitClaim,
  payClaim,
  reconcileClaim,
  recordCreditNote,
  writeOffClaim,
} from './service.ts'

const step = { method: 'POST', errors: ['forbidden', 'conflict'], params: byId, reply: claimView } as const

export const claimEntryEndpoints = [
  endpoint(
    {
      ...step,
      path: '/claims/{id}/decide',
      summary:
        'Registra a resposta da marca: em análise, devolvida, ou o autorizado de cada item; com ela o pagamento',
      example: {
        answer: 'decided',
        lines: [
          { line_id: 1, authorised: 1890.5 },
          { line_id: 2, authorised: 0, reason: 'evidence_missing', evidence_category: 'defeito' },
        ],
        payment: { booked_on: '2026-11-24', amount: 1890.5 },
      },
      action: 'claim.decide',
      body: decisionInput,
    },
    (ctx, { params, body }) => answerClaim(ctx, params.id, body),
  ),
  endpoint(
    {
      ...step,
      path: '/claims/{id}/credit-note',
      summary: 'Registra o dia da nota de crédito da marca, de que podem correr prazos; `null` a desfaz',
      example: { credit_note_on: '2026-11-24' },
      action: 'claim.pay',
      body: creditNoteInput,
    },
    (ctx, { params, body }) => recordCreditNote(ctx, params.id, body),
  ),
  endpoint(
    {
      ...step,
      path: '/claims/{id}/pay',
      summary: 'Registra um pagamento da marca, por item ou de um total',
      example: { booked_on: '2026-11-24', amount: 1250.4 },
      action: 'claim.pay',
      body: paymentInput,
    },
    (ctx, { params, body }) => payClaim(ctx, params.id, body),
  ),
  endpoint(
    {
      ...step,
      path: '/claims/{id}/debit',
      summary: 'Registra um estorno: o que a marca tomou de volta, por item',
      example: { booked_on: '2026-11-24', reason: 'Auditoria da marca', lines: [{ line_id: 1, amount: 80 }] },
      action: 'claim.debit',
      body: debitInput,
    },
    (ctx, { params, body }) => debitClaim(ctx, params.id, body),
  ),
  endpoint(
    {
      ...step,
      path: '/claims/{id}/write-off',
      summary: 'Dá baixa do que falta, por item; acima do limite da empresa, só administradores',
      example: { reason: 'Diferença de centavos', lines: [{ line_id: 1, amount: 0.4 }] },
      action: 'claim.write-off',
      body: writeOffInput,
    },
    (ctx, { params, body }) => writeOffClaim(ctx, params.id, body),
  ),
  endpoint(
    {
      ...step,
      path: '/claims/{id}/correct-entry',
      summary: 'Corrige um lançamento por outro de valor contrário',
      example: { entry_id: 1, reason: 'Digitado na solicitação errada' },
      action: 'claim.correct',
      body: entryCorrection,
    },
    (ctx, { params, body }) => correctEntry(ctx, params.id, body),
  ),
  endpoint(
    {
      ...step,
      path: '/claims/{id}/reconcile',
      summary: 'Concilia uma solicitação de que nada mais se espera',
      example: { reason: 'Pago como autorizado' },
      action: 'claim.reconcile',
      body: claimReason,
    },
    (ctx, { params, body }) => reconcileClaim(ctx, params.id, body),
  ),
]
