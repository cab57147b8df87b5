import { Button, Callout } from '@blueprintjs/core'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { dateTime } from '@garantia/shared/format'
import { can } from '@garantia/shared/policy'
import { useActor } from '../../../lib/actor.ts'
import { trpc } from '../../../lib/trpc.ts'
import { usePress } from '../../../ui/press.ts'
import { useClaimChange } from './use-claim-change.ts'

/** The brand has not received the newest sending: its mail failed for good, and is sent anew with one press. */
export function FailedMail({ claim }: { claim: ClaimView }) {
  const resend = trpc.claims.resendMail.useMutation(useClaimChange('E-mail enviado de novo', () => undefined))
  const { press, isBusy } = usePress(() => resend.mutateAsync({ id: claim.id }).catch(() => undefined))
  const mail = claim.submissions.at(-1)?.mail
  const { mail_failed_at } = claim
  return (
    <Callout compact intent="danger" icon={null} role="alert" className="claim-mail-failed">
      <p>
        <strong>O e-mail à marca não saiu{mail_failed_at && `, ${dateTime(mail_failed_at)}`}.</strong>
        {mail?.error && <span className="claim-mail-error"> {mail.error}</span>}
      </p>
      {can(useActor(), 'claim.send', claim) && (
        <Button size="small" text="Enviar de novo" loading={isBusy} onClick={press} />
      )}
    </Callout>
  )
}
