/**
 * The eight order statuses (D-05): six of the pipeline, two in which a person holds the order.
 * Written once: lists, badges, filters, forms, doors and jobs read it from here.
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

/** The consumer code gives the supplier 30 days to mend a defect (CDC art. 18 §1º); 20 is the time to hurry (D-13). */
export const LEGAL_DAYS = 30
export const HURRY_DAYS = 20

/** A person holds the order: the machine waits until they let go (D-05). */
export const isPaused = (status: OrderStatus) => status === 'pending' || status === 'in_analysis'

/** Statuses the machine moves by itself; holds and ends are a person's decision and stay. */
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

/** Under way or stopped half-way, an order says how far it is (D-07). */
export const conversionBadge = (
  status: ConversionStatus,
  progress: { converted: number; total: number; is_running: boolean } | null,
): Badge => {
  const { label, colour } = CONVERSION_STATUS[status]
  if (!progress) return { label, colour }
  const { converted, total, is_running } = progress
  return { label: `${is_running ? label : 'Convertidos'} ${converted}/${total}`, colour }
}

/** How many of an order's files stand where; deleted ones are not counted. */
export interface FileCounts {
  pending: number
  converting: number
  converted: number
  failed: number
}
const totalOf = (files: FileCounts) => files.pending + files.converting + files.converted + files.failed

/** Where the machine would put an order: a pure function of its files, no timers (decisions, section 2). */
export function pipelineStatus(files: FileCounts, isValid: boolean): OrderStatus {
  if (totalOf(files) === 0) return 'created'
  if (files.converting > 0) return 'in_progress'
  return files.converted === totalOf(files) && isValid ? 'ready' : 'pending_upload'
}

/** The status after the files changed. An order that waits for files never falls back to «Criada». */
export function nextStatus(current: OrderStatus, files: FileCounts, isValid: boolean): OrderStatus {
  if (!followsPipeline(current)) return current
  const next = pipelineStatus(files, isValid)
  return next === 'created' && current !== 'created' ? 'pending_upload' : next
}

/** The order-level conversion status (D-07); `isVerified` = every object present and within the brand's limit. */
export function conversionStatusOf(files: FileCounts, isVerified: boolean): ConversionStatus {
  const total = totalOf(files)
  if (total === 0) return 'not_started'
  if (files.converting > 0) return 'in_progress'
  if (files.failed > 0) return 'failed'
  if (files.converted === 0) return 'not_started'
  if (files.converted < total) return 'in_progress'
  return isVerified ? 'available' : 'completed'
}
