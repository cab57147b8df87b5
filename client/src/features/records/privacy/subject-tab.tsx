import { Button, Callout, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import { bytes, counted } from '@garantia/shared/format'
import {
  type PrivacyRequest,
  SUBJECT_KEY,
  SUBJECT_KEYS,
  type Subject,
  type SubjectFindings,
  subjectInput,
} from '@garantia/shared/privacy/subject'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { submitting, usePress } from '../../../ui/press.ts'
import { AnonymiseDialog } from './anonymise-dialog.tsx'
import { RequestList } from './request-list.tsx'

/** What the house has of one person, and what the law asks to do with it. */
export function SubjectTab() {
  const [by, setBy] = useState<Subject['by']>('document')
  const [value, setValue] = useState('')
  const [problem, setProblem] = useState<string>()
  const [subject, setSubject] = useState<Subject>()
  const { data: found, error, mutateAsync } = trpc.privacy.find.useMutation()
  const { press, isBusy } = usePress(async () => {
    const given = subjectInput.safeParse({ by, value })
    setProblem(given.error?.issues[0]?.message)
    if (!given.success) return
    setSubject(given.data)
    await mutateAsync(given.data)
  })
  return (
    <>
      <form className="subject-search" noValidate onSubmit={submitting(press)}>
        <Field label="Procurar por">
          {(control) => (
            <HTMLSelect
              {...control}
              fill
              value={by}
              onChange={(event) => setBy(event.currentTarget.value as Subject['by'])}
            >
              {SUBJECT_KEYS.map((key) => (
                <option key={key} value={key}>
                  {SUBJECT_KEY[key]}
                </option>
              ))}
            </HTMLSelect>
          )}
        </Field>
        <Field label={SUBJECT_KEY[by]} error={problem}>
          {(control) => (
            <InputGroup
              {...control}
              autoComplete="off"
              value={value}
              maxLength={120}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
          )}
        </Field>
        <Button
          type="submit"
          intent="primary"
          icon={<SearchIcon />}
          text="Procurar titular"
          loading={isBusy}
        />
      </form>
      {error && (
        <Callout compact intent="danger" role="alert">
          {messageOf(error)}
        </Callout>
      )}
      {found && subject && !error && (
        <Findings key={`${subject.by} ${subject.value}`} found={found} subject={subject} />
      )}
      <RequestList />
    </>
  )
}

/** What became of the anonymisation that was asked for. */
function resultOf({ status, pseudonym }: PrivacyRequest) {
  if (status === 'done') return `Anonimizado: nestas OS o cliente passou a se chamar ${pseudonym}.`
  if (status === 'failed') return 'A anonimização falhou: o motivo está em Pedidos.'
  return 'Anonimização pedida: o andamento está em Pedidos.'
}

function Findings({ found, subject }: { found: SubjectFindings; subject: Subject }) {
  const [isAsked, setIsAsked] = useState(false)
  const [queued, setQueued] = useState<PrivacyRequest>()
  // Read again by the list below while it is under way.
  const { data: requests } = trpc.privacy.requests.useQuery()
  const request = requests?.find(({ id }) => id === queued?.id) ?? queued
  const utils = trpc.useUtils()
  const { mutateAsync } = trpc.privacy.export.useMutation({
    onSuccess: async () => {
      await utils.privacy.requests.invalidate()
      toast.success({ title: 'Exportação na fila' })
    },
    onError: (error) => toast.error({ title: 'Erro ao exportar', description: messageOf(error) }),
  })
  const { press, isBusy } = usePress(() => mutateAsync(subject))
  const { orders, files, dossiers, mails, views, imports } = found
  if (orders.length === 0)
    return (
      <Callout compact role="status">
        Nenhuma OS tem este dado do cliente.
      </Callout>
    )
  return (
    <section className="panel subject" aria-label="O que há deste titular">
      <div className="subject-head">
        <p role="status">
          <strong>{counted(orders.length, 'ordem de serviço', 'ordens de serviço')}</strong>
          <span className="muted numeric">
            {` · ${counted(files, 'arquivo', 'arquivos')} (${bytes(found.bytes)}) · ${counted(dossiers, 'dossiê', 'dossiês')} · ${counted(mails, 'email', 'emails')} · ${counted(views, 'vista salva', 'vistas salvas')} · ${counted(imports, 'importação', 'importações')}`}
          </span>
        </p>
        {(!request || request.status === 'failed') && (
          <div className="subject-acts">
            <Button text="Exportar dados" loading={isBusy} onClick={press} />
            <Button intent="danger" variant="outlined" text="Anonimizar…" onClick={() => setIsAsked(true)} />
          </div>
        )}
      </div>
      <p role="status" className="subject-result">
        {request && resultOf(request)}
      </p>
      <ul className="subject-orders">
        {orders.map(({ id, os_number, company, is_deleted, blocked }) => (
          <li key={id}>
            {is_deleted ? (
              <strong className="numeric">OS {os_number} (na lixeira)</strong>
            ) : (
              <Link to="/os/$id" params={{ id }} className="numeric">
                OS {os_number}
              </Link>
            )}
            <span className="muted">{company}</span>
            {blocked && request?.status !== 'done' && <span>{blocked}</span>}
          </li>
        ))}
      </ul>
      <AnonymiseDialog
        isOpen={isAsked}
        subject={subject}
        orders={orders}
        onQueued={setQueued}
        onClose={() => setIsAsked(false)}
      />
    </section>
  )
}
