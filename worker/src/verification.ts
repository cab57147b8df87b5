import { type ChainFault, type ChainReport, verifyChains } from '@garantia/server/features/records/chain'
import { type StampFault, verifyStamps } from '@garantia/server/features/records/dossier'
import { FILE_FAULT, type IntegrityReport, verifyStorage } from '@garantia/server/features/records/integrity'
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
