import { CloudUploadIcon, CrossCircleIcon, RefreshIcon, TickIcon } from '@blueprintjs/icons'
import { CONVERSION_STATUS, type ConversionStatus } from '@garantia/shared/orders/status'
import type { ReactElement } from 'react'
import { Badge } from '../../ui/badge.tsx'

/** A sign of its own for each state, because narrow tables show the sign alone. */
const SIGN: Record<ConversionStatus, ReactElement> = {
  not_started: <CloudUploadIcon size={12} />,
  in_progress: <RefreshIcon size={12} />,
  completed: <TickIcon size={12} />,
  available: <TickIcon size={12} />,
  failed: <CrossCircleIcon size={12} />,
}

export function ConversionBadge({ status }: { status: ConversionStatus }) {
  const { colour, label } = CONVERSION_STATUS[status]
  return (
    <Badge colour={colour} icon={SIGN[status]} title={label}>
      {label}
    </Badge>
  )
}
