import { stat } from 'node:fs/promises'
import { dateTime } from '@garantia/shared/format'
import type { Ctx } from '../../../kernel/context.ts'
import { mayTryBackups, readBackupRuns } from '../backup/service.ts'
import { BACKUP_LATE_SECONDS } from '../work-state/service.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

const SUBJECT = 'backup'
const TRIAL_DAYS = 40
const DAY_MS = 86_400_000

/** The age of the last backup, whether it was ever restored for trial, and where and how it is kept. */
export async function backupFindings(ctx: Ctx): Promise<Finding[]> {
  const { BACKUP_TO, BACKUP_PASSPHRASE } = ctx.config
  const { last, done, trial } = await readBackupRuns(ctx)
  const age = done ? ctx.clock().getTime() - done.finished_at.getTime() : Number.POSITIVE_INFINITY
  if (BACKUP_TO === undefined && age > BACKUP_LATE_SECONDS * 1_000)
    return [
      warning(
        SUBJECT,
        done
          ? `o último é de ${dateTime(done.finished_at)}, e nenhum está agendado`
          : 'nenhum foi feito, e nenhum está agendado',
        'defina BACKUP_TO com outro disco ou bucket: um é feito toda noite; veja docs/operating.md, «Backup and restore»',
      ),
    ]
  const failed = last?.error ? `; o mais recente falhou: ${last.error}` : ''
  const facts = done
    ? `o último completo é de ${dateTime(done.finished_at)}, em ${done.place}${failed}`
    : `nenhum foi feito ainda${failed}`
  const mends = `npm run worker -- backup${BACKUP_TO === undefined ? ' --para LUGAR' : ''} faz um agora e diz o que o impede`
  const found = [
    age > BACKUP_LATE_SECONDS * 1_000 && (done || failed)
      ? fault(SUBJECT, facts, mends)
      : failed
        ? warning(SUBJECT, facts, mends)
        : ok(SUBJECT, facts),
  ]
  if (BACKUP_PASSPHRASE === undefined)
    found.push(
      warning(
        SUBJECT,
        'sem os segredos (secrets.json), que abrem os campos cifrados',
        'defina BACKUP_PASSPHRASE, ou guarde secrets.json noutro lugar',
      ),
    )
  if (BACKUP_TO !== undefined && (await isOnSameDisk(BACKUP_TO, ctx.config.data_dir)))
    found.push(
      warning(
        SUBJECT,
        `${BACKUP_TO} está no mesmo disco que os arquivos: os dois se perdem juntos`,
        'aponte BACKUP_TO para outro disco, outra máquina ou um bucket',
      ),
    )
  if (done) found.push(...(await trialFindings(ctx, trial)))
  return found
}

async function trialFindings(ctx: Ctx, trial: Awaited<ReturnType<typeof readBackupRuns>>['trial']) {
  const { BACKUP_TO } = ctx.config
  const command = `npm run worker -- provar-backup${BACKUP_TO === undefined ? ' --de LUGAR' : ''}`
  if (trial?.error)
    return [fault(SUBJECT, `a prova de ${dateTime(trial.finished_at)} falhou: ${trial.error}`, command)]
  const isRecent = trial && ctx.clock().getTime() - trial.finished_at.getTime() < TRIAL_DAYS * DAY_MS
  if (isRecent) return [ok(SUBJECT, `restaurado para prova em ${dateTime(trial.finished_at)}`)]
  const text = trial
    ? `restaurado para prova pela última vez em ${dateTime(trial.finished_at)}`
    : 'nunca restaurado para prova'
  if (BACKUP_TO !== undefined && (await mayTryBackups(ctx)))
    return [ok(SUBJECT, `${text}; a próxima prova é no dia 1º`)]
  return [warning(SUBJECT, text, command)]
}

async function isOnSameDisk(place: string, data_dir: string) {
  if (place.includes('://')) return false
  const [one, other] = await Promise.all([place, data_dir].map((path) => stat(path).catch(() => null)))
  return one !== null && one !== undefined && one.dev === other?.dev
}
