/**
 * The eight order statuses (D-05): six of the automatic pipeline, two in which a person has paused the order.
 * The single definition for lists, badges, filters, forms, REST, tRPC and jobs.
 */
export const ORDER_STATUSES = [
  'created',
  'pending_upload',
  'in_progress',
  'ready',
  'pending',
  'in_analysis',
  'completed',
  'cancelled',
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

export type BadgeColour = 'gray' | 'orange' | 'blue' | 'purple' | 'green' | 'red' | 'yellow' | 'turquoise'
export interface Badge {
  label: string
  colour: BadgeColour
}

export const ORDER_STATUS: Record<OrderStatus, Badge> = {
  created: { label: 'Criada', colour: 'gray' },
  pending_upload: { label: 'Aguardando Upload', colour: 'orange' },
  in_progress: { label: 'Em Processamento', colour: 'blue' },
  ready: { label: 'Pronta', colour: 'purple' },
  pending: { label: 'Pendente', colour: 'yellow' },
  in_analysis: { label: 'Em Análise', colour: 'turquoise' },
  completed: { label: 'Concluída', colour: 'green' },
  cancelled: { label: 'Cancelada', colour: 'red' },
}

/** A closed order is read-only everywhere: screen, tRPC, REST and jobs (STA-13). */
export const isClosed = (status: OrderStatus) => status === 'completed' || status === 'cancelled'
export const CLOSED_ORDER = 'OS concluída ou cancelada não pode ser editada'

/**
 * Days: the consumer code gives the supplier 30 to repair a defect (CDC art. 18 §1º); from 20 on it is urgent
 * (D-13).
 */
export const LEGAL_DAYS = 30
export const DEADLINE_WARNING_DAYS = 20
/** How many days before the legal deadline somebody is told of it. */
export const DEADLINE_NOTICE_DAYS = 3
/** How an open order stands to its deadline, by the days it has been open; null while there is time. */
export const deadlineOf = (days_open: number) =>
  days_open >= LEGAL_DAYS ? 'overdue' : days_open >= DEADLINE_WARNING_DAYS ? 'near' : null
export const OPEN_STATUSES = ORDER_STATUSES.filter((status) => !isClosed(status))

/** Paused by a person: the status is not changed automatically until it is resumed (D-05). */
export const isPaused = (status: OrderStatus) => status === 'pending' || status === 'in_analysis'

/** Whether the status follows the files automatically; paused and closed are decisions of a person. */
export const followsPipeline = (status: OrderStatus) => !isPaused(status) && !isClosed(status)

export const CONVERSION_STATUSES = ['not_started', 'in_progress', 'completed', 'failed', 'available'] as const
export type ConversionStatus = (typeof CONVERSION_STATUSES)[number]

export const CONVERSION_STATUS: Record<ConversionStatus, Badge> = {
  not_started: { label: 'Realizar Upload', colour: 'gray' },
  in_progress: { label: 'Convertendo', colour: 'blue' },
  completed: { label: 'Disponível', colour: 'green' },
  failed: { label: 'Falhou', colour: 'red' },
  available: { label: 'Disponível', colour: 'green' },
}

/** Number of an order's files in each status; deleted ones are not counted. */
export interface FileCounts {
  pending: number
  converting: number
  converted: number
  failed: number
}
export const fileTotal = (files: FileCounts) =>
  files.pending + files.converting + files.converted + files.failed

/** The automatic status of an order: a pure function of its files, without timers (decisions, section 2). */
export function pipelineStatus(files: FileCounts, isValid: boolean): OrderStatus {
  if (fileTotal(files) === 0) return 'created'
  if (files.converting > 0) return 'in_progress'
  return files.converted === fileTotal(files) && isValid ? 'ready' : 'pending_upload'
}

/** The status after a change of the files. An order that waits for files never returns to «Criada». */
export function nextStatus(current: OrderStatus, files: FileCounts, isValid: boolean): OrderStatus {
  if (!followsPipeline(current)) return current
  const next = pipelineStatus(files, isValid)
  return next === 'created' && current !== 'created' ? 'pending_upload' : next
}

/** An order's conversion status (D-07); `isVerified`: all objects exist and the brand's limit is kept. */
export function conversionStatusOf(files: FileCounts, isVerified: boolean): ConversionStatus {
  const total = fileTotal(files)
  if (total === 0) return 'not_started'
  if (files.converting > 0) return 'in_progress'
  if (files.failed > 0) return 'failed'
  if (files.converted === 0) return 'not_started'
  if (files.converted < total) return 'in_progress'
  return isVerified ? 'available' : 'completed'
}
