import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { type BackupFault, backUp, checkBackup, restoreBackup } from '@garantia/server/features/system/backup'
import { saveSecrets } from '@garantia/server/secrets'
import { bytes, counted, dateTime } from '@garantia/shared/format'
import type { Command } from 'commander'
import { productVersion } from '../media/tool-versions.ts'
import { EXIT, jsonOption, runCommand } from './run-command.ts'

interface Options {
  json?: boolean
}
const FAULT: Record<BackupFault['kind'], string> = { missing: 'ausente ', changed: 'alterado' }
const filesOf = ({ count, bytes: size }: { count: number; bytes: number }) =>
  `${counted(count, 'arquivo', 'arquivos')} (${bytes(size)})`
const rowsOf = ({ tables }: { tables: { rows: number }[] }) =>
  `${counted(
    tables.reduce((sum, { rows }) => sum + rows, 0),
    'linha',
    'linhas',
  )} de ${counted(tables.length, 'tabela', 'tabelas')}`

const PLACE = 'uma pasta, ou s3://bucket/pasta'
const WITHOUT_SECRETS =
  'Sem BACKUP_PASSPHRASE: os segredos (secrets.json) ficaram fora. Guarde-os à parte, ou informe a senha e repita.'

/** Commands that copy an installation while it runs, check the copy and restore it. */
export function backupCommands(program: Command) {
  program
    .command('backup')
    .description('copia banco, arquivos e segredos enquanto tudo funciona, e confere a cópia')
    .requiredOption('--para <lugar>', PLACE)
    .addOption(jsonOption)
    .action((options: Options & { para: string }) =>
      runCommand(options, async (ctx) => {
        const passphrase = ctx.config.BACKUP_PASSPHRASE
        const { contents, copied } = await backUp(ctx, {
          to: options.para,
          version: productVersion(),
          passphrase,
        })
        const { id, files } = contents
        return {
          data: { id, rows: contents.tables, files, copied, has_secrets: contents.has_secrets },
          lines: [
            `Backup ${id} completo e conferido: ${rowsOf(contents)}, ${filesOf(files)}, ${counted(copied, 'novo', 'novos')}.`,
            ...(passphrase === undefined ? [WITHOUT_SECRETS] : []),
          ],
        }
      }),
    )

  program
    .command('conferir-backup')
    .description('lê um backup inteiro e compara-o com o manifesto dele')
    .requiredOption('--de <lugar>', PLACE)
    .option('--id <backup>', 'o mais novo, se não for dito')
    .option('--rapido', 'dos arquivos compara só presença e tamanho')
    .addOption(jsonOption)
    .action((options: Options & { de: string; id?: string; rapido?: boolean }) =>
      runCommand(options, async (ctx) => {
        const { contents, faults } = await checkBackup(ctx, options.de, {
          id: options.id,
          deep: !options.rapido,
        })
        return {
          data: { id: contents.id, faults },
          lines: [
            `Backup ${contents.id}, de ${dateTime(contents.at)}: ${rowsOf(contents)}, ${filesOf(contents.files)}: ${faults.length === 0 ? 'nenhum problema.' : `${counted(faults.length, 'problema', 'problemas')}.`}`,
            ...faults.map(({ kind, key }) => `${FAULT[kind]} ${key}`),
          ],
          exit: faults.length > 0 ? EXIT.found : EXIT.done,
        }
      }),
    )

  program
    .command('restaurar')
    .description('põe um backup num banco vazio, com os arquivos e os segredos dele')
    .requiredOption('--de <lugar>', PLACE)
    .option('--id <backup>', 'o mais novo, se não for dito')
    .option('--so-banco', 'deixa os arquivos como estão')
    .addOption(jsonOption)
    .action((options: Options & { de: string; id?: string; soBanco?: boolean }) =>
      runCommand(options, async (ctx) => {
        const { contents, keys, files } = await restoreBackup(ctx, {
          from: options.de,
          id: options.id,
          passphrase: ctx.config.BACKUP_PASSPHRASE,
          database_only: options.soBanco === true,
        })
        if (keys) keepKeys(join(ctx.config.data_dir, 'secrets.json'), keys)
        return {
          data: { id: contents.id, files, has_secrets: keys !== null },
          lines: [
            `Restaurado o backup ${contents.id}, de ${dateTime(contents.at)}: ${rowsOf(contents)}, ${counted(files, 'arquivo trazido', 'arquivos trazidos')}.`,
            keys
              ? 'Os segredos dele estão em secrets.json e valem a partir do próximo início.'
              : 'O backup não tem segredos: ponha o secrets.json de então em DATA_DIR antes de iniciar.',
          ],
        }
      }),
    )
}

/** What the file had stays beside it. */
function keepKeys(file: string, keys: Parameters<typeof saveSecrets>[1]) {
  if (existsSync(file)) copyFileSync(file, `${file}.antes-de-restaurar`)
  saveSecrets(file, keys)
}
