import { CLAIMS_BULK_MAX } from '@garantia/shared/claims/bulk'
import type { ClaimRow } from '@garantia/shared/claims/schema'
import type { Actor } from '@garantia/shared/policy'
import { stepsOfRow } from './claim-rows.tsx'

export type BulkStep = 'submit' | 'decide'
export const BULK_LABEL: Record<BulkStep, string> = {
  submit: 'Enviar à marca',
  decide: 'Registrar resposta',
}

/** Which of the two some of these claims allow. */
export function bulkStepsOf(actor: Actor, claims: readonly ClaimRow[]): BulkStep[] {
  const allows = (...steps: readonly string[]) =>
    claims.some((claim) => stepsOfRow(actor, claim).steps.some((step) => steps.includes(step)))
  return [
    ...(allows('send', 'resend') ? (['submit'] as const) : []),
    ...(allows('decide') ? (['decide'] as const) : []),
  ]
}

/** Why nothing can be done with all of them at once; null when it can. */
export function bulkRefusal(claims: readonly ClaimRow[]) {
  if (claims.length > CLAIMS_BULK_MAX) return `Máximo de ${CLAIMS_BULK_MAX} solicitações por vez`
  return new Set(claims.map(({ brand_id }) => brand_id)).size > 1
    ? 'Escolha solicitações de uma só marca'
    : null
}
