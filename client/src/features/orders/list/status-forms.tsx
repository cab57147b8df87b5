import { Button, DialogBody, DialogFooter, Radio } from '@blueprintjs/core'
import type { OrderRow, StatusChange, TransitionView } from '@garantia/shared/orders/schema'
import { ORDER_STATUS, type OrderStatus } from '@garantia/shared/orders/status'
import { LABEL, REASON_TO_REOPEN } from '@garantia/shared/orders/transitions'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { readDraft, useDraft, useDraftKey } from '../../../lib/drafts.ts'
import { trpc } from '../../../lib/trpc.ts'
import { StatusBadge } from '../../../ui/feedback/badge.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { useTypeAhead } from '../../../ui/keys/type-ahead.ts'
import { submitting, usePress } from '../../../ui/press.ts'
import { bulkChoices, mayResumeSome, proposedStatus } from './bulk/bulk-choices.ts'

export interface StatusFormProps {
  onChange: (change: Pick<StatusChange, 'status' | 'reason'>) => Promise<unknown>
  onResume: () => Promise<unknown>
  onClose: () => void
}

/** The choices for one order, or for many. */
export function StatusForms({ orders, ...form }: StatusFormProps & { orders: readonly OrderRow[] }) {
  const [first, ...rest] = orders
  return first && rest.length === 0 ? (
    <OneOrder id={first.id} {...form} />
  ) : (
    <ManyOrders orders={orders} {...form} />
  )
}

/** For a single order the server gives the allowed transitions, because they depend on its files. */
function OneOrder({ id, ...form }: StatusFormProps & { id: number }) {
  const order = trpc.orders.one.useQuery({ id })
  if (order.data)
    return (
      <StatusForm
        id={id}
        choices={order.data.allowed_transitions}
        proposed={proposedStatus([order.data])}
        {...form}
      />
    )
  return (
    <DialogBody>
      {order.error ? (
        <ErrorState
          title="Erro ao carregar ordem de serviço"
          error={order.error}
          onRetry={() => void order.refetch()}
        />
      ) : (
        <Skeleton />
      )}
    </DialogBody>
  )
}

function ManyOrders({ orders, ...form }: StatusFormProps & { orders: readonly OrderRow[] }) {
  const actor = useActor()
  return (
    <StatusForm
      choices={bulkChoices(actor, orders)}
      proposed={proposedStatus(orders)}
      canResume={mayResumeSome(actor, orders)}
      {...form}
    />
  )
}

function StatusForm({
  id,
  choices,
  proposed,
  canResume = false,
  onChange,
  onResume,
  onClose,
}: StatusFormProps & {
  /** Of the one order whose status is changed. */
  id?: number
  choices: readonly TransitionView[]
  /** Chosen at first, where it is allowed. */
  proposed: OrderStatus | undefined
  canResume?: boolean
}) {
  const name = useId()
  const [chosen, setChosen] = useState(() =>
    choices.find(({ status, is_allowed }) => is_allowed && status === proposed),
  )
  const [isResuming, setIsResuming] = useState(false)
  const draft = useDraftKey(`status-${id ?? 'many'}`)
  const [reason, setReason] = useState(() => readDraft<string>(draft) ?? '')
  useDraft(draft, reason !== '', () => reason)
  const [isReasonMissed, setIsReasonMissed] = useState(false)
  const reasonBox = useRef<HTMLTextAreaElement>(null)
  // Cancelling asks for a reason too, but it is optional.
  const isReopening = chosen?.asks_reason === true && chosen.status !== 'cancelled'
  const { press, isBusy } = usePress(() => {
    if (isResuming) return onResume()
    if (!chosen) return
    const given = reason.trim()
    if (!isReopening || given) return onChange({ status: chosen.status, reason: given || null })
    setIsReasonMissed(true)
    reasonBox.current?.focus()
  })
  const firstAllowed = choices.find(({ is_allowed }) => is_allowed)
  const [startsAt] = useState(chosen ?? (canResume ? undefined : firstAllowed))
  useShortcut('mod+enter', press, { worksInFields: true, label: 'Mudar status' })
  const choiceTyped = useTypeAhead()
  const typeAhead = (event: KeyboardEvent<HTMLElement>) => {
    const radios = event.currentTarget.querySelectorAll<HTMLInputElement>('input:not(:disabled)')
    const found = choiceTyped(event, [...radios], (radio) => radio.labels?.item(0).textContent ?? null)
    found?.focus()
    found?.click()
  }
  return (
    <form className="modal-form" onSubmit={submitting(press)}>
      <DialogBody>
        <fieldset className="status-choices" onKeyDown={typeAhead}>
          <legend className="field-label">Novo status</legend>
          {canResume && (
            <Radio
              className="toggle"
              name={name}
              value="resume"
              checked={isResuming}
              autoFocus={startsAt === undefined}
              onChange={() => {
                setChosen(undefined)
                setIsResuming(true)
              }}
            >
              <span className="status-choice">{LABEL.resume}</span>
              <span className="field-help">Cada OS volta ao status que seus arquivos pedem.</span>
            </Radio>
          )}
          {choices.map((choice) => (
            <Radio
              key={choice.status}
              className="toggle"
              name={name}
              value={choice.status}
              checked={!isResuming && chosen?.status === choice.status}
              disabled={!choice.is_allowed}
              autoFocus={choice.status === startsAt?.status}
              onChange={() => {
                setChosen(choice)
                setIsResuming(false)
              }}
            >
              <span className="status-choice">
                {choice.label}
                {ORDER_STATUS[choice.status].label !== choice.label && (
                  <StatusBadge badge={ORDER_STATUS[choice.status]} />
                )}
              </span>
              {choice.reason && <span className="field-help">{choice.reason}</span>}
            </Radio>
          ))}
          {!firstAllowed && !canResume && (
            <p className="muted">Nenhuma mudança de status é possível agora.</p>
          )}
        </fieldset>
        <Field
          label="Motivo"
          isRequired={isReopening}
          help={isReopening ? 'Fica no histórico.' : 'Opcional. Fica no histórico.'}
          error={isReopening && isReasonMissed ? REASON_TO_REOPEN : undefined}
        >
          {(control) => (
            <textarea
              {...control}
              ref={reasonBox}
              className="bp6-input bp6-fill"
              rows={2}
              maxLength={500}
              value={reason}
              onChange={(event) => {
                setReason(event.currentTarget.value)
                setIsReasonMissed(false)
              }}
            />
          )}
        </Field>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Voltar" onClick={onClose} disabled={isBusy} />
            <Button
              type="submit"
              intent="primary"
              text="Mudar status"
              disabled={!chosen && !isResuming}
              loading={isBusy}
            />
          </>
        }
      />
    </form>
  )
}
