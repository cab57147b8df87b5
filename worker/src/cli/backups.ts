import { join } from 'node:path'
import {
  backUp,
  checkBackup,
  houseTrust,
  restoreBackup,
  tryBackup,
} from '@garantia/server/features/system/backup'
import type { Ctx } from '@garantia/server/kernel'
import { onSecrets } from '@garantia/server/secrets'
import { invalid } from '@garantia/shared/errors'
import { bytes, counted, dateTime } from '@garantia/shared/format'
import { type Command, Option } from 'commander'
import { backupFaultText } from '../verification.ts'
import { EXIT, jsonOption, runCommand } from './run-command.ts'

interface Options {
  json?: boolean
}
const filesOf = ({ count, bytes: size }: { count: number; bytes: number }) =>
  `${counted(count, 'arquivo', 'arquivos')} (${bytes(size)})`
const rowsOf = ({ tables }: { tables: { rows: number }[] }) =>
  `${counted(
    tables.reduce((sum, { rows }) => sum + rows, 0),
    'linha',
    'linhas',
  )} de ${counted(tables.length, 'tabela', 'tabelas')}`

const PLACE = 'uma pasta, ou s3://bucket/pasta (BACKUP_TO, se não for dito)'
const unsignedOption = new Option(
  '--sem-assinatura',
  'aceita um backup que não foi assinado, de uma versão mais velha; só se souber de quem ele é',
)
const keyOption = new Option(
  '--chave <número>',
  'aceita também o que esta chave assinou, pelo número que os dossiês mostram',
)
interface Accepted {
  semAssinatura?: boolean
  chave?: string
}
const WITHOUT_SECRETS =
  'Sem BACKUP_PASSPHRASE: os segredos (secrets.json) ficaram fora. Guarde-os à parte, ou informe a senha e repita.'

/** Commands that copy an installation while it runs, check the copy and restore it. */
export function backupCommands(program: Command) {
  program
    .command('backup')
    .description('copia banco, arquivos e segredos enquanto tudo funciona, e confere a cópia')
    .option('--para <lugar>', PLACE)
    .addOption(jsonOption)
    .action((options: Options & { para?: string }) =>
      runCommand(options, async (ctx) => {
        const passphrase = ctx.config.BACKUP_PASSPHRASE
        const { contents, copied } = await backUp(ctx, {
          to: placeOf(ctx, options.para, 'para'),
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
    .option('--de <lugar>', PLACE)
    .option('--id <backup>', 'o mais novo, se não for dito')
    .option('--rapido', 'dos arquivos compara só presença e tamanho')
    .addOption(unsignedOption)
    .addOption(keyOption)
    .addOption(jsonOption)
    .action((options: Options & Accepted & { de?: string; id?: string; rapido?: boolean }) =>
      runCommand(options, async (ctx) => {
        const { contents, faults } = await checkBackup(ctx, placeOf(ctx, options.de, 'de'), {
          ...{ id: options.id, deep: !options.rapido },
          ...{ accept_unsigned: options.semAssinatura, key_id: options.chave },
        })
        return {
          data: { id: contents.id, faults },
          lines: [
            `Backup ${contents.id}, de ${dateTime(contents.at)}: ${rowsOf(contents)}, ${filesOf(contents.files)}: ${faults.length === 0 ? 'nenhum problema.' : `${counted(faults.length, 'problema', 'problemas')}.`}`,
            ...faults.map(backupFaultText),
          ],
          exit: faults.length > 0 ? EXIT.found : EXIT.done,
        }
      }),
    )

  program
    .command('provar-backup')
    .description('restaura o backup mais novo num banco feito para isso, compara tudo e elimina esse banco')
    .option('--de <lugar>', PLACE)
    .addOption(unsignedOption)
    .addOption(jsonOption)
    .action((options: Options & Accepted & { de?: string }) =>
      runCommand(options, async (ctx) => {
        const { contents } = await tryBackup(ctx, placeOf(ctx, options.de, 'de'), options.semAssinatura)
        return {
          data: { id: contents.id, rows: contents.tables },
          lines: [
            `O backup ${contents.id}, de ${dateTime(contents.at)}, pode ser restaurado: ${rowsOf(contents)} e as cadeias conferem.`,
          ],
        }
      }),
    )

  program
    .command('restaurar')
    .description('põe um backup num banco vazio, com os arquivos e os segredos dele')
    .option('--de <lugar>', PLACE)
    .option('--id <backup>', 'o mais novo, se não for dito')
    .option('--so-banco', 'deixa os arquivos como estão')
    .addOption(unsignedOption)
    .addOption(keyOption)
    .addOption(jsonOption)
    .action((options: Options & Accepted & { de?: string; id?: string; soBanco?: boolean }) =>
      runCommand(options, async (ctx) => {
        const { contents, keys, files } = await restoreBackup(ctx, {
          from: placeOf(ctx, options.de, 'de'),
          id: options.id,
          passphrase: ctx.config.BACKUP_PASSPHRASE,
          database_only: options.soBanco === true,
          trust: houseTrust(ctx, true, options.chave),
          accept_unsigned: options.semAssinatura,
        })
        if (keys) await onSecrets(join(ctx.config.data_dir, 'secrets.json'), 'keepKeys', keys)
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

/** The place that was said, or BACKUP_TO. Throws AppError `invalid` without either. */
function placeOf({ config }: Ctx, said: string | undefined, option: 'de' | 'para') {
  const place = said ?? config.BACKUP_TO
  if (place === undefined)
    throw invalid(`falta a opção --${option}: uma pasta, ou s3://bucket/pasta; ou defina BACKUP_TO.`, option)
  return place
}
