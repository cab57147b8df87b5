import { Button } from '@blueprintjs/core'
import { ImportIcon, PlusIcon, RefreshIcon } from '@blueprintjs/icons'
import { counted, integer } from '@garantia/shared/format'
import type { OrderPage, OrderSummary } from '@garantia/shared/orders/schema'
import { hasNoCompany } from '@garantia/shared/policy'
import { useRef } from 'react'
import { mayImport, useActor } from '../../../lib/actor.ts'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { ExportMenu } from './export-menu.tsx'
import type { OrdersSearch } from './orders-search.ts'
import type { useOrders } from './use-orders.ts'

interface Props extends ReturnType<typeof useOrders> {
  state: OrdersSearch
  onCreate: () => void
  /** Shows the packages that were asked for. */
  onPackages: () => void
}

/** How many orders match, what others have changed since, and the actions that concern no order in particular. */
export function ListHeader({ orders, news, isRefreshing, refresh, state, onCreate, onPackages }: Props) {
  const actor = useActor()
  const mayOpen = !hasNoCompany(actor)
  useShortcut('n', onCreate, { isEnabled: mayOpen, label: 'Nova OS' })
  useShortcut('r', refresh, { label: 'Atualizar' })
  const hint = useKeyHint()
  const refreshButton = useRef<HTMLButtonElement>(null)
  return (
    <PageHeader
      title="Ordens de Serviço"
      aside={
        <>
          <span className="muted numeric" role="status">
            {orders.data && (
              <>
                <span>{totalText(orders.data)}</span>
                {/* The cards count whatever the status (D-28). */}
                {state.status !== '' && !orders.isPlaceholderData && inAnyStatus(orders.data.summary)}
              </>
            )}
          </span>
          <span role="status">
            {news && (
              <Button
                className="list-news"
                variant="outlined"
                size="small"
                text={`${news.added > 0 ? counted(news.added, 'nova', 'novas') : 'A lista mudou'} · atualizar`}
                onClick={() => {
                  news.take()
                  refreshButton.current?.focus()
                }}
              />
            )}
          </span>
        </>
      }
      actions={
        <>
          {mayImport(actor) && (
            <LinkButton className="orders-import" icon={<ImportIcon />} text="Importar" to="/importar" />
          )}
          <ExportMenu state={state} isEmpty={!orders.data?.total} onPackages={onPackages} />
          <Button
            ref={refreshButton}
            icon={<RefreshIcon />}
            text="Atualizar"
            {...hint('Atualizar', 'r')}
            loading={isRefreshing}
            onClick={refresh}
          />
          {mayOpen && (
            <Button
              intent="primary"
              icon={<PlusIcon />}
              text="Nova OS"
              {...hint('Nova OS', 'n')}
              onClick={onCreate}
            />
          )}
        </>
      }
    />
  )
}

/** Above 1,000 matches the server does not count exactly, because of the cost (D-55). */
const totalText = ({ total, total_is_exact }: OrderPage) =>
  total_is_exact ? counted(total, 'ordem de serviço', 'ordens de serviço') : 'mais de 1.000 ordens de serviço'

const inAnyStatus = ({ total, is_exact }: OrderSummary) =>
  ` · ${integer(total)}${is_exact ? '' : '+'} em qualquer status`
