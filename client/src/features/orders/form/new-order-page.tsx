import { Button } from '@blueprintjs/core'
import { useNavigate } from '@tanstack/react-router'
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { submitting, useSave } from '../../../ui/press.ts'
import { DraftNotice } from './form-notices.tsx'
import { NewOrderPhotos } from './new-order-photos.tsx'
import { pageForm } from './order-form-schema.ts'
import { focusFirstOnPage, OrderSections } from './order-sections.tsx'
import { useNewOrder } from './use-new-order.ts'
import { useOrderForm } from './use-order-form.ts'
import '../order/orders.css'

export function NewOrderPage() {
  const navigate = useNavigate()
  const state = useOrderForm(pageForm)
  const focusFirst = focusFirstOnPage(state.form)
  const { submit, isDone } = useNewOrder(state, focusFirst)
  const { press, isBusy } = useSave(() => submit(focusFirst))
  useShortcut(['mod+s', 'mod+enter'], press, {
    worksInFields: true,
    label: 'Criar OS',
  })
  const hint = useKeyHint()

  return (
    <form noValidate className="order-page" onSubmit={submitting(press)}>
      <PageHeader
        title="Nova OS"
        subtitle="Os campos com * são obrigatórios."
        actions={
          <>
            <Button text="Cancelar" disabled={isBusy} onClick={() => void navigate({ to: '/lista-os' })} />
            <Button
              type="submit"
              intent="primary"
              text="Criar OS"
              {...hint('Criar OS', 'mod+s')}
              loading={isBusy}
            />
          </>
        }
      />
      <DraftNotice state={state} />
      <NewOrderPhotos state={state} focusFirst={focusFirst} />
      <OrderSections form={state.form} />
      <UnsavedGuard isDirty={state.hasChanges && !isDone} unsavedLabel="a nova OS" />
    </form>
  )
}
