import { Button, Callout, Spinner } from '@blueprintjs/core'
import { LockIcon } from '@blueprintjs/icons'
import type { OrderView } from '@garantia/shared/orders/schema'
import { isClosed, ORDER_STATUS } from '@garantia/shared/orders/status'
import { can } from '@garantia/shared/policy'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { statusOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { StatusBadge } from '../../../ui/feedback/badge.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed } from '../../../ui/feedback/skeleton.tsx'
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { submitting, useSave } from '../../../ui/press.ts'
import { ConflictPrompt } from './conflict-prompt.tsx'
import { PAGE_FIELDS, pageForm } from './order-form-schema.ts'
import { focusFirstOnPage, OrderSections } from './order-sections.tsx'
import { useOrderChange } from './use-order-change.ts'
import { useOrderForm } from './use-order-form.ts'
import '../order/orders.css'

const MissingOrder = lazy(async () => ({
  default: (await import('../order/missing-order.tsx')).MissingOrder,
}))
// Seldom shown, and not in the first script.
const FormNotices = lazy(async () => ({ default: (await import('./form-notices.tsx')).FormNotices }))

const route = getRouteApi('/app/os/$id/edit')

export function EditOrderPage() {
  const { id } = route.useParams()
  const navigate = useNavigate()
  const { data: order, error, refetch } = trpc.orders.one.useQuery({ id })
  if (statusOf(error) === 404) return <MissingOrder />
  if (order) return <EditScreen key={order.id} order={order} />
  if (error)
    return (
      <>
        <PageHeader
          title="Editar OS"
          actions={<Button text="Voltar" onClick={() => void navigate({ to: '/os/$id', params: { id } })} />}
        />
        <ErrorState title="Erro ao carregar ordem de serviço" error={error} onRetry={() => void refetch()} />
      </>
    )
  return (
    <Delayed>
      <div className="empty-state" role="status">
        <Spinner size={24} />
        <p className="empty-state-title">Carregando ordem de serviço…</p>
      </div>
    </Delayed>
  )
}

function EditScreen({ order }: { order: OrderView }) {
  const navigate = useNavigate()
  const isEnded = isClosed(order.status)
  const mayChange = can(useActor(), 'order.change', order)
  const isLocked = isEnded || !mayChange
  const state = useOrderForm(pageForm, order, isLocked)
  const focusFirst = focusFirstOnPage(state.form)
  const { campo } = route.useSearch()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page opens
  useEffect(() => {
    focusFirst(PAGE_FIELDS.filter((name) => name === campo))
  }, [campo])
  const toOrder = () => navigate({ to: '/os/$id', params: { id: order.id } })
  const change = useOrderChange(order.id, state, {
    focusFirst,
    onSaved: () => navigate({ to: '/os/$id', params: { id: order.id }, replace: true, ignoreBlocker: true }),
  })
  const { press, isBusy } = useSave(() => !isLocked && change.submit(focusFirst))
  useShortcut(['mod+s', 'mod+enter'], press, { worksInFields: true, label: 'Salvar', isEnabled: !isLocked })
  const hint = useKeyHint()

  return (
    <form noValidate className="order-page" onSubmit={submitting(press)}>
      <PageHeader
        title={`Editar OS ${order.os_number}`}
        aside={<StatusBadge badge={ORDER_STATUS[order.status]} />}
        subtitle={`${order.brand.display_name} · ${order.company.trading_name}`}
        actions={
          <>
            <Button
              text={isLocked ? 'Voltar' : 'Cancelar'}
              disabled={isBusy}
              onClick={() => void toOrder()}
            />
            {!isLocked && (
              <Button
                type="submit"
                intent="primary"
                text="Salvar"
                {...hint('Salvar', 'mod+s')}
                loading={isBusy}
              />
            )}
          </>
        }
      />
      {isLocked && (
        <Callout compact intent="warning" icon={<LockIcon />} role="alert">
          {isEnded
            ? 'Esta OS está concluída ou cancelada e não pode ser editada.'
            : 'Esta OS é de outro técnico: você pode ver, mas não editar.'}
        </Callout>
      )}
      <Suspense fallback={null}>
        <FormNotices state={state} change={change} />
      </Suspense>
      <OrderSections form={state.form} order={order} isLocked={isLocked} />
      <ConflictPrompt change={change} />
      <UnsavedGuard
        isDirty={state.form.formState.isDirty && !isLocked}
        unsavedLabel={`alterações na OS ${order.os_number}`}
      />
    </form>
  )
}
