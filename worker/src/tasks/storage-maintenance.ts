import { removeOldArchives } from '@garantia/server/features/evidence/archives'
import { recountStorage } from '@garantia/server/features/evidence/quota'
import { sweepUploads } from '@garantia/server/features/evidence/uploads'
import { anchorTrail, recordPresent } from '@garantia/server/features/records/chain'
import { applyCustomerRetention, removeOldExports } from '@garantia/server/features/records/privacy'
import { applyRetention, emptyBin } from '@garantia/server/features/records/retention'
import { lastBackupIn } from '@garantia/server/features/system/backup'
import type { Ctx } from '@garantia/server/kernel'
import type { Job } from '../task.ts'
import { verifyBackup, verifyFiles, verifyTrail } from '../verification.ts'

export const emptyBinDaily: Job<'empty-bin'> = async (ctx) => {
  const { orders, files, bytes } = await emptyBin(ctx)
  if (orders + files > 0) ctx.log.info({ orders, files, bytes }, 'lixeira esvaziada')
  const wrong = await recountStorage(ctx)
  if (wrong > 0) ctx.log.warn({ bytes: wrong }, 'soma do que as empresas ocupam corrigida')
}

export const sweepUploadsHourly: Job<'sweep-uploads'> = async (ctx) => {
  const { uploads, parts } = await sweepUploads(ctx)
  if (uploads + parts > 0) ctx.log.info({ uploads, parts }, 'envios abandonados eliminados')
  const archives = await removeOldArchives(ctx)
  if (archives > 0) ctx.log.info({ archives }, 'pacotes expirados eliminados')
  const exports = await removeOldExports(ctx)
  if (exports > 0) ctx.log.info({ exports }, 'exportações de titulares expiradas eliminadas')
}

export const applyRetentionDaily: Job<'apply-retention'> = async (ctx) => {
  const { orders, files, bytes } = await applyRetention(ctx)
  if (orders > 0) ctx.log.info({ orders, files, bytes }, 'retenção aplicada')
  const anonymised = await applyCustomerRetention(ctx)
  if (anonymised.orders > 0) ctx.log.info(anonymised, 'anonimização pelo prazo de guarda na fila')
}

export const anchorTrailDaily: Job<'anchor-trail'> = async (ctx) => {
  const entry = await anchorTrail(ctx)
  if (entry) ctx.log.info(entry, 'trilha registrada no diário')
}

export const recordPresentOnce: Job<'record-present'> = async (ctx, _, { signal }) => {
  const count = await recordPresent(ctx, signal)
  if (count.people + count.orders > 0)
    ctx.log.info(count, 'direitos e valores de antes registrados na trilha')
}

/** Before the first backup in BACKUP_TO there is none to verify. */
async function verifyNewestBackup(ctx: Ctx) {
  const { BACKUP_TO } = ctx.config
  return BACKUP_TO !== undefined && (await lastBackupIn(ctx, BACKUP_TO)) ? verifyBackup(ctx, BACKUP_TO) : []
}

/** Notes and logs: no fault can be repaired here, and a retry would find the same. */
export const verifyIntegrityWeekly: Job<'verify-integrity'> = async (ctx) => {
  const storage = await verifyFiles(ctx)
  const chains = await verifyTrail(ctx)
  const backup = await verifyNewestBackup(ctx)
  const faults = storage.faults.length + chains.faults.length + backup.length
  const found = {
    objects: storage.objects,
    storage: storage.faults.slice(0, 20),
    chains: chains.faults.slice(0, 20),
    backup: backup.slice(0, 20),
  }
  if (faults > 0)
    ctx.log.error({ faults, ...found }, 'verificação encontrou problemas: rode npm run worker -- verificar')
  else ctx.log.info({ objects: storage.objects, events: chains.events }, 'verificação sem problemas')
}
