import { join } from 'node:path'
import { resealSecrets } from '@garantia/server/features/people/second-factor'
import { forgetPreviousKeys, readSecrets, rotateSigningKey } from '@garantia/server/secrets'
import type { Command } from 'commander'
import { EXIT, jsonOption, runCommand } from './run-command.ts'

const OUTSIDE = [
  'A chave desta instalação vem da variável SIGNING_KEY. Gere outra (openssl rand -hex 32), ponha-a em SIGNING_KEY',
  'e a atual em SIGNING_KEY_PREVIOUS, e reinicie todos os servidores; uma hora depois, tire SIGNING_KEY_PREVIOUS.',
]

/** Commands for the keys of this installation. */
export function keyCommands(program: Command) {
  program
    .command('trocar-chave')
    .description('cria outra chave para os endereços assinados; ninguém precisa entrar de novo')
    .option('--esquecer-anterior', 'deixa de aceitar o que a chave anterior assinou, sem criar outra')
    .addOption(jsonOption)
    .action((options: { esquecerAnterior?: boolean; json?: boolean }) =>
      runCommand(options, async (ctx) => {
        const { config } = ctx
        const file = join(config.data_dir, 'secrets.json')
        if (readSecrets(file).signing_key !== config.SIGNING_KEY)
          return { data: { error: 'from_environment' }, lines: OUTSIDE, exit: EXIT.usage }
        if (options.esquecerAnterior) {
          const SIGNING_KEY_PREVIOUS = readSecrets(file).previous_signing_keys ?? []
          await resealSecrets({ ...ctx, config: { ...config, SIGNING_KEY_PREVIOUS } })
          const forgotten = forgetPreviousKeys(file)
          return {
            data: { forgotten },
            lines: [
              forgotten > 0 ? `Chave anterior esquecida. ${WITH_NEXT_START}` : 'Não há chave anterior.',
            ],
            exit: forgotten > 0 ? EXIT.done : EXIT.nothing,
          }
        }
        rotateSigningKey(file)
        return {
          data: { rotated: true },
          lines: [
            `Chave nova criada. ${WITH_NEXT_START}`,
            'O que a anterior assinou vale até «trocar-chave --esquecer-anterior».',
          ],
        }
      }),
    )
}

const WITH_NEXT_START = 'Vale a partir do próximo início do Garantia (npm start).'
