import {
  createWebhook,
  deliveriesOf,
  listWebhooks,
  removeWebhook,
  resendDeliveries,
} from '@garantia/server/features/system/webhooks'
import { counted, dateTime } from '@garantia/shared/format'
import { WEBHOOK_TOPICS, webhookInput, webhookTypeOf } from '@garantia/shared/webhooks'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { EXIT, jsonOption, positive, runCommand } from './run-command.ts'

interface Options {
  json?: boolean
}
const ID = 'número do webhook, como em webhooks listar'
const SHOWN_ONCE = 'Guarde-o agora no sistema que recebe: ele não será mostrado de novo.'

/** An address that may be called; what is wrong with it is an error of usage. */
function address(text: string) {
  const { error } = webhookInput.shape.url.safeParse(text)
  if (error) throw new InvalidArgumentError(error.issues[0]?.message ?? '')
  return text
}
function topics(text: string) {
  const { data, error } = webhookInput.shape.topics.safeParse(text.split(',').map((one) => one.trim()))
  if (!data) throw new InvalidArgumentError(error?.issues[0]?.message ?? '')
  return data
}

/** Commands for the addresses of other systems that are told of what happens. */
export function webhookCommands(program: Command) {
  const webhooks = program
    .command('webhooks')
    .description('avisos assinados a outros sistemas (Standard Webhooks): lista, cria, reenvia, remove')

  webhooks
    .command('listar', { isDefault: true })
    .description('lista os endereços avisados, com o que espera e o que falhou')
    .addOption(jsonOption)
    .action((options: Options) =>
      runCommand(options, async (ctx) => {
        const all = await listWebhooks(ctx)
        const lines = all.map(
          ({ id, url, topics, company, waiting, failed, disabled_at }) =>
            `${String(id).padStart(4)}  ${url}  ${topics.join(',')}  ${company ?? 'todas as empresas'}  ${counted(waiting, 'espera', 'esperam')}, ${counted(failed, 'falhou', 'falharam')}${disabled_at === null ? '' : '  desativado: respondeu 410'}`,
        )
        return { data: all, lines: lines.length > 0 ? lines : ['Nenhum webhook.'] }
      }),
    )

  webhooks
    .command('criar')
    .description('avisa um endereço do que acontece a partir de agora, e mostra o segredo das assinaturas')
    .addOption(new Option('--url <url>', 'endereço https').argParser(address).makeOptionMandatory())
    .addOption(
      new Option('--assuntos <lista>', `separados por vírgula: ${WEBHOOK_TOPICS.join(', ')} (padrão: todos)`)
        .argParser(topics)
        .default([...WEBHOOK_TOPICS], 'todos'),
    )
    .addOption(new Option('--empresa <id>', 'só as OS desta empresa').argParser(positive))
    .addOption(jsonOption)
    .action(
      (options: Options & { url: string; assuntos: (typeof WEBHOOK_TOPICS)[number][]; empresa?: number }) =>
        runCommand(options, async (ctx) => {
          const { url, assuntos, empresa = null } = options
          const made = await createWebhook(ctx, { url, topics: assuntos, company_id: empresa })
          return { data: made, lines: [`Webhook ${made.id}. Segredo: ${made.secret}`, SHOWN_ONCE] }
        }),
    )

  webhooks
    .command('mensagens')
    .description('as mensagens mais novas de um endereço, com a última resposta')
    .argument('<id>', ID, positive)
    .option('--falhas', 'só as que ainda não foram aceitas')
    .addOption(jsonOption)
    .action((id: number, options: Options & { falhas?: boolean }) =>
      runCommand(options, async (ctx) => {
        const found = await deliveriesOf(ctx, { webhook_id: id, failed: options.falhas === true })
        return {
          data: found,
          lines: found.map(
            (one) =>
              `${String(one.id).padStart(8)}  ${dateTime(one.at)}  ${webhookTypeOf(one.kind)}  OS ${one.os_number ?? one.order_id}  ${stateOf(one)}`,
          ),
          exit: found.length > 0 ? EXIT.done : EXIT.nothing,
        }
      }),
    )

  webhooks
    .command('reenviar')
    .description('envia de novo o que foi desistido, ou uma mensagem, e reativa o endereço')
    .argument('<id>', ID, positive)
    .addOption(new Option('--mensagem <id>', 'só esta, mesmo aceita').argParser(positive))
    .addOption(jsonOption)
    .action((id: number, options: Options & { mensagem?: number }) =>
      runCommand(options, async (ctx) => {
        const { count } = await resendDeliveries(ctx, { webhook_id: id, delivery_id: options.mensagem })
        return {
          data: { queued: count },
          lines: [count > 0 ? `${counted(count, 'mensagem', 'mensagens')} na fila.` : 'Nada a reenviar.'],
          exit: count > 0 ? EXIT.done : EXIT.nothing,
        }
      }),
    )

  webhooks
    .command('remover')
    .description('não avisa mais um endereço, e esquece o que espera por ele')
    .argument('<id>', ID, positive)
    .addOption(jsonOption)
    .action((id: number, options: Options) =>
      runCommand(options, async (ctx) => {
        await removeWebhook(ctx, id)
        return { data: { id }, lines: [`Webhook ${id} removido.`] }
      }),
    )
}

const stateOf = (one: Awaited<ReturnType<typeof deliveriesOf>>[number]) =>
  one.sent_at
    ? `aceita em ${dateTime(one.sent_at)}`
    : `${counted(one.attempts, 'tentativa', 'tentativas')}${one.error === null ? '' : `, ${one.error}`}${one.next_at ? `; próxima ${dateTime(one.next_at)}` : '; desistida'}`
