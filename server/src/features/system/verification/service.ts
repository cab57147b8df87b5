import { counted } from '@garantia/shared/format'
import type { Ctx } from '../../../kernel/context.ts'

export type VerificationKind = 'storage' | 'trail' | 'backup'
export interface Verification {
  kind: VerificationKind
  finished_at: Date
  /** Objects of the storage, events, or backups. */
  checked: number
  faults: number
  /** Null without faults. */
  first_fault: string | null
}

const KEPT_DAYS = 400

/** Notes how a verification has ended. Never fails: a database that takes no writes is verified all the same. */
export async function noteVerification(ctx: Ctx, verification: Omit<Verification, 'finished_at'>) {
  const now = ctx.clock()
  try {
    await ctx.db
      .insertInto('verifications')
      .values({ ...verification, finished_at: now })
      .execute()
    await ctx.db
      .deleteFrom('verifications')
      .where('finished_at', '<', new Date(now.getTime() - KEPT_DAYS * 86_400_000))
      .execute()
  } catch (err) {
    ctx.log.warn({ err }, 'o fim da verificação não foi anotado')
  }
}

/** The newest of each kind. */
export async function lastVerifications(ctx: Ctx): Promise<Verification[]> {
  const rows = await ctx.db
    .selectFrom('verifications')
    .distinctOn('kind')
    .select(['kind', 'finished_at', 'checked', 'faults', 'first_fault'])
    .orderBy('kind')
    .orderBy('finished_at', 'desc')
    .execute()
  return rows.map(({ kind, ...row }) => ({ ...row, kind: kind as VerificationKind }))
}

const COMMAND: Record<VerificationKind, string> = {
  storage: 'npm run worker -- verificar',
  trail: 'npm run worker -- verificar-cadeia',
  backup: 'npm run worker -- conferir-backup',
}
/** What lists its faults. */
export const commandOf = ({ kind }: Pick<Verification, 'kind'>) => COMMAND[kind]

const CHECKED: Record<VerificationKind, [one: string, many: string]> = {
  storage: ['arquivo conferido', 'arquivos conferidos'],
  trail: ['evento da trilha conferido', 'eventos da trilha conferidos'],
  backup: ['backup conferido', 'backups conferidos'],
}
/** «12 arquivos», «3 problemas, o primeiro: ausente os/1/…». */
export const checkedText = ({ kind, checked }: Verification) => counted(checked, ...CHECKED[kind])
export const faultsText = ({ faults, first_fault }: Verification) =>
  `${counted(faults, 'problema', 'problemas')}, ${faults === 1 ? '' : 'o primeiro: '}${first_fault}`
