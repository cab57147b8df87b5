import type { Ctx } from '../../../kernel/context.ts'
import { backupFindings } from './backups.ts'
import { databaseFindings } from './database.ts'
import { examine, type Finding } from './finding.ts'
import { diskFindings, secretsFindings, storageFindings } from './machine.ts'
import { keyFindings, rightsFindings, stampFindings } from './proof.ts'
import { settingsFindings } from './settings.ts'
import { verificationFindings } from './verifications.ts'
import { webhookFindings } from './webhooks.ts'
import { mailFindings, queueFindings, workerFindings } from './work.ts'

export { type Finding, fault, type Level, ok, reasonOf } from './finding.ts'

const DATABASE_ADVICE = 'confira DATABASE_URL e o PostgreSQL; o embutido é iniciado por npm start'
const BACKUP_ADVICE = 'confira BACKUP_TO: uma pasta que esta conta possa ler, ou um bucket'
const STAMP_ADVICE = 'confira o arquivo de TSA_ROOTS: certificados em PEM, que o servidor possa ler'
const STORAGE_ADVICE = 'confira as permissões e o espaço de DATA_DIR, ou o bucket e suas chaves'

/**
 * Looks at everything that this installation needs, and says of each problem what mends it. Never fails: what cannot
 * be examined is a finding. Writes nothing that stays.
 */
export async function diagnose(ctx: Ctx): Promise<Finding[]> {
  const database = await examine('banco', () => databaseFindings(ctx), DATABASE_ADVICE)
  // Whatever is wrong with it, a database that answers has said its version.
  const answers = database.some(({ level }) => level === 'ok')
  const work = answers
    ? await Promise.all([
        examine('worker', () => workerFindings(ctx), DATABASE_ADVICE),
        examine('fila', () => queueFindings(ctx), DATABASE_ADVICE),
        examine('e-mail', () => mailFindings(ctx), DATABASE_ADVICE),
        examine('webhooks', () => webhookFindings(ctx), DATABASE_ADVICE),
        examine('chave', () => keyFindings(ctx), DATABASE_ADVICE),
        examine('direitos', () => rightsFindings(ctx), DATABASE_ADVICE),
        examine('carimbo de tempo', () => stampFindings(ctx), STAMP_ADVICE),
        examine('backup', () => backupFindings(ctx), BACKUP_ADVICE),
        examine('verificação', () => verificationFindings(ctx), DATABASE_ADVICE),
      ])
    : []
  const machine = await Promise.all([
    examine('disco', () => diskFindings(ctx), STORAGE_ADVICE),
    examine('arquivos', () => storageFindings(ctx), STORAGE_ADVICE),
    examine('segredos', () => secretsFindings(ctx), STORAGE_ADVICE),
  ])
  return [...database, ...work.flat(), ...machine.flat(), ...settingsFindings(ctx.config)]
}
