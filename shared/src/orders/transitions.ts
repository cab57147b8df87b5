import { type Actor, can, type OwnedOrder } from '../policy.ts'
import type { TransitionView } from './schema.ts'
import { isPaused, ORDER_STATUS, ORDER_STATUSES, type OrderStatus } from './status.ts'

export interface MovableOrder extends OwnedOrder {
  status: OrderStatus
}
/** Derived from the files: the automatic status, and whether any file is being converted. */
export interface Pipeline {
  value: OrderStatus
  is_converting: boolean
}

/** Reopening requires a reason. */
export const REASON_TO_REOPEN = 'Informe o motivo para reabrir a OS'

/** «Retomar» moves every order to the status of its own files. */
export const NOT_PAUSED = 'Só uma OS pendente ou em análise pode ser retomada'
/** Whether the actor may resume the order: it is paused, and a technician owns it. */
export const mayResume = (actor: Actor, order: MovableOrder) =>
  isPaused(order.status) && can(actor, REQUIRED_PERMISSION.resume[0], order)

export type Move = 'request' | 'hold' | 'analyse' | 'resume' | 'complete' | 'cancel' | 'reopen'

export const LABEL: Record<Move, string> = {
  request: 'Solicitar evidências',
  hold: 'Marcar como pendente',
  analyse: 'Colocar em análise',
  resume: 'Retomar',
  complete: 'Concluir',
  cancel: 'Cancelar',
  reopen: 'Reabrir',
}
const NOT_OWN = 'Esta OS é de outro técnico'
const REQUIRED_PERMISSION = {
  request: ['order.status', NOT_OWN],
  hold: ['order.status', NOT_OWN],
  analyse: ['order.status', NOT_OWN],
  resume: ['order.status', NOT_OWN],
  complete: ['order.complete', 'Somente gestores e administradores podem concluir uma OS'],
  cancel: ['order.cancel', 'Somente gestores e administradores podem cancelar uma OS'],
  reopen: ['order.reopen', 'Somente administradores podem reabrir uma OS'],
} as const

/** The four choices of the edit form (MOD-5); the menu always shows them, also when refused. */
const CHOICES: readonly OrderStatus[] = ['pending', 'in_analysis', 'completed', 'cancelled']

/** The manual transition from one status to another; null where there is none. */
function moveBetween(from: OrderStatus, to: OrderStatus, pipeline: Pipeline): Move | null {
  if (from === 'completed') return to === 'in_analysis' ? 'reopen' : null
  if (from === 'cancelled') return to === pipeline.value ? 'reopen' : null
  if (to === 'completed') return 'complete'
  if (to === 'cancelled') return 'cancel'
  if (to === 'pending') return 'hold'
  if (to === 'in_analysis') return 'analyse'
  if (isPaused(from)) return to === pipeline.value ? 'resume' : null
  return from === 'created' && to === 'pending_upload' ? 'request' : null
}

export interface TransitionCheck extends TransitionView {
  move: Move | null
  /** Missing permission and wrong state are told apart; null when the transition is allowed. */
  refusal: 'forbidden' | 'conflict' | null
}

/**
 * Decides whether the actor may move the order to that status: the menu, POST and PUT all use it. Never
 * throws; `refusal` is «forbidden» (403) or «conflict» (409), with a Portuguese `reason`.
 */
export function checkTransition(
  actor: Actor,
  order: MovableOrder,
  to: OrderStatus,
  pipeline: Pipeline,
): TransitionCheck {
  const move = moveBetween(order.status, to, pipeline)
  const label = move ? LABEL[move] : ORDER_STATUS[to].label
  const asks_reason = move === 'cancel' || move === 'reopen'
  const refused = (refusal: 'forbidden' | 'conflict', reason: string): TransitionCheck => ({
    status: to,
    label,
    is_allowed: false,
    reason,
    asks_reason,
    move,
    refusal,
  })
  if (!move) return refused('conflict', notAllowed(order.status, to))
  const [action, reason] = REQUIRED_PERMISSION[move]
  if (!can(actor, action, order)) return refused('forbidden', reason)
  if (move === 'complete' && pipeline.is_converting)
    return refused('conflict', 'Há arquivos em conversão. Aguarde o término para concluir.')
  return { status: to, label, is_allowed: true, reason: null, asks_reason, move, refusal: null }
}

const notAllowed = (from: OrderStatus, to: OrderStatus) =>
  `Transição de status não permitida: ${ORDER_STATUS[from].label} → ${ORDER_STATUS[to].label}`

/** The status menu of one order: all transitions, and the four choices of the form in any case. */
export const transitionsOf = (actor: Actor, order: MovableOrder, pipeline: Pipeline): TransitionView[] =>
  ORDER_STATUSES.filter((to) => to !== order.status)
    .map((to) => checkTransition(actor, order, to, pipeline))
    .filter(({ move, status }) => move !== null || CHOICES.includes(status))
    .map(({ move: _, refusal: __, ...view }) => view)
