import { type DecisionLine, decisionCorrection, submissionInput } from '@garantia/shared/claims/answers'
import {
  appealInput,
  claimChange,
  claimDifference,
  claimEdit,
  claimInput,
  claimReason,
  claimView,
  orderClaims,
} from '@garantia/shared/claims/schema'
import { byId } from '@garantia/shared/fields'
import { endpoint } from '../../../http/rest.ts'
import {
  appealClaim,
  changeClaim,
  claimsOfOrder,
  correctDecision,
  differenceSince,
  openClaim,
  readClaim,
  resendMail,
  submitClaim,
  withdrawClaim,
} from './service.ts'

const ofOrder = '/service-orders/{id}/claims'
const at = '/claims/{id}'
/** Without a version the last write wins (D-49). */
const claimBody = claimChange.extend({ version: claimEdit.shape.version })
const refused: DecisionLine = {
  line_id: 2,
  authorised: 0,
  reason: 'evidence_missing',
  evidence_category: 'defeito',
}

export const claimEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: ofOrder,
      summary: 'Lista as solicitações de garantia da ordem',
      params: byId,
      reply: orderClaims,
    },
    (ctx, { params }) => claimsOfOrder(ctx, params.id),
  ),
  endpoint(
    {
      method: 'POST',
      path: ofOrder,
      summary: 'Abre uma solicitação de garantia, como rascunho',
      example: {
        type: 'normal',
        lines: [
          {
            kind: 'part',
            description: 'Módulo ABS',
            part_number: '5Q0614517',
            quantity: 1,
            is_causal: true,
            claimed: 1890.5,
          },
          { kind: 'labour', description: 'Troca do módulo', labour_code: '4512', hours: 1.5, claimed: 285 },
        ],
      },
      errors: ['forbidden', 'conflict'],
      params: byId,
      action: 'claim.open',
      body: claimInput,
      reply: claimView,
    },
    (ctx, { params, body }) => openClaim(ctx, params.id, body),
  ),
  endpoint(
    {
      method: 'GET',
      path: at,
      summary: 'Mostra uma solicitação de garantia',
      params: byId,
      reply: claimView,
    },
    (ctx, { params }) => readClaim(ctx, params.id),
  ),
  endpoint(
    {
      method: 'PATCH',
      path: at,
      summary: 'Altera o rascunho de uma solicitação de garantia; os itens, se informados, substituem todos',
      example: { note: 'Peça em garantia da fábrica' },
      errors: ['forbidden', 'conflict'],
      params: byId,
      action: 'claim.open',
      body: claimBody,
      reply: claimView,
    },
    (ctx, { params, body: { version, ...change } }) => changeClaim(ctx, { id: params.id, version, change }),
  ),
  endpoint(
    {
      method: 'POST',
      path: `${at}/submit`,
      summary: 'Registra o envio à marca, ou o reenvio, com o dossiê selado mais novo',
      example: { channel: 'portal', brand_number: 'GW.2026-1234' },
      errors: ['forbidden', 'conflict', 'too_many', 'storage_full'],
      params: byId,
      action: 'claim.send',
      body: submissionInput,
      reply: claimView,
    },
    (ctx, { params, body }) => submitClaim(ctx, params.id, body),
  ),
  endpoint(
    {
      method: 'POST',
      path: `${at}/resend-mail`,
      summary: 'Envia de novo à marca, com o mesmo dossiê, o e-mail que falhou de vez',
      errors: ['forbidden', 'conflict'],
      params: byId,
      reply: claimView,
    },
    (ctx, { params }) => resendMail(ctx, params.id),
  ),
  endpoint(
    {
      method: 'POST',
      path: `${at}/correct-decision`,
      summary: 'Corrige a resposta registrada da marca por outra, com motivo',
      example: { reason: 'Valor digitado errado', lines: [{ line_id: 1, authorised: 1890.5 }, refused] },
      errors: ['forbidden', 'conflict'],
      params: byId,
      action: 'claim.correct',
      body: decisionCorrection,
      reply: claimView,
    },
    (ctx, { params, body }) => correctDecision(ctx, params.id, body),
  ),
  endpoint(
    {
      method: 'POST',
      path: `${at}/withdraw`,
      summary: 'Retira uma solicitação de garantia que a marca não decidiu',
      example: { reason: 'Aberta para a OS errada' },
      errors: ['forbidden', 'conflict'],
      params: byId,
      action: 'claim.withdraw',
      body: claimReason,
      reply: claimView,
    },
    (ctx, { params, body }) => withdrawClaim(ctx, params.id, body),
  ),
  endpoint(
    {
      method: 'POST',
      path: `${at}/appeal`,
      summary: 'Abre a reconsideração de uma solicitação; sem itens, leva tudo o que pode ser contestado',
      example: { note: 'Evidência do defeito anexada' },
      errors: ['forbidden', 'conflict'],
      params: byId,
      action: 'claim.open',
      body: appealInput,
      reply: claimView,
    },
    (ctx, { params, body }) => appealClaim(ctx, params.id, body),
  ),
  endpoint(
    {
      method: 'GET',
      path: `${at}/difference`,
      summary: 'Mostra o que mudou na OS e no pacote desde o dossiê enviado por último',
      params: byId,
      reply: claimDifference,
    },
    (ctx, { params }) => differenceSince(ctx, params.id),
  ),
]
