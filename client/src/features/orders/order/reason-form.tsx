import { Button, DialogBody, DialogFooter, type Intent } from '@blueprintjs/core'
import { statusChange } from '@garantia/shared/orders/schema'
import { zodResolver } from '@hookform/resolvers/zod'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { Field } from '../../../ui/form/field.tsx'
import { TextBox } from '../../../ui/form/inputs.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { focusFirstField } from '../../../ui/overlay/dialog-focus.ts'
import { submitting, usePress } from '../../../ui/press.ts'

const optionalReason = z.object({ reason: statusChange.shape.reason })
const requiredReason = (error: string) =>
  optionalReason.refine(({ reason }) => Boolean(reason), { path: ['reason'], error })

export interface ReasonFormProps {
  /** What the reason is of: it names the draft. */
  draft: string
  /** Shown above the field. */
  children: ReactNode
  /** The message when it is missing; null where the reason is optional. */
  missing: string | null
  /** A reason that was given before. */
  given?: string | null | undefined
  submitText: string
  intent: Intent
  cancelText?: string
  onConfirm: (reason: string | null) => Promise<unknown>
  onCancel: () => void
}

/** The content of a dialog that asks why a status is changed. */
export function ReasonForm({ children, missing, given, submitText, intent, ...props }: ReasonFormProps) {
  const form = useForm<z.input<typeof optionalReason>, unknown, z.output<typeof optionalReason>>({
    resolver: zodResolver(missing === null ? optionalReason : requiredReason(missing)),
    mode: 'onTouched',
    defaultValues: { reason: given ?? '' },
  })
  const { register, handleSubmit, formState } = form
  useFormDraft(`reason-${props.draft}`, form)
  const { press, isBusy } = usePress(handleSubmit(({ reason }) => props.onConfirm(reason ?? null)))
  useShortcut('mod+enter', press, { worksInFields: true, label: submitText })
  return (
    <form ref={focusFirstField} noValidate className="modal-form" onSubmit={submitting(press)}>
      <DialogBody>
        {children}
        <Field label="Motivo" isRequired={missing !== null} error={formState.errors.reason?.message}>
          {(control) => <TextBox control={control} field={register('reason')} />}
        </Field>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={props.cancelText ?? 'Voltar'} onClick={props.onCancel} disabled={isBusy} />
            <Button type="submit" intent={intent} text={submitText} loading={isBusy} />
          </>
        }
      />
    </form>
  )
}
