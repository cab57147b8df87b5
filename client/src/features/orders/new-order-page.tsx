import { Button } from '@blueprintjs/core'
import { useNavigate } from '@tanstack/react-router'
import { useKeyHint } from '../../ui/key-hint.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { useShortcut } from '../../ui/shortcut.ts'
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx'
import { DraftNotice } from './form/form-notices.tsx'
import { pageForm } from './form/order-form-schema.ts'
import { leadOnPage, OrderSections } from './form/order-sections.tsx'
import { useNewOrder } from './form/use-new-order.ts'
import { useOrderForm } from './form/use-order-form.ts'
import './orders.css'

export function NewOrderPage() {
  const navigate = useNavigate()
  const state = useOrderForm(pageForm)
  const lead = leadOnPage(state.form)
  const { submit, isBusy, isDone } = useNewOrder(state, lead)
  useShortcut(['mod+s', 'mod+enter'], () => void submit(lead), { worksInFields: true, words: 'Criar OS' })
  const hint = useKeyHint()

  return (
    <form
      noValidate
      className="order-page"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(lead)
      }}
    >
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
      <OrderSections form={state.form} />
      <UnsavedGuard isDirty={state.form.formState.isDirty && !isDone} what="a nova OS" />
    </form>
  )
}
