import { requestAllConversions, retryFailed } from '@garantia/server/features/evidence/conversion'
import { ordersNumbered } from '@garantia/server/features/orders/list'
import { AppError, textOf } from '@garantia/shared/errors'
import { counted } from '@garantia/shared/format'
import { Command, CommanderError, Option } from 'commander'
import { backupCommands } from './backups.ts'
import { demoCommands } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { fileCommands } from './files.ts'
import { keyCommands } from './keys.ts'
import { speakPortuguese } from './portuguese.ts'
import { privacyCommands } from './privacy.ts'
import { queueCommands } from './queue.ts'
import { EXIT, jsonOption, positive, runCommand } from './run-command.ts'
import { userCommands } from './users.ts'
import { webhookCommands } from './webhooks.ts'

/**
 * Runs the operators' command of these words, prints its result or what is wrong, and sets the exit code of the
 * process.
 */
export async function runProgram(words: string[]) {
  const program = speakPortuguese(new Command('npm run worker --'))
    .description('Operação da Garantia')
    .exitOverride()

  program
    .command('rodar')
    .description('converte o que está na fila até ser parado')
    .action(async () => {
      await import('../main.ts')
    })

  program
    .command('repetir')
    .description('põe de novo na fila os arquivos que falharam')
    .requiredOption('--falhos', 'confirma: todos os arquivos com erro de OS abertas')
    .addOption(jsonOption)
    .action((options: { json?: boolean }) =>
      runCommand(options, async (ctx) => {
        const done = await retryFailed(ctx)
        const lines = [
          `${counted(done.total_files, 'arquivo', 'arquivos')} de ${counted(done.orders, 'OS', 'OS')} na fila.`,
        ]
        return { data: done, lines, exit: done.total_files > 0 ? EXIT.done : EXIT.nothing }
      }),
    )

  program
    .command('converter')
    .description('converte os arquivos de uma OS')
    .requiredOption('--os <numero>', 'número da OS, 6 dígitos')
    .addOption(new Option('--empresa <id>', 'empresa, quando duas têm o mesmo número').argParser(positive))
    .option('--forcar', 'converte de novo também os que já estão prontos')
    .addOption(jsonOption)
    .action((options: { os: string; empresa?: number; forcar?: boolean; json?: boolean }) =>
      runCommand(options, async (ctx) => {
        const found = (await ordersNumbered(ctx, options.os)).filter(
          (order) => options.empresa === undefined || order.company_id === options.empresa,
        )
        const [order] = found
        if (!order)
          return {
            data: { error: 'not_found' },
            lines: [`OS ${options.os} não encontrada.`],
            exit: EXIT.nothing,
          }
        if (found.length > 1)
          return {
            data: { error: 'ambiguous', companies: found },
            lines: [
              'Há mais de uma; escolha com --empresa:',
              ...found.map((one) => `  ${one.company_id}  ${one.trading_name}`),
            ],
            exit: EXIT.usage,
          }
        const { total_files, message } = await requestAllConversions(ctx, order.id, options.forcar)
        return {
          data: { order_id: order.id, total_files },
          lines: [message],
          exit: total_files > 0 ? EXIT.done : EXIT.nothing,
        }
      }),
    )

  queueCommands(program)
  backupCommands(program)
  doctorCommand(program)
  fileCommands(program)
  keyCommands(program)
  demoCommands(program)
  privacyCommands(program)
  userCommands(program)
  webhookCommands(program)

  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage
    else {
      process.stderr.write(`${inWords(error as NodeJS.ErrnoException)}\n`)
      process.exitCode = error instanceof AppError && error.code === 'invalid' ? EXIT.usage : EXIT.failed
    }
  }
}

/** Root's commands have the account of the server: what root may open, that one may not. */
function inWords(error: NodeJS.ErrnoException) {
  if (error instanceof AppError) return textOf(error.detail)
  if (!error.path || !['EACCES', 'EPERM'].includes(error.code ?? '')) return error.message
  return (
    `A conta deste comando (número ${process.getuid?.()}) não pode usar ${error.path}: dê-lhe acesso ` +
    '(chgrp e chmod g+rX para ler, chown para gravar), ou escolha outro lugar.'
  )
}
