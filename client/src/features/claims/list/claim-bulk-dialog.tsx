import { ProgressBar } from '@blueprintjs/core'
import {
  type BULK_ANSWERS,
  type BulkDecision,
  bulkDecision,
  bulkSubmission,
} from '@garantia/shared/claims/bulk'
import { sumOf } from '@garantia/shared/claims/money'
import type { RefusalReason } from '@garantia/shared/claims/reasons'
import type { ClaimRow } from '@garantia/shared/claims/schema'
import { claimName } from '@garantia/shared/claims/state'
import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import { brl, counted, integer } from '@garantia/shared/format'
import type { BulkResult } from '@garantia/shared/orders/bulk'
import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { formOf } from '../../../lib/forms.ts'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { FormModal, ModalForm } from '../../../ui/form/form-modal.tsx'
import { SelectInput, TextBox } from '../../../ui/form/inputs.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { OutcomeDialog } from '../../orders/list/bulk/outcome-dialog.tsx'
import { OUTCOMES } from '../claim/decision-form-schema.ts'
import { ReasonFields } from '../claim/reason-fields.tsx'
import { BULK_LABEL, type BulkStep } from './claim-bulk.ts'
import { type Sealing, useBulkSending } from './use-bulk-sending.ts'

export interface PendingBulk {
  step: BulkStep
  claims: readonly ClaimRow[]
}
interface Props {
  /** Null keeps the dialog closed. */
  pending: PendingBulk | null
  /** The claims with which it was done. */
  onDone: (ids: readonly number[]) => void
  onClose: () => void
}

/** One step of several claims of a brand; those that refuse it are named, and stay selected. */
export function ClaimBulkDialog({ pending, onDone, onClose }: Props) {
  const last = useRef(pending)
  if (pending !== null) last.current = pending
  const [refused, setRefused] = useState<{ step: BulkStep; result: BulkResult } | null>(null)
  const shown = last.current
  if (shown === null) return null
  const { step, claims } = shown
  const report = (result: BulkResult) => {
    onDone(result.done.map(({ id }) => id))
    if (result.refused.length > 0) setRefused({ step, result })
    else
      toast.success({
        title: step === 'submit' ? 'Solicitações enviadas' : 'Respostas registradas',
        description: counted(result.done.length, 'solicitação', 'solicitações'),
      })
    onClose()
  }
  const Form = step === 'submit' ? SubmitForm : DecideForm
  return (
    <>
      <FormModal
        isOpen={pending !== null}
        title={`${BULK_LABEL[step]} · ${counted(claims.length, 'solicitação', 'solicitações')}`}
        unsavedLabel="este formulário"
        width="wide"
        onClose={onClose}
      >
        <Form claims={claims} onDone={report} />
      </FormModal>
      <OutcomeDialog
        outcome={
          refused && {
            participle: refused.step === 'submit' ? ['enviada', 'enviadas'] : ['respondida', 'respondidas'],
            result: refused.result,
          }
        }
        isBusy={false}
        onClose={() => setRefused(null)}
      />
    </>
  )
}

interface FormProps {
  claims: readonly ClaimRow[]
  onDone: (result: BulkResult) => void
}
const Lead = ({ claims }: { claims: readonly ClaimRow[] }) => (
  <p className="dialog-lead numeric">
    {claims[0]?.brand.display_name}: {brl(sumOf(claims.map(({ claimed }) => claimed)))} solicitados.
    <span className="claims-named">{claims.map(claimName).join(', ')}</span>
  </p>
)

/** Reads again what depends on the claims. */
function useSettled(onDone: FormProps['onDone']) {
  const utils = trpc.useUtils()
  return {
    onSuccess(result: BulkResult) {
      void utils.claims.invalidate()
      void utils.claimList.invalidate()
      onDone(result)
    },
    // An answer that was lost may have been of something done.
    onError(error: unknown) {
      void utils.claimList.invalidate()
      reportFailedSave('Erro ao salvar as solicitações', error)
    },
  }
}

function SubmitForm({ claims, onDone }: FormProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(bulkSubmission.pick({ note: true })),
    defaultValues: { note: '' },
  })
  const { send, sealing } = useBulkSending(claims)
  const { onSuccess, onError } = useSettled(onDone)
  const [isSent, setIsSent] = useState(false)
  return (
    <ModalForm
      submitText={BULK_LABEL.submit}
      isDirty={formState.isDirty && !isSent}
      onSubmit={handleSubmit(async ({ note }) => {
        try {
          const result = await send(note ?? null)
          setIsSent(true)
          onSuccess(result)
        } catch (error) {
          onError(error)
          throw error
        }
      })}
    >
      <Lead claims={claims} />
      <Field
        label="Observação"
        error={formState.errors.note?.message}
        help="Cada uma leva o dossiê da sua OS; o que falta é selado agora; o número da marca é informado em cada solicitação."
      >
        {(control) => <TextBox control={control} field={register('note')} rows={2} />}
      </Field>
      <div role="status">{sealing && <SealingProgress sealing={sealing} />}</div>
    </ModalForm>
  )
}

const SealingProgress = ({ sealing: { done, total } }: { sealing: Sealing }) => (
  <div className="bulk-sealing">
    <p>
      Selando os dossiês que faltam: {integer(done)} de {integer(total)}. O envio segue sozinho.
    </p>
    <ProgressBar
      value={done / total}
      animate={false}
      stripes={false}
      aria-label={`Dossiês selados: ${integer(done)} de ${integer(total)}`}
    />
  </div>
)

interface Fields {
  answer: (typeof BULK_ANSWERS)[number]
  brand_words: string
  reason: RefusalReason | ''
  evidence_category: EvidenceCategory | ''
}
const ANSWERS = (['accepted', 'rejected', 'returned', 'in_review'] as const).map((value) => ({
  value,
  label: OUTCOMES[value],
}))

function DecideForm({ claims, onDone }: FormProps) {
  const ids = claims.map(({ id }) => id)
  const [schema] = useState(() =>
    formOf<Fields, BulkDecision>(
      bulkDecision,
      ({ answer, brand_words, reason, evidence_category }) => ({
        ids,
        answer,
        brand_words,
        ...(answer === 'rejected' && {
          reason: reason || null,
          evidence_category: evidence_category || null,
        }),
      }),
      () => ({}),
    ),
  )
  const { register, control, handleSubmit, formState } = useForm<Fields, unknown, BulkDecision>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: { answer: 'accepted', brand_words: '', reason: '', evidence_category: '' },
  })
  const { errors } = formState
  const [answer, reason] = useWatch({ control, name: ['answer', 'reason'] })
  const decide = trpc.claimList.decideMany.useMutation(useSettled(onDone))
  return (
    <ModalForm
      submitText={BULK_LABEL.decide}
      isDirty={formState.isDirty && !decide.isSuccess}
      onSubmit={handleSubmit((input) => decide.mutateAsync(input))}
    >
      <Lead claims={claims} />
      <div className="form-grid">
        <Field label="Resposta da marca" span={6} error={errors.answer?.message}>
          {(attributes) => <SelectInput control={attributes} field={register('answer')} options={ANSWERS} />}
        </Field>
        {answer === 'rejected' && (
          <ReasonFields
            reason={register('reason')}
            category={register('evidence_category')}
            chosen={reason}
            errors={{ reason: errors.reason?.message, category: errors.evidence_category?.message }}
          />
        )}
        <Field
          label={answer === 'returned' ? 'O que a marca pede' : 'Palavras da marca'}
          isRequired={answer === 'returned'}
          error={errors.brand_words?.message}
        >
          {(attributes) => <TextBox control={attributes} field={register('brand_words')} rows={2} />}
        </Field>
      </div>
    </ModalForm>
  )
}
