import { join } from 'node:path'
import { reencryptSecrets } from '@garantia/server/features/people/second-factor'
import { houseKeys, idOfKey } from '@garantia/server/features/records/dossier'
import { reencryptWebhooks } from '@garantia/server/features/system/webhooks'
import { type Ctx, publicKeyOf } from '@garantia/server/kernel'
import { onSecrets } from '@garantia/server/secrets'
import { inGroups } from '@garantia/shared/dossier/proof'
import type { Command } from 'commander'
import { EXIT, jsonOption, runCommand } from './run-command.ts'

const OUTSIDE = [
  'A chave desta instalação vem da variável SIGNING_KEY. Gere outra (openssl rand -hex 32), ponha-a em SIGNING_KEY',
  'e a atual em SIGNING_KEY_PREVIOUS, e reinicie todos os servidores; uma hora depois, passe a anterior de',
  'SIGNING_KEY_PREVIOUS a SIGNING_KEY_RETIRED, pela qual só a trilha de eventos ainda é conferida.',
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
        const keys = await onSecrets(file, 'readKeys')
        if (keys.signing_key !== config.SIGNING_KEY)
          return { data: { error: 'from_environment' }, lines: OUTSIDE, exit: EXIT.usage }
        if (options.esquecerAnterior) {
          const SIGNING_KEY_PREVIOUS = keys.previous_signing_keys ?? []
          const before = { ...ctx, config: { ...config, SIGNING_KEY_PREVIOUS } }
          await reencryptSecrets(before)
          await reencryptWebhooks(before)
          const forgotten = await onSecrets(file, 'forgetPreviousKeys')
          return {
            data: { forgotten },
            lines: [
              forgotten > 0 ? `Chave anterior esquecida. ${WITH_NEXT_START}` : 'Não há chave anterior.',
            ],
            exit: forgotten > 0 ? EXIT.done : EXIT.nothing,
          }
        }
        await onSecrets(file, 'rotateSigningKey')
        return {
          data: { rotated: true },
          lines: [
            `Chave nova criada. ${WITH_NEXT_START}`,
            'O que a anterior assinou vale até «trocar-chave --esquecer-anterior».',
          ],
        }
      }),
    )

  program
    .command('trocar-chave-dossies')
    .description('cria outra chave para assinar dossiês; os já assinados continuam a conferir')
    .option('--listar', 'só mostra as chaves, sem criar outra')
    .addOption(jsonOption)
    .action((options: { listar?: boolean; json?: boolean }) =>
      runCommand(options, async (ctx) => {
        const present = houseKeys(ctx)
        if (options.listar)
          return {
            data: present,
            lines: present.map(
              ({ id, is_current }) => `${inGroups(id)}  ${is_current ? 'atual' : 'anterior'}`,
            ),
          }
        const file = join(ctx.config.data_dir, 'secrets.json')
        if ((await onSecrets(file, 'readKeys')).dossier_key !== ctx.config.DOSSIER_KEY)
          return { data: { error: 'from_environment' }, lines: outsideDossierKey(ctx), exit: EXIT.usage }
        const id = idOfKey(await onSecrets(file, 'rotateDossierKey'))
        return {
          data: { rotated: true, id },
          lines: [
            `Chave nova dos dossiês: ${inGroups(id)}. ${WITH_NEXT_START}`,
            'A anterior continua publicada, e os dossiês que ela assinou continuam a conferir.',
          ],
        }
      }),
    )
}

/** With the public half of the present key, which has to be kept. */
const outsideDossierKey = ({ config }: Ctx) => [
  'A chave desta instalação vem da variável DOSSIER_KEY. Gere outra (openssl rand -hex 32), ponha-a em DOSSIER_KEY,',
  `acrescente ${publicKeyOf(config.DOSSIER_KEY)} a DOSSIER_KEY_PREVIOUS, e reinicie todos os servidores.`,
]

const WITH_NEXT_START = 'Vale a partir do próximo início do Garantia (npm start).'
