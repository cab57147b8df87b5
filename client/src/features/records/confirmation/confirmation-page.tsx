import { Callout } from '@blueprintjs/core'
import { inGroups } from '@garantia/shared/dossier/proof'
import { dateTime } from '@garantia/shared/format'
import { getRouteApi } from '@tanstack/react-router'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { AuthCard } from '../../people/auth/auth-card.tsx'
import './confirmation.css'

const route = getRouteApi('/verificar/$fingerprint')

/** Where the code on a report leads: whether a dossier with this fingerprint was sealed here, and nothing more. */
export function ConfirmationPage() {
  const { fingerprint } = route.useParams()
  const { data, error } = trpc.dossier.confirm.useQuery({ fingerprint }, { retry: false })
  return (
    <AuthCard
      title="Confirmação de dossiê"
      description="Para quem recebeu um dossiê e quer saber se ele saiu daqui."
      // Another page, which the router does not know.
      links={<a href="/verificar">Conferir os arquivos do dossiê</a>}
    >
      {error && (
        <Callout compact intent="danger" role="alert">
          {messageOf(error)}
        </Callout>
      )}
      {!data && !error && (
        <p className="muted" role="status">
          Procurando…
        </p>
      )}
      {data && (
        <Callout compact intent="success" role="status">
          Um dossiê com esta impressão digital foi selado aqui em {dateTime(data.sealed_at)} (horário de
          Brasília).
        </Callout>
      )}
      <dl className="confirmation">
        <dt>Impressão digital</dt>
        <dd>{inGroups(fingerprint)}</dd>
        {data && (
          <>
            <dt>É a de</dt>
            <dd>
              {data.subject === 'manifest'
                ? 'um manifesto (manifesto.json)'
                : 'um conteúdo, como impressa na capa do relatório'}
            </dd>
            <dt>Assinado pela chave</dt>
            <dd>{data.key_id ? inGroups(data.key_id) : 'nenhuma: foi selado antes de haver assinaturas'}</dd>
          </>
        )}
      </dl>
      {data && (
        <p className="muted">
          Isto confirma a impressão digital, não os arquivos que você tem: confira-os na página abaixo.
        </p>
      )}
    </AuthCard>
  )
}
