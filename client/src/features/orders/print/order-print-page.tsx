import { Button } from '@blueprintjs/core'
import { ArrowLeftIcon } from '@blueprintjs/icons'
import { ORDER_SHEET, ORDER_SHEETS } from '@garantia/shared/orders/sheet'
import { getRouteApi, Link } from '@tanstack/react-router'
import { statusOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { MissingOrder } from '../order/missing-order.tsx'
import { AcceptanceSheet } from './acceptance-sheet.tsx'
import { CoverSheet } from './cover-sheet.tsx'
import { LabelSheet } from './label-sheet.tsx'
import './print.css'

const route = getRouteApi('/app/os/$id/imprimir')
const SHEETS = { capa: CoverSheet, termo: AcceptanceSheet, etiqueta: LabelSheet }

/** The sheets of an order, as they are printed; the call that brings their data is recorded (DECISIONS 151). */
export function OrderPrintPage() {
  const { id } = route.useParams()
  const wanted = route.useSearch({ select: (search) => search.folha })
  const folha = ORDER_SHEETS.find((one) => one === wanted) ?? 'capa'
  const navigate = route.useNavigate()
  const {
    data: order,
    error,
    refetch,
  } = trpc.orders.sheet.useQuery(
    { id, sheet: folha },
    // Asked again, and recorded again, each time a sheet is opened, and not while it is.
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  )
  const print = () => window.print()
  useShortcut('i', print, { isEnabled: order !== undefined, label: 'Imprimir esta folha' })
  const hint = useKeyHint()
  if (statusOf(error) === 404) return <MissingOrder />
  const Sheet = SHEETS[folha]
  return (
    <div className="print-page">
      <PageHeader
        title={order ? `Imprimir OS ${order.os_number}` : 'Imprimir OS'}
        lead={
          <Link
            to="/os/$id"
            params={{ id }}
            className="bp6-button bp6-minimal"
            aria-label="Voltar para a OS"
            title="Voltar para a OS"
          >
            <ArrowLeftIcon />
          </Link>
        }
        actions={
          <Button
            intent="primary"
            text="Imprimir"
            {...hint('Imprimir esta folha', 'i')}
            disabled={!order}
            onClick={print}
          />
        }
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a border and need a legend */}
      <div className="sheet-choices" role="group" aria-label="Folha">
        {ORDER_SHEETS.map((one) => (
          <Button
            key={one}
            size="small"
            variant="minimal"
            text={ORDER_SHEET[one].label}
            active={one === folha}
            aria-pressed={one === folha}
            onClick={() => void navigate({ search: { folha: one }, replace: true })}
          />
        ))}
      </div>
      {error && !order ? (
        <div className="panel">
          <ErrorState title="Erro ao carregar a folha" error={error} onRetry={() => void refetch()} />
        </div>
      ) : order ? (
        <Sheet order={order} />
      ) : (
        <Delayed>
          <SheetSkeleton />
        </Delayed>
      )}
    </div>
  )
}

const SheetSkeleton = () => (
  <div className="sheet bp6-light" role="status" aria-label="Carregando a folha">
    {[40, 70, 55, 80, 60].map((width) => (
      <Skeleton key={width} width={width} />
    ))}
  </div>
)
