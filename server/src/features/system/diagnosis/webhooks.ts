import { counted } from '@garantia/shared/format'
import type { Ctx } from '../../../kernel/context.ts'
import { listWebhooks } from '../webhooks/service.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Addresses of other systems that do not take what is sent to them. */
export async function webhookFindings(ctx: Ctx): Promise<Finding[]> {
  const all = await listWebhooks(ctx)
  return all.flatMap(({ id, disabled_at, failed, waiting }): Finding[] => {
    const name = `webhook ${id}`
    if (disabled_at !== null)
      return [
        warning(
          name,
          'o destino respondeu que não existe mais (410); nada mais é enviado',
          `npm run worker -- webhooks remover ${id}, ou webhooks reenviar ${id} quando existir de novo`,
        ),
      ]
    if (failed > 0)
      return [
        warning(
          name,
          `${counted(failed, 'mensagem esgotou', 'mensagens esgotaram')} as tentativas`,
          `npm run worker -- webhooks mensagens ${id} --falhas mostra o motivo; webhooks reenviar ${id} envia de novo`,
        ),
      ]
    return [ok(name, `${counted(waiting, 'mensagem espera', 'mensagens esperam')}`)]
  })
}
