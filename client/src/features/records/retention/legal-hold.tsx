import { Button, Callout } from '@blueprintjs/core'
import { LockIcon, UnlockIcon } from '@blueprintjs/icons'
import { dateTime } from '@garantia/shared/format'
import { holdInput } from '@garantia/shared/orders/hold'
import type { OrderView } from '@garantia/shared/orders/schema'
import { can } from '@garantia/shared/policy'
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { FormModal, ModalForm } from '../../../ui/form/form-modal.tsx'
import { TextBox } from '../../../ui/form/inputs.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import './legal-hold.css'

interface Props {
  order: OrderView
  /** The notice is shown above the files it protects; the rarely used offer below them. */
  part: 'notice' | 'offer'
}

/** Shows that an order is under legal hold, and lets an administrator set or lift it. */
export function LegalHold({ order, part }: Props) {
  const { data: hold } = trpc.retention.holdOf.useQuery({ id: order.id })
  const mayHold = can(useActor(), 'order.hold', order)
  if (!hold) return null
  if (part === 'notice') return <Notice order={order} mayHold={mayHold} />
  return mayHold && <Offer order={order} isHeld={hold.is_held} />
}

function Notice({ order, mayHold }: { order: OrderView; mayHold: boolean }) {
  const { data: hold } = trpc.retention.holdOf.useQuery({ id: order.id })
  const [isAsked, setIsAsked] = useState(false)
  const utils = trpc.useUtils()
  const release = trpc.retention.release.useMutation({
    onSuccess: (state) => {
      utils.retention.holdOf.setData({ id: order.id }, state)
      void utils.orderList.invalidate()
      setIsAsked(false)
      toast.success({ title: 'Retenção judicial encerrada', description: `OS ${order.os_number}` })
    },
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
  })
  if (!hold) return null
  return (
    <>
      {hold.is_held && (
        <Callout icon={<LockIcon />} intent="warning" className="legal-hold">
          <div>
            <strong>Retenção judicial</strong>
            <p>
              {hold.reason}
              <span className="muted numeric">
                {hold.held_at && ` · desde ${dateTime(hold.held_at)}`}
                {hold.held_by && ` · ${hold.held_by}`}
              </span>
            </p>
            <p className="muted">Nada desta OS pode ser excluído, nem pelo prazo de guarda da marca.</p>
          </div>
          {mayHold && <Button icon={<UnlockIcon />} text="Liberar" onClick={() => setIsAsked(true)} />}
        </Callout>
      )}
      <ConfirmDialog
        isOpen={isAsked && hold.is_held}
        title={`Encerrar a retenção judicial da OS ${order.os_number}?`}
        confirmText="Encerrar retenção"
        icon={<UnlockIcon />}
        onConfirm={() => release.mutateAsync({ id: order.id })}
        onCancel={() => setIsAsked(false)}
      >
        Os arquivos voltam a poder ser excluídos, também pelo prazo de guarda da marca.
      </ConfirmDialog>
    </>
  )
}

function Offer({ order, isHeld }: { order: OrderView; isHeld: boolean }) {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      {!isHeld && (
        <Button
          variant="minimal"
          icon={<LockIcon />}
          text="Retenção judicial"
          title="Impede toda exclusão nesta OS"
          onClick={() => setIsAsked(true)}
        />
      )}
      <FormModal
        isOpen={isAsked && !isHeld}
        title={`Retenção judicial da OS ${order.os_number}`}
        unsavedLabel="o motivo da retenção"
        onClose={() => setIsAsked(false)}
      >
        <HoldForm order={order} onDone={() => setIsAsked(false)} />
      </FormModal>
    </>
  )
}

const formSchema = holdInput.pick({ reason: true })

function HoldForm({ order, onDone }: { order: OrderView; onDone: () => void }) {
  const utils = trpc.useUtils()
  const form = useForm({ resolver: zodResolver(formSchema), defaultValues: { reason: '' } })
  const { register, handleSubmit, formState } = form
  useFormDraft(`hold-${order.id}`, form)
  const { mutateAsync } = trpc.retention.hold.useMutation({
    onSuccess: (state) => {
      utils.retention.holdOf.setData({ id: order.id }, state)
      void utils.orderList.invalidate()
      toast.success({ title: 'OS em retenção judicial', description: `OS ${order.os_number}` })
      onDone()
    },
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
  })
  return (
    <ModalForm
      submitText="Reter"
      isDirty={formState.isDirty}
      onSubmit={handleSubmit(({ reason }) => mutateAsync({ id: order.id, reason }))}
    >
      <Field
        label="Motivo"
        isRequired
        help="Número do processo ou pedido. Fica na trilha de eventos da OS."
        error={formState.errors.reason?.message}
      >
        {(control) => <TextBox control={control} field={register('reason')} />}
      </Field>
    </ModalForm>
  )
}
