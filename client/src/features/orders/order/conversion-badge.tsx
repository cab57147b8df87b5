import { CloudUploadIcon, CrossCircleIcon, RefreshIcon, TickIcon } from '@blueprintjs/icons'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { type ConversionStatus, conversionBadge } from '@garantia/shared/orders/status'
import type { ReactElement } from 'react'
import { Badge } from '../../../ui/feedback/badge.tsx'

/** One icon per state, because narrow tables show only the icon. */
const SIGN: Record<ConversionStatus, ReactElement> = {
  not_started: <CloudUploadIcon size={12} />,
  in_progress: <RefreshIcon size={12} />,
  completed: <TickIcon size={12} />,
  available: <TickIcon size={12} />,
  failed: <CrossCircleIcon size={12} />,
}

export function ConversionBadge({
  order: { conversion_status: status, conversion_progress },
}: {
  order: Pick<OrderRow, 'conversion_status' | 'conversion_progress'>
}) {
  const { colour, label } = conversionBadge(status, conversion_progress)
  return (
    <Badge colour={colour} icon={SIGN[status]} title={label}>
      {label}
    </Badge>
  )
}
