import { dateTime } from '@garantia/shared/format'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import {
  checkedText,
  commandOf,
  faultsText,
  lastVerifications,
  type VerificationKind,
} from '../verification/service.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

const SUBJECT = 'verificação'
/** Made every Sunday. */
const LATE_DAYS = 9
const DAY_MS = 86_400_000
const NAME: Record<VerificationKind, string> = {
  ...{ storage: 'os arquivos', trail: 'a trilha', backup: 'o backup mais novo' },
}

/** When all files and the whole trail were compared last, and what was wrong. */
export async function verificationFindings(ctx: Ctx): Promise<Finding[]> {
  const last = await lastVerifications(ctx)
  const { rows } = await sql<{ at: string }>`select min(timestamp) as at from kysely_migration`.execute(
    ctx.db,
  )
  const lateAfter = ctx.clock().getTime() - LATE_DAYS * DAY_MS
  const isNew = Date.parse(rows[0]?.at ?? '') > lateAfter
  return (['storage', 'trail', 'backup'] as const).flatMap((kind) => {
    const one = last.find((found) => found.kind === kind)
    if (kind === 'backup' && !one) return []
    const command = commandOf({ kind })
    if (!one)
      return isNew
        ? ok(SUBJECT, `${NAME[kind]} ainda não; um worker confere todo domingo`)
        : warning(SUBJECT, `${NAME[kind]} nunca; um worker confere todo domingo`, command)
    const at = dateTime(one.finished_at)
    if (one.faults > 0) return fault(SUBJECT, `em ${at}: ${faultsText(one)}`, command)
    const text = `em ${at}: ${checkedText(one)}, nenhum problema`
    return one.finished_at.getTime() < lateAfter ? warning(SUBJECT, text, command) : ok(SUBJECT, text)
  })
}
