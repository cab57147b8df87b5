import type { RequiredCategory } from '../brands/schema.ts'
import { counted } from '../format.ts'
import type { OrderRow, OrderView } from './schema.ts'
import {
  type Badge,
  CONVERSION_STATUS,
  type ConversionStatus,
  type FileCounts,
  fileTotal,
  isClosed,
  type OrderStatus,
} from './status.ts'

/** An order's files by state, and how many its brand requires besides them. */
export interface OrderFiles extends FileCounts {
  missing: number
}
/** How many files the required categories lack. */
export const missingFiles = (
  required: readonly RequiredCategory[],
  inCategory: (category: RequiredCategory['category']) => number,
) => required.reduce((sum, { category, min }) => sum + Math.max(0, min - inCategory(category)), 0)

interface WithFiles {
  /** Null where the statuses of the order say it all. */
  files: OrderFiles | null
}
/** An order as the screens' calls return it. */
export type ListedOrder = OrderRow & WithFiles
export type ShownOrder = OrderView & WithFiles

interface Statuses {
  status: OrderStatus
  conversion_status: ConversionStatus
}
/** Whether the files say more than the two statuses do; of other orders they need not be counted. */
export const needsFiles = ({ status, conversion_status }: Statuses) =>
  status !== 'created' && status !== 'ready' && !(isClosed(status) && conversion_status === 'available')

/** What a badge tells besides its words; narrow tables show only the icon. */
export type ConversionSign = 'upload' | 'convert' | 'running' | 'done' | 'failed'
const SIGN: Record<ConversionStatus, ConversionSign> = {
  not_started: 'upload',
  in_progress: 'running',
  completed: 'done',
  failed: 'failed',
  available: 'done',
}

interface ConversionFace extends Badge {
  sign: ConversionSign
  /** Where the heading of a narrow column says «Conversão». */
  short?: string
}
/**
 * The conversion of an order (D-07): its specified label, or, while files wait for it, what is being done or can be
 * done next.
 */
export function conversionBadge(order: Statuses & WithFiles): ConversionFace {
  const { status, conversion_status, files } = order
  const specified = { ...CONVERSION_STATUS[conversion_status], sign: SIGN[conversion_status] }
  if (!files) return specified
  const total = fileTotal(files)
  const { pending, converting, converted, failed } = files
  if (converting > 0)
    return { ...CONVERSION_STATUS.in_progress, label: `Convertendo ${converted}/${total}`, sign: 'running' }
  if (isClosed(status)) {
    if (total === 0) return { label: 'Sem arquivos', colour: 'gray', sign: 'upload' }
    return pending > 0 ? { ...specified, label: `Convertidos ${converted}/${total}` } : specified
  }
  if (failed > 0 || pending === 0) return specified
  const words =
    converted > 0
      ? { label: `Falta converter ${pending}/${total}`, short: `Converter ${pending}/${total}` }
      : { label: 'Pronta para converter', short: 'A converter' }
  return { ...words, colour: 'yellow', sign: 'convert' }
}

/** What an order that has files needs besides their conversion; null when that is nothing. */
export function neededOf({ status, files }: Statuses & WithFiles): string | null {
  if (!files || fileTotal(files) === 0 || isClosed(status)) return null
  const { missing, converted } = files
  if (missing > 0)
    return `${missing === 1 ? 'Falta' : 'Faltam'} ${counted(missing, 'evidência', 'evidências')}`
  // All converted, and yet the package is not ready: it is too large, or data of the order are missing.
  return status === 'pending_upload' && converted === fileTotal(files) ? 'Há pendências' : null
}
