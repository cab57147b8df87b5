import { type ChainFault, type ChainReport, verifyChains } from '@garantia/server/features/records/chain'
import { type StampFault, verifyStamps } from '@garantia/server/features/records/dossier'
import { FILE_FAULT, type IntegrityReport, verifyStorage } from '@garantia/server/features/records/integrity'
import { type BackupFault, checkBackup } from '@garantia/server/features/system/backup'
import { noteVerification } from '@garantia/server/features/system/verification'
import type { Ctx } from '@garantia/server/kernel'
import { dateTime } from '@garantia/shared/format'

/** Reads every stored file, compares all of them with the database (`verifyStorage`), and notes how it ended. */
export async function verifyFiles(ctx: Ctx): Promise<IntegrityReport> {
  const report = await verifyStorage(ctx)
  const [first] = report.faults
  await noteVerification(ctx, {
    ...{ kind: 'storage', checked: report.objects, faults: report.faults.length },
    first_fault: first ? `${FILE_FAULT[first.kind]} ${first.key}` : null,
  })
  return report
}

/** Verifies all chains and time-stamps, or those of the order `only`; how all of them ended is noted. */
export async function verifyTrail(ctx: Ctx, only?: number): Promise<ChainReport> {
  const chains = await verifyChains(ctx, only)
  const stamps = await verifyStamps(ctx, only)
  const report = {
    ...chains,
    stamps: chains.stamps + stamps.stamps,
    faults: [...chains.faults, ...stamps.faults.map(asFault)],
  }
  const [first] = report.faults
  if (only === undefined)
    await noteVerification(ctx, {
      ...{ kind: 'trail', checked: report.events, faults: report.faults.length },
      first_fault: first ? chainFaultText(first) : null,
    })
  return report
}
/**
 * Compares the newest backup in `place` with its manifest, and that with its signature, and notes how it ended; the
 * bytes of the files are left to `conferir-backup`. Returns what is wrong, in words.
 */
export async function verifyBackup(ctx: Ctx, place: string): Promise<string[]> {
  const faults = await checkBackup(ctx, place, { deep: false }).then(
    (found) => found.faults.map(backupFaultText),
    (error: unknown) => [error instanceof Error ? error.message : String(error)],
  )
  await noteVerification(ctx, {
    ...{ kind: 'backup', checked: 1, faults: faults.length },
    first_fault: faults[0] ?? null,
  })
  return faults
}

const BACKUP_FAULT: Record<BackupFault['kind'], string> = {
  missing: 'ausente',
  changed: 'alterado',
  unsigned: 'recusado',
  foreign: 'recusado',
  unverified: 'recusado',
}
/** «alterado backups/…/manifest.json». */
export const backupFaultText = ({ kind, key, words }: BackupFault) =>
  `${BACKUP_FAULT[kind].padEnd(8)} ${key}${words ? `: ${words}.` : ''}`

const asFault = ({ order_id, problem }: StampFault): ChainFault => ({
  subject: 'order',
  subject_id: order_id,
  order_id,
  seq: 0,
  at: null,
  problem,
})

const OF: Record<ChainFault['subject'], string> = {
  order: 'OS',
  user: 'pessoa',
  company: 'empresa',
  brand: 'marca',
  journal: 'registro do diário',
  security: 'lote de acessos',
}
/** «OS id 3, evento 1 (…): conteúdo alterado». */
export const chainFaultText = ({ subject, subject_id, seq, at, problem }: ChainFault) =>
  `${OF[subject]} ${subject === 'journal' || subject === 'security' ? '' : 'id '}${subject_id}${seq > 0 ? `, ${subject === 'security' ? 'linha' : 'evento'} ${seq}` : ''}${at ? ` (${dateTime(at)})` : ''}: ${problem}`
