import { CloudUploadIcon, CrossCircleIcon, PlayIcon, RefreshIcon, TickIcon } from '@blueprintjs/icons'
import {
  type ConversionSign,
  conversionBadge,
  type ListedOrder,
  neededOf,
} from '@garantia/shared/orders/conversion-badge'
import type { ReactElement } from 'react'
import { Badge } from '../../../ui/feedback/badge.tsx'

const SIGN: Record<ConversionSign, ReactElement> = {
  upload: <CloudUploadIcon size={12} />,
  convert: <PlayIcon size={12} />,
  running: <RefreshIcon size={12} />,
  done: <TickIcon size={12} />,
  failed: <CrossCircleIcon size={12} />,
}

interface Props {
  order: Pick<ListedOrder, 'status' | 'conversion_status' | 'files'>
  /** In a column: without what the order needs besides, and in fewer words where the column is narrow. */
  isShort?: boolean
}

/** The conversion of an order's files, and what the order needs besides. */
export function ConversionBadge({ order, isShort = false }: Props) {
  const { colour, label, short, sign } = conversionBadge(order)
  const needed = isShort ? null : neededOf(order)
  return (
    <>
      <Badge colour={colour} icon={SIGN[sign]} title={label}>
        {isShort && short ? (
          <>
            <span className="badge-whole">{label}</span>
            <span className="badge-short" aria-hidden="true">
              {short}
            </span>
          </>
        ) : (
          label
        )}
      </Badge>
      {needed && <span className="muted">{needed}</span>}
    </>
  )
}
