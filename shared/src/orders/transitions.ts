import { type Actor, can, type OwnedOrder } from '../policy.ts'
import type { TransitionView } from './schema.ts'
import { isPaused, ORDER_STATUS, ORDER_STATUSES, type OrderStatus } from './status.ts'

export interface MovableOrder extends OwnedOrder {
  status: OrderStatus
}
/** What the files say: where the machine would put the order, and whether one of them is being converted. */
export interface Pipeline {
  value: OrderStatus
  is_converting: boolean
}

/** An order is not reopened without saying why. */
export const REASON_TO_REOPEN = 'Informe o motivo para reabrir a OS'

/** «Retomar» leads each order to where its own files put it. */
export const NOT_PAUSED = 'Só uma OS pendente ou em análise pode ser retomada'
export const mayResume = (actor: Actor, order: MovableOrder) =>
  isPaused(order.status) && can(actor, REQUIRED_PERMISSION.resume[0], order)

type Move = 'request' | 'hold' | 'analyse' | 'resume' | 'complete' | 'cancel' | 'reopen'

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

/** The four a person chooses from in the edit form (MOD-5); the menu shows them always, refused or not. */
const CHOICES: readonly OrderStatus[] = ['pending', 'in_analysis', 'completed', 'cancelled']

/** What it means to lead an order from one status to another by hand; null where nobody may. */
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
  /** Who may is answered apart from when; null when the move is allowed. */
  refusal: 'forbidden' | 'conflict' | null
}

/** The one answer to «may this person lead this order there»: menu, POST and PUT all ask here. */
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

/** The status menu of one order: every move there is, and the four choices of the form in any case. */
export const transitionsOf = (actor: Actor, order: MovableOrder, pipeline: Pipeline): TransitionView[] =>
  ORDER_STATUSES.filter((to) => to !== order.status)
    .map((to) => checkTransition(actor, order, to, pipeline))
    .filter(({ move, status }) => move !== null || CHOICES.includes(status))
    .map(({ move: _, refusal: __, ...view }) => view)
