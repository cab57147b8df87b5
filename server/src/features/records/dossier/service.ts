import { type DossierPart, type DossierView, isUnderWay } from '@garantia/shared/dossier/schema'
import { conflict, notFound } from '@garantia/shared/errors'
import { authorize } from '@garantia/shared/policy'
import { EXPIRED_FILE } from '@garantia/shared/retention/rules'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import type { StoredObject } from '../../../kernel/storage/storage.ts'
import { throttle } from '../../../kernel/throttle.ts'
import { liveFiles } from '../../evidence/files/service.ts'
import { packagedFiles } from '../../evidence/package/service.ts'
import { dossierLimits, refuseFullCompany } from '../../evidence/quota/service.ts'
import { dossiersOf, enqueueDossier } from '../../orders/dossier-request/service.ts'
import { lockedOrder, visibleOrder } from '../../orders/order/service.ts'
import { downloadOf } from './download.ts'
import { type DossierFileRow, type DossierRow, partsOf } from './queries.ts'
import { timestampsOf } from './timestamps.ts'

export {
  type Archive,
  archiveOf,
  type MadePart,
  type Preparation,
  prepareContents,
} from './archive.ts'
export {
  type DossierBuild,
  failDossier,
  failStrandedDossiers,
  readContents,
  reportDossier,
} from './build-dossier.ts'
export { confirmDossier } from './confirmation.ts'
export { currentDossier, differenceSinceDossier, dossierZip } from './current.ts'
export { houseKeys, idOfKey } from './keys.ts'
export { sealDossier } from './seal.ts'
export { type StampFault, stampDossiers, verifyStamps } from './timestamps.ts'
export { verifierPage } from './verifier.ts'

const MISSING = 'Dossiê não encontrado'

const present = (
  row: DossierRow,
  files: readonly DossierFileRow[],
  timestamp: DossierView['timestamp'] = null,
): DossierView => ({
  id: row.id,
  order_id: row.order_id,
  n: row.n,
  status: row.status,
  progress: row.progress,
  error: row.status === 'failed' ? row.error : null,
  created_at: row.created_at.toISOString(),
  actor: row.actor_name,
  sealed_at: row.sealed_at?.toISOString() ?? null,
  timestamp,
  files: files
    .filter(({ dossier_id }) => dossier_id === row.id)
    .map(({ part, size, sha256 }) => ({ part, size, sha256 })),
  is_purged: row.purged_at !== null,
})

/** The dossiers of an order, newest version first. 404 when the order is outside the caller's scope. */
export async function listDossiers(ctx: Ctx, order_id: number) {
  authorize(ctx.actor, 'evidence.read', await visibleOrder(ctx, order_id))
  const rows = await dossiersOf(ctx, order_id)
  const ids = rows.map(({ id }) => id)
  const [files, timestamps] = [await partsOf(ctx, ids), await timestampsOf(ctx, ids)]
  return { data: rows.map((row) => present(row, files, timestamps.get(row.id))), count: rows.length }
}

/**
 * Queues a new version (button «Gerar dossiê»), for closed orders too; a version in preparation is returned
 * instead. 404 when the order is outside the caller's scope; 409 without converted files or when they have
 * expired; 429 over the dossiers of an hour; 507 when the company has reached its limit. Completing an order
 * makes a dossier without asking here, so no limit can keep it from being completed.
 */
export async function requestDossier(ctx: Ctx, order_id: number): Promise<DossierView> {
  authorize(ctx.actor, 'dossier.build', await visibleOrder(ctx, order_id))
  return inTransaction(ctx, async (ctx) => {
    const { company_id } = await lockedOrder(ctx, order_id)
    const running = (await dossiersOf(ctx, order_id)).find(({ status }) => isUnderWay(status))
    if (running) return present(running, [])
    const files = packagedFiles(await liveFiles(ctx, order_id))
    if (files.length === 0) throw conflict('Nenhum arquivo convertido para o dossiê.')
    if (ctx.actor.kind === 'user') {
      // Inside of the transaction, so that a request that makes no dossier is not counted.
      for (const limit of dossierLimits(ctx, company_id)) await throttle(ctx, limit)
      const size = files.reduce((sum, file) => sum + file.size, 0)
      await refuseFullCompany(ctx, company_id, size)
    }
    return present(await enqueueDossier(ctx, order_id), [])
  })
}

/**
 * The stored file of a sealed version. 404 when the order is outside the caller's scope, or version or part
 * do not exist; 409 when it is not sealed yet or its files have expired.
 */
export async function chooseDossierFile(
  ctx: Ctx,
  order_id: number,
  n: number,
  part: DossierPart,
): Promise<StoredObject> {
  const order = await visibleOrder(ctx, order_id)
  authorize(ctx.actor, 'evidence.read', order)
  const row = (await dossiersOf(ctx, order_id)).find((one) => one.n === n)
  if (!row) throw notFound(MISSING)
  if (row.status !== 'sealed') throw conflict('Este dossiê ainda não está pronto.')
  if (row.purged_at) throw conflict(EXPIRED_FILE)
  const file = (await partsOf(ctx, [row.id])).find((one) => one.part === part)
  if (!file) throw notFound(MISSING)
  ctx.securityLog.note(ctx, { kind: 'dossier.downloaded', order_id, details: { n, part } })
  return downloadOf(order.os_number, n, file)
}
