import { Callout } from '@blueprintjs/core'
import { formatPhone } from '@garantia/shared/br/phone'
import { formatTaxId } from '@garantia/shared/br/tax-id'
import { counted } from '@garantia/shared/format'
import { can } from '@garantia/shared/policy'
import {
  CONFIRM_WORD,
  type PrivacyRequest,
  SUBJECT_KEY,
  type Subject,
  type SubjectOrder,
} from '@garantia/shared/privacy/subject'
import { useActor } from '../../../lib/actor.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { FormModal, ModalForm } from '../../../ui/form/form-modal.tsx'
import { TextBox, TextInput } from '../../../ui/form/inputs.tsx'
import { useForm } from '../../../ui/form/use-form.ts'

/** How many of the orders that must be kept are named one by one. */
const SHOWN = 8

const written = ({ by, value }: Subject) =>
  by === 'document' ? formatTaxId(value) : by === 'phone' ? formatPhone(value) : value

interface Props {
  isOpen: boolean
  subject: Subject
  orders: readonly SubjectOrder[]
  /** Called with the request once it is queued. */
  onQueued: (request: PrivacyRequest) => void
  onClose: () => void
}

/** Asks for the word that confirms, and for a reason where an order must be kept. */
export const AnonymiseDialog = ({ isOpen, onClose, ...props }: Props) => (
  <FormModal isOpen={isOpen} title="Anonimizar titular" unsavedLabel="a confirmação" onClose={onClose}>
    <AnonymiseForm {...props} onDone={onClose} />
  </FormModal>
)

function AnonymiseForm({
  subject,
  orders,
  onQueued,
  onDone,
}: Omit<Props, 'isOpen' | 'onClose'> & { onDone: () => void }) {
  const utils = trpc.useUtils()
  const mayOverride = can(useActor(), 'privacy.override')
  const blocked = orders.filter((order) => order.blocked !== null)
  const { register, handleSubmit, formState } = useForm({ defaultValues: { word: '', reason: '' } })
  const { mutateAsync } = trpc.privacy.anonymise.useMutation({
    onSuccess: async (request) => {
      onQueued(request)
      await utils.privacy.requests.invalidate()
      toast.success({ title: 'Anonimização na fila' })
      onDone()
    },
    onError: (error) => toast.error({ title: 'Erro ao anonimizar', description: messageOf(error) }),
  })
  return (
    <ModalForm
      submitText="Anonimizar"
      isDirty={formState.isDirty}
      canSubmit={blocked.length === 0 || mayOverride}
      onSubmit={handleSubmit(({ reason }) =>
        mutateAsync({
          ...subject,
          confirmation: CONFIRM_WORD,
          ...(reason.trim() && { reason: reason.trim() }),
        }),
      )}
    >
      <p className="dialog-lead">
        {SUBJECT_KEY[subject.by]} <strong className="numeric">{written(subject)}</strong>: em{' '}
        {counted(orders.length, 'ordem de serviço', 'ordens de serviço')}, nome, documento, telefone e email
        são trocados por um pseudônimo, também no histórico, nos nomes de arquivos, emails e importações. Os
        dossiês guardados aqui perdem os arquivos; os já entregues continuam válidos. Não pode ser desfeito.
      </p>
      {blocked.length > 0 && (
        <Callout compact intent="warning" className="anonymise-blocked">
          <p>
            {mayOverride
              ? 'Com o motivo, também são anonimizadas:'
              : 'Só um superusuário pode anonimizar enquanto houver:'}
          </p>
          <ul>
            {blocked.slice(0, SHOWN).map(({ id, os_number, blocked }) => (
              <li key={id}>
                <strong className="numeric">OS {os_number}</strong>: {blocked}
              </li>
            ))}
          </ul>
          {blocked.length > SHOWN && <p>e mais {blocked.length - SHOWN}</p>}
        </Callout>
      )}
      <div className="form-grid">
        {blocked.length > 0 && (
          <Field label="Motivo" isRequired error={formState.errors.reason?.message}>
            {(control) => (
              <TextBox
                control={control}
                isDisabled={!mayOverride}
                field={register('reason', {
                  validate: (text) => text.trim() !== '' || 'Motivo é obrigatório',
                  maxLength: { value: 500, message: 'Máximo de 500 caracteres' },
                })}
              />
            )}
          </Field>
        )}
        <Field
          label={`Digite ${CONFIRM_WORD} para confirmar`}
          isRequired
          error={formState.errors.word?.message}
        >
          {(control) => (
            <TextInput
              control={control}
              field={register('word', {
                validate: (text) => text.trim() === CONFIRM_WORD || `Digite ${CONFIRM_WORD}`,
              })}
            />
          )}
        </Field>
      </div>
    </ModalForm>
  )
}
