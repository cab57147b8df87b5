import type { ConfirmedDossier } from '@garantia/shared/dossier/proof'
import { notFound } from '@garantia/shared/errors'
import type { Ctx } from '../../../kernel/context.ts'
import { networkOf } from '../../../kernel/origin.ts'
import { throttle } from '../../../kernel/throttle.ts'
import { findByFingerprint } from './queries.ts'

const UNKNOWN = 'Nenhum dossiê com esta impressão digital foi selado aqui.'
const SWITCHED_OFF = 'Esta instalação não confirma dossiês publicamente. Fale com quem o entregou.'
const PER_NETWORK = 60
const QUARTER_HOUR = 15 * 60

/**
 * Confirms to anybody that a manifest, or the contents that a report quotes, was sealed here, and says nothing else
 * about it. 404 when it was not, or its order was deleted, or where this is switched off (PUBLIC_VERIFICATION); 429
 * after 60 questions of a network in 15 minutes.
 */
export async function confirmDossier(ctx: Ctx, sha256: string): Promise<ConfirmedDossier> {
  if (!ctx.config.PUBLIC_VERIFICATION) throw notFound(SWITCHED_OFF)
  const network = networkOf(ctx.origin?.ip ?? null)
  await throttle(ctx, { bucket: `confirmation|${network}`, hits: PER_NETWORK, window_seconds: QUARTER_HOUR })
  const found = await findByFingerprint(ctx, sha256)
  if (!found?.sealed_at) throw notFound(UNKNOWN)
  return {
    subject: found.manifest_sha256 === sha256 ? 'manifest' : 'contents',
    sealed_at: found.sealed_at.toISOString(),
    key_id: found.key_id,
  }
}
