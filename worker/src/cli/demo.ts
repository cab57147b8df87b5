import { removeDemo } from '@garantia/server/features/system/demo'
import { counted } from '@garantia/shared/format'
import type { Command } from 'commander'
import { jsonOption, runCommand } from './run-command.ts'

export function demoCommands(program: Command) {
  program
    .command('remover-demo')
    .description(
      'remove tudo da demonstração: OS, empresas, pessoas e arquivos; recusa num banco de dados reais',
    )
    .addOption(jsonOption)
    .action((options: { json?: boolean }) =>
      runCommand(options, async (ctx) => {
        const removed = await removeDemo(ctx)
        return {
          data: removed,
          lines: [
            `Demonstração removida: ${counted(removed.orders, 'OS', 'OS')}, ${counted(removed.objects, 'arquivo', 'arquivos')}. O primeiro usuário continua.`,
          ],
        }
      }),
    )
}
