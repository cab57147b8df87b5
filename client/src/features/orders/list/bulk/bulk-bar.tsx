import { counted } from '@garantia/shared/format'
import { BULK_MAX } from '@garantia/shared/orders/bulk-limit'
import { lazy, Suspense } from 'react'
import type { BulkActionsProps } from './bulk-actions.tsx'

const BulkActions = lazy(async () => ({ default: (await import('./bulk-actions.tsx')).BulkActions }))

/** Says how many orders are selected, with what can be done to them. */
export function BulkBar(props: Omit<BulkActionsProps, 'selected'>) {
  const count = props.selection.rows.length
  const most = count > BULK_MAX ? ` (máximo de ${BULK_MAX})` : ''
  const selected = `${counted(count, 'selecionada', 'selecionadas')}${most}`
  return (
    <>
      <span className="visually-hidden" role="status">
        {count > 0 && selected}
      </span>
      {count > 0 && (
        <Suspense>
          <BulkActions {...props} selected={selected} />
        </Suspense>
      )}
    </>
  )
}
