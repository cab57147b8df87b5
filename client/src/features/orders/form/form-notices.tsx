import { Button, Callout } from '@blueprintjs/core'
import { FIELD_LABEL } from '@garantia/shared/orders/field-label'
import type { OrderChangeState } from './use-order-change.ts'
import type { OrderFormState } from './use-order-form.ts'

/** Shown when a draft left by a reload or an expired session was restored; it can be discarded. */
export const DraftNotice = ({ state }: { state: OrderFormState }) =>
  state.isRecovered ? (
    <Callout compact intent="none" icon={null} className="form-notice" role="note">
      <span>
        <strong>Rascunho recuperado.</strong> O que você tinha digitado está de volta.
      </span>
      <Button size="small" text="Descartar rascunho" onClick={() => state.discardDraft()} />
    </Callout>
  ) : null

/** After «Recarregar»: the overwritten input can be restored. */
const ReplacedNotice = ({ change }: { change: OrderChangeState }) => (
  <div role="status">
    {change.replaced.length > 0 && (
      <Callout compact intent="none" icon={null} className="form-notice">
        <span>
          Recarregado: <strong>{change.replaced.map(({ name }) => FIELD_LABEL[name]).join(', ')}</strong>. O
          que você tinha digitado nesses campos ainda pode voltar.
        </span>
        <Button size="small" text="Trazer de volta" onClick={change.restoreReplaced} />
      </Callout>
    )}
  </div>
)

/** Both, of an order that is edited. */
export const FormNotices = ({ state, change }: { state: OrderFormState; change: OrderChangeState }) => (
  <>
    <DraftNotice state={state} />
    <ReplacedNotice change={change} />
  </>
)
