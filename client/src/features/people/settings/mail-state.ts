import type { AppRouter } from '@garantia/server/router'
import { dateTime } from '@garantia/shared/format'
import type { BadgeColour } from '@garantia/shared/orders/status'
import type { inferRouterOutputs } from '@trpc/server'

export type Mail = inferRouterOutputs<AppRouter>['mail']['list']['data'][number]

interface MailBadge {
  label: string
  colour: BadgeColour
  title?: string
}

/** Without a mail server nothing is queued: the mail is only stored. */
export function mailState(
  { sent_at, error }: Pick<Mail, 'sent_at' | 'error'>,
  hasServer: boolean,
): MailBadge {
  if (sent_at) return { label: 'Enviada', colour: 'green', title: `Enviada em ${dateTime(sent_at)}` }
  if (error) return { label: 'Falhou', colour: 'red', title: error }
  return hasServer ? { label: 'Na fila', colour: 'blue' } : { label: 'Guardada aqui', colour: 'gray' }
}
