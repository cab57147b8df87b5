import { DialogBody } from '@blueprintjs/core'
import type { ClaimRow } from '@garantia/shared/claims/schema'
import { claimName } from '@garantia/shared/claims/state'
import { STEP_LABEL } from '@garantia/shared/claims/steps'
import { useRef } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { FormModal } from '../../../ui/form/form-modal.tsx'
import { ClaimStepForm } from '../claim/claim-step-form.tsx'
import type { FormStep } from '../claim/claim-subject.ts'

export interface RowStep {
  claim: ClaimRow
  step: FormStep
}

/** A step of a claim of the list, which reads the claim and its order first. Null keeps the dialog closed. */
export function ClaimRowDialog({ subject, onClose }: { subject: RowStep | null; onClose: () => void }) {
  const last = useRef(subject)
  if (subject !== null) last.current = subject
  const shown = last.current
  if (shown === null) return null
  return (
    <FormModal
      isOpen={subject !== null}
      title={`${STEP_LABEL[shown.step]} · ${claimName(shown.claim)}`}
      unsavedLabel="este formulário"
      width="wide"
      onClose={onClose}
    >
      <Step key={`${shown.claim.id} ${shown.step}`} {...shown} onDone={onClose} />
    </FormModal>
  )
}

function Step({ claim: { id, order_id }, step, onDone }: RowStep & { onDone: () => void }) {
  const claim = trpc.claims.one.useQuery({ id }, { staleTime: 0 })
  const order = trpc.orders.one.useQuery({ id: order_id })
  const failed = [claim, order].find(({ error, data }) => error && !data)
  if (failed)
    return (
      <DialogBody>
        <ErrorState
          title="Erro ao carregar a solicitação"
          error={failed.error}
          onRetry={() => void failed.refetch()}
        />
      </DialogBody>
    )
  // A claim read before may have changed: its form would be filled in with what is no longer so.
  if (!claim.data || claim.isFetching || !order.data)
    return (
      <DialogBody>
        <Delayed>
          <p role="status" aria-label="Carregando a solicitação">
            <Skeleton width={80} />
          </p>
        </Delayed>
      </DialogBody>
    )
  return (
    <ClaimStepForm order={order.data} subject={{ kind: 'step', step, claim: claim.data }} onDone={onDone} />
  )
}
