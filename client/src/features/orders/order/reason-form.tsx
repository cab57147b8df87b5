import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { statusChange } from '@garantia/shared/orders/schema'
import { isClosed } from '@garantia/shared/orders/status'
import { REASON_TO_REOPEN } from '@garantia/shared/orders/transitions'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { Field } from '../../../ui/form/field.tsx'
import { TextBox } from '../../../ui/form/inputs.tsx'
import { focusFirstField } from '../../../ui/overlay/dialog-focus.ts'
import type { PendingTransition } from './status-move.ts'

const optionalReason = z.object({ reason: statusChange.shape.reason })
const requiredReason = optionalReason.refine(({ reason }) => Boolean(reason), {
  path: ['reason'],
  error: REASON_TO_REOPEN,
})

interface Props {
  move: PendingTransition
  isBusy: boolean
  onConfirm: (reason: string | null) => void
  onCancel: () => void
}

export function ReasonForm({ move, isBusy, onConfirm, onCancel }: Props) {
  // Only reopening requires a reason.
  const isReopening = isClosed(move.order.status)
  const { register, handleSubmit, formState } = useForm<
    z.input<typeof optionalReason>,
    unknown,
    z.output<typeof optionalReason>
  >({
    resolver: zodResolver(isReopening ? requiredReason : optionalReason),
    mode: 'onTouched',
    defaultValues: { reason: '' },
  })
  return (
    <form
      ref={focusFirstField}
      noValidate
      className="modal-form"
      onSubmit={(event) => void handleSubmit(({ reason }) => onConfirm(reason ?? null))(event)}
    >
      <DialogBody>
        <p className="dialog-lead">
          {isReopening
            ? 'A OS volta a aceitar alterações. A reabertura e o motivo ficam no histórico.'
            : 'A OS deixa de aceitar alterações e as conversões na fila são descartadas.'}
        </p>
        <Field label="Motivo" isRequired={isReopening} error={formState.errors.reason?.message}>
          {(control) => <TextBox control={control} field={register('reason')} />}
        </Field>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Voltar" onClick={onCancel} disabled={isBusy} />
            <Button
              type="submit"
              intent={isReopening ? 'primary' : 'danger'}
              text={isReopening ? 'Reabrir OS' : 'Cancelar OS'}
              loading={isBusy}
            />
          </>
        }
      />
    </form>
  )
}
