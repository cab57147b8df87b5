import { Button } from '@blueprintjs/core'
import { EditIcon } from '@blueprintjs/icons'
import { can } from '@garantia/shared/policy'
import { ROLE_LABEL } from '@garantia/shared/users/role'
import type { MeView } from '@garantia/shared/users/schema'
import { lazy, Suspense, startTransition, useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { breakable } from '../../../ui/page/breakable.tsx'
import { CalendarCard } from '../../claims/deadlines/calendar-card.tsx'
import { DigestCard } from '../notifications/digest-card.tsx'
import { DeleteAccount } from './delete-account.tsx'

const ProfileForm = lazy(async () => ({ default: (await import('./profile-form.tsx')).ProfileForm }))

export function ProfileTab({ me }: { me: MeView }) {
  const [state, setState] = useState<'fresh' | 'editing' | 'left'>('fresh')
  const mayDeleteAccount = can(useActor(), 'account.leave')
  return (
    <div className="settings">
      <section className="settings-card panel" aria-label="Meus dados">
        {state === 'editing' ? (
          <Suspense fallback={null}>
            <ProfileForm me={me} onDone={() => setState('left')} />
          </Suspense>
        ) : (
          <>
            <dl className="settings-facts">
              <dt>Nome completo</dt>
              <dd>{me.full_name}</dd>
              <dt>Email ou nome de usuário</dt>
              <dd>{breakable(me.email)}</dd>
              <dt>Função</dt>
              <dd>{me.is_superuser ? 'Super Admin' : ROLE_LABEL[me.role]}</dd>
            </dl>
            <div className="settings-actions">
              <Button
                icon={<EditIcon />}
                text="Editar"
                // The form that had the focus was unmounted.
                autoFocus={state === 'left'}
                // Transition: the facts stay visible until the form has loaded.
                onClick={() => startTransition(() => setState('editing'))}
              />
            </div>
          </>
        )}
      </section>
      <DigestCard me={me} />
      <CalendarCard />
      {mayDeleteAccount && <DeleteAccount />}
    </div>
  )
}
