import { DialogBody } from '@blueprintjs/core'
import { lazy, useRef } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { FormModal } from '../../../ui/form/form-modal.tsx'
import type { UserRow } from './user-row.ts'

const UserForm = lazy(async () => ({ default: (await import('./user-form.tsx')).UserForm }))

/** Companies rarely change (CON-15); a change made here invalidates the cache. */
const FIVE_MINUTES = 300_000

/** The user to edit, or 'new'; null keeps the dialog closed. */
export type Subject = UserRow | 'new'

export function UserDialog({ subject, onClose }: { subject: Subject | null; onClose: () => void }) {
  const last = useRef(subject)
  if (subject !== null) last.current = subject
  const shown = subject ?? last.current
  return (
    <FormModal
      isOpen={subject !== null}
      title={shown === 'new' ? 'Adicionar Usuário' : 'Editar Usuário'}
      unsavedLabel={shown === 'new' ? 'o novo usuário' : 'alterações neste usuário'}
      onClose={onClose}
    >
      {shown !== null && <FormWithChoices user={shown === 'new' ? undefined : shown} onDone={onClose} />}
    </FormModal>
  )
}

/** The form has preselected choices, so it waits for them (ADM-34, ADM-35). */
function FormWithChoices({ user, onDone }: { user: UserRow | undefined; onDone: () => void }) {
  const companies = trpc.companies.active.useQuery({ limit: 100 }, { staleTime: FIVE_MINUTES })
  const managers = trpc.users.managers.useQuery({ except: user?.id })
  if (companies.data && managers.data)
    return (
      <UserForm user={user} companies={companies.data.data} managers={managers.data.data} onDone={onDone} />
    )
  const error = companies.error ?? managers.error
  return (
    <DialogBody>
      {error ? (
        <ErrorState
          title="Erro ao carregar empresas e gestores"
          error={error}
          onRetry={() => {
            void companies.refetch()
            void managers.refetch()
          }}
        />
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
}
