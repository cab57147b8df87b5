import { z } from 'zod'
import { id } from '../fields.ts'

/** What a person is told of, and the words between the actor's name and the order's number. */
export const NOTIFICATION_KIND = {
  mention: 'mencionou você em um comentário',
  comment: 'comentou',
  'order.assigned': 'passou para você a OS',
  'evidence.requested': 'pediu evidências',
  'order.pending': 'marcou como pendente a OS',
  'order.reopened': 'reabriu a OS',
  'evidence.failed': 'Falha na conversão',
  'evidence.from_guest': 'Chegaram arquivos pelo link',
  'orders.assigned': 'passaram para você',
  'packages.ready': 'Os pacotes que você pediu estão prontos: em Exportar, na lista de OS',
  'packages.failed': 'Os pacotes que você pediu não puderam ser montados',
  'subject.ready': 'A exportação do titular que você pediu está pronta: em Configurações, LGPD',
  'subject.failed': 'A exportação do titular que você pediu não pôde ser feita',
  'claim.mail_failed': 'O e-mail da solicitação de garantia não saiu',
  'deadline.near': 'está perto do prazo',
  'deadline.overdue': 'passou do prazo',
} as const
export type NotificationKind = keyof typeof NOTIFICATION_KIND
export type DeadlineKind = Extract<NotificationKind, `deadline.${string}`>
export const NOTIFICATION_KINDS = Object.keys(NOTIFICATION_KIND) as NotificationKind[]

/** The newest. */
export const notificationFilter = z.object({
  limit: z.number().int().min(1).max(100).optional(),
})
export type NotificationFilter = z.output<typeof notificationFilter>

/** Without ids, all of them. */
export const readNotifications = z.object({ ids: z.array(id).max(100).optional() })

export interface NotificationView {
  id: number
  kind: NotificationKind
  order_id: number
  os_number: string
  /** Who caused it; «Sistema» for what nobody did. */
  actor_name: string
  /** Short text: the comment, the reason, the numbers of the orders, the deadline. */
  text: string | null
  /** How often since it was last read: files that failed, comments; of `orders.assigned` how many orders. */
  times: number
  at: string
  is_read: boolean
}
export interface NotificationPage {
  notifications: NotificationView[]
  has_more: boolean
}

type Told = Pick<NotificationView, 'kind' | 'actor_name' | 'os_number' | 'times'>
/** «Ana Lima mencionou você em um comentário na OS 000123». */
export function notificationText({ kind, actor_name, os_number, times }: Told) {
  const often = times > 1 ? ` (${times} vezes)` : ''
  if (kind === 'evidence.failed')
    return times > 1
      ? `A conversão de ${times} arquivos da OS ${os_number} falhou`
      : `A conversão de um arquivo da OS ${os_number} falhou`
  if (kind === 'evidence.from_guest')
    return times > 1
      ? `Chegaram ${times} arquivos pelo link na OS ${os_number}`
      : `Chegou um arquivo pelo link na OS ${os_number}`
  if (kind === 'claim.mail_failed') return `${NOTIFICATION_KIND[kind]}: OS ${os_number}`
  if (kind.startsWith('packages.')) return NOTIFICATION_KIND[kind]
  if (kind.startsWith('deadline.')) return `A OS ${os_number} ${NOTIFICATION_KIND[kind]}`
  if (kind === 'orders.assigned') return `${actor_name}: ${times} ordens ${NOTIFICATION_KIND[kind]}`
  if (kind.startsWith('order.')) return `${actor_name} ${NOTIFICATION_KIND[kind]} ${os_number}`
  return `${actor_name} ${NOTIFICATION_KIND[kind]} na OS ${os_number}${often}`
}
