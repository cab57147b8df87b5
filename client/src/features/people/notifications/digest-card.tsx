import { Switch } from '@blueprintjs/core'
import { isEmail } from '@garantia/shared/auth/schema'
import type { MeView } from '@garantia/shared/users/schema'
import { useId } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { usePress } from '../../../ui/press.ts'
import '../../../ui/form/toggles.css'

/** A daily mail with what has not been read. */
export function DigestCard({ me }: { me: MeView }) {
  const id = useId()
  const utils = trpc.useUtils()
  const { data } = trpc.notifications.digest.useQuery()
  const choose = trpc.notifications.chooseDigest.useMutation({
    onSuccess: (chosen) => utils.notifications.digest.setData(undefined, chosen),
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
  })
  const chooseDeadlines = trpc.notifications.chooseDeadlineMail.useMutation({
    onSuccess: (chosen) => utils.notifications.digest.setData(undefined, chosen),
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
  })
  const deadlines = usePress((wants_deadline_mail: boolean) =>
    chooseDeadlines.mutateAsync({ wants_deadline_mail }),
  )
  const areDeadlinesOn = chooseDeadlines.isPending
    ? chooseDeadlines.variables.wants_deadline_mail
    : (data?.wants_deadline_mail ?? false)
  const { press } = usePress((wants_digest: boolean) => choose.mutateAsync({ wants_digest }))
  const hasEmail = isEmail(me.email)
  const isOn = choose.isPending ? choose.variables.wants_digest : (data?.wants_digest ?? false)
  return (
    <section className="settings-card panel" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Notificações</h2>
      <div className="field toggle-field">
        <Switch
          className="toggle"
          role="switch"
          label="Resumo diário por email"
          aria-describedby={`${id}-help`}
          disabled={!hasEmail || !data}
          checked={isOn}
          onChange={({ currentTarget }) => press(currentTarget.checked)}
        />
        <div id={`${id}-help`} className="field-help">
          {hasEmail
            ? 'Às 7 h, o que aconteceu no último dia e você ainda não leu. Sem nada novo, nenhum email.'
            : 'O seu usuário não é um email: não há para onde enviar.'}
        </div>
      </div>
      <div className="field toggle-field">
        <Switch
          className="toggle"
          role="switch"
          label="Prazos por email"
          aria-describedby={`${id}-deadlines`}
          disabled={!hasEmail || !data}
          checked={areDeadlinesOn}
          onChange={({ currentTarget }) => deadlines.press(currentTarget.checked)}
        />
        <div id={`${id}-deadlines`} className="field-help">
          Nos dias úteis, num só email, o que venceu e o que vence na semana.
        </div>
      </div>
    </section>
  )
}
