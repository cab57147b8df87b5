import { DialogBody } from '@blueprintjs/core'
import { lazy, useRef } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { FormModal } from '../../../ui/form/form-modal.tsx'

const CompanyForm = lazy(async () => ({ default: (await import('./company-form.tsx')).CompanyForm }))

/** Id of the company to edit, or 'new'; null keeps the dialog closed. */
export type Subject = number | 'new'

export function CompanyDialog({ subject, onClose }: { subject: Subject | null; onClose: () => void }) {
  const last = useRef(subject)
  if (subject !== null) last.current = subject
  const shown = subject ?? last.current
  return (
    <FormModal
      isOpen={subject !== null}
      title={shown === 'new' ? 'Adicionar Empresa' : 'Editar Empresa'}
      unsavedLabel={shown === 'new' ? 'a nova empresa' : 'alterações nesta empresa'}
      onClose={onClose}
    >
      {shown === 'new' && <NewCompany onDone={onClose} />}
      {typeof shown === 'number' && <KnownCompany id={shown} onDone={onClose} />}
    </FormModal>
  )
}

/** Active matrizes, the only ones that can be chosen as parent (D-43). */
const useMatrizes = () => trpc.companies.list.useQuery({ type: 'matriz', is_active: true, limit: 100 })

function NewCompany({ onDone }: { onDone: () => void }) {
  const matrizes = useMatrizes()
  if (matrizes.data) return <CompanyForm matrizes={matrizes.data.data} onDone={onDone} />
  return <LoadingOrError error={matrizes.error} onRetry={() => void matrizes.refetch()} />
}

function KnownCompany({ id, onDone }: { id: number; onDone: () => void }) {
  const matrizes = useMatrizes()
  const company = trpc.companies.one.useQuery({ id })
  if (matrizes.data && company.data)
    return <CompanyForm company={company.data} matrizes={matrizes.data.data} onDone={onDone} />
  const retry = () => {
    void matrizes.refetch()
    void company.refetch()
  }
  return <LoadingOrError error={company.error ?? matrizes.error} onRetry={retry} />
}

const LoadingOrError = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <DialogBody>
    {error ? (
      <ErrorState title="Erro ao carregar a empresa" error={error} onRetry={onRetry} />
    ) : (
      <Delayed>
        {[90, 70, 80, 60].map((width) => (
          <p key={width}>
            <Skeleton width={width} />
          </p>
        ))}
      </Delayed>
    )}
  </DialogBody>
)
