import { brl, integer } from '@garantia/shared/format'
import type { Metrics } from '@garantia/shared/orders/metrics'

const oneDecimal = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })
const signed = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1, signDisplay: 'exceptZero' })

const HOURS_OF_TWO_DAYS = 48
/** «5,5 h» up to two days, «3,2 dias» beyond. */
export const durationText = (hours: number) =>
  hours < HOURS_OF_TWO_DAYS ? `${oneDecimal.format(hours)} h` : `${oneDecimal.format(hours / 24)} dias`

export interface Figure {
  label: string
  value: string
  /** Explanation shown by the help button. */
  meaning: string
  /** `status` parameter of the list that shows exactly these orders; '' is the whole list. */
  status?: string
}

/** Number of orders in total, and by status: the parts add up to the total (DASH-1). */
export const countsOf = (metrics: Metrics): Figure[] => [
  {
    label: 'Total de OS',
    value: integer(metrics.total_orders),
    meaning: 'Todas as ordens de serviço das suas empresas, em qualquer status.',
    status: '',
  },
  {
    label: 'Concluídas',
    value: integer(metrics.completed_orders),
    meaning: 'Ordens com status Concluída.',
    status: 'completed',
  },
  {
    label: 'Em Análise',
    value: integer(metrics.in_analysis_orders),
    meaning: 'Ordens com status Em Análise.',
    status: 'in_analysis',
  },
  {
    label: 'Pendentes',
    value: integer(metrics.pending_orders),
    meaning: 'Ordens com status Pendente ou Aguardando Upload.',
    status: 'pending,pending_upload',
  },
  {
    label: 'Em andamento',
    value: integer(underWay(metrics)),
    meaning: 'Ordens com status Criada, Em Processamento ou Pronta.',
    status: 'created,in_progress,ready',
  },
  {
    label: 'Canceladas',
    value: integer(metrics.cancelled_orders),
    meaning: 'Ordens com status Cancelada.',
    status: 'cancelled',
  },
]

/** The rest of the total: statuses that the call does not count on their own. */
const underWay = (metrics: Metrics) =>
  metrics.total_orders -
  metrics.completed_orders -
  metrics.in_analysis_orders -
  metrics.pending_orders -
  metrics.cancelled_orders

/** Revenue and resolution time (DASH-3, DASH-5). */
export const resultsOf = (metrics: Metrics): Figure[] => [
  {
    label: 'Receita',
    value: brl(metrics.total_revenue),
    meaning: 'Soma do valor total das ordens concluídas.',
  },
  {
    label: 'Ticket médio',
    value: brl(metrics.average_order_value),
    meaning: 'Receita dividida pelo número de ordens concluídas.',
  },
  {
    label: 'Tempo médio de resolução',
    value: durationText(metrics.average_processing_time_hours),
    meaning: 'Média do tempo entre a abertura e a conclusão das ordens concluídas.',
  },
  {
    label: 'Taxa de conclusão',
    value: `${oneDecimal.format(metrics.completion_rate)}%`,
    meaning: 'Ordens concluídas em relação ao total de ordens.',
  },
]

/** Growth and activity (DASH-4). */
export const movementOf = (metrics: Metrics): Figure[] => [
  {
    label: 'Crescimento mensal',
    value: `${signed.format(metrics.monthly_growth)}%`,
    meaning: 'Ordens abertas neste mês até hoje, comparadas com os mesmos dias do mês anterior.',
  },
  {
    label: 'Abertas em 7 dias',
    value: integer(metrics.weekly_orders),
    meaning: 'Ordens abertas nos últimos sete dias, incluindo hoje.',
  },
  {
    label: 'Marcas ativas',
    value: integer(metrics.active_brands),
    meaning: 'Marcas com situação ativa.',
  },
  {
    label: 'Empresas ativas',
    value: integer(metrics.active_companies),
    meaning: 'Empresas com situação ativa, entre as que você pode ver.',
  },
  {
    label: 'Clientes',
    value: integer(metrics.total_customers),
    meaning: 'Clientes distintos: pelo CPF/CNPJ ou, sem documento, por nome e telefone.',
  },
]
