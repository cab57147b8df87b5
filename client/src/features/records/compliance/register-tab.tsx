import { Button, HTMLSelect } from '@blueprintjs/core'
import { dateTime } from '@garantia/shared/format'
import {
  ACTIVITY_FIELDS,
  ACTIVITY_LABEL,
  type Activity,
  type RegisterContent,
  type RegisterVersion,
  type RegisterView,
} from '@garantia/shared/privacy/register'
import { useState } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { LoadingPanel } from '../../../ui/feedback/skeleton.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { RegisterDialog, type RegisterPart } from './register-dialog.tsx'
import './compliance.css'

/** The register of processing activities (LGPD, art. 37): every save is a version, which stays. */
export function RegisterTab() {
  const [version, setVersion] = useState<number>()
  const { data, error, refetch } = trpc.compliance.register.useQuery(version === undefined ? {} : { version })
  if (error && !data)
    return <ErrorState title="Erro ao carregar o registro" error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingPanel />
  return <Register view={data} onVersion={setVersion} />
}

interface Props {
  view: RegisterView
  onVersion: (version: number | undefined) => void
}

function Register({ view, onVersion }: Props) {
  const { content, version, versions } = view
  const [part, setPart] = useState<RegisterPart | null>(null)
  const newest = versions[0]?.version ?? 0
  const isNewest = version === newest
  return (
    <div className="compliance">
      <div className="compliance-top no-print">
        {versions.length > 0 && (
          <Field label="Versão">
            {(control) => (
              <HTMLSelect
                {...control}
                value={version}
                onChange={({ currentTarget: { value } }) =>
                  onVersion(Number(value) === newest ? undefined : Number(value))
                }
              >
                {versions.map((one) => (
                  <option key={one.version} value={one.version}>
                    {versionText(one)}
                  </option>
                ))}
              </HTMLSelect>
            )}
          </Field>
        )}
        <span className="compliance-gap" />
        {isNewest && <Button text="Adicionar atividade" onClick={() => setPart('new')} />}
        <Button text="Imprimir" onClick={() => window.print()} />
      </div>
      <p className="muted">
        {version === 0
          ? 'Texto de partida deste produto: revise cada atividade com o encarregado. A primeira alteração salva a versão 1.'
          : versionText(view)}
      </p>
      <Head content={content} onEdit={isNewest ? () => setPart('head') : undefined} />
      {content.activities.map((activity, index) => (
        <ActivityCard
          // biome-ignore lint/suspicious/noArrayIndexKey: an activity is known by its place
          key={index}
          activity={activity}
          onEdit={isNewest ? () => setPart(index) : undefined}
        />
      ))}
      <RegisterDialog view={view} part={part} onClose={() => setPart(null)} />
    </div>
  )
}

const versionText = ({ version, saved_at, actor_name }: RegisterVersion) =>
  `Versão ${version}${saved_at ? `, de ${dateTime(saved_at)}, por ${actor_name}` : ''}`

interface CardProps {
  onEdit: (() => void) | undefined
}

const Head = ({ content, onEdit }: CardProps & { content: RegisterContent }) => (
  <section className="compliance-card panel" aria-label="Responsáveis">
    <CardHead title="Responsáveis" onEdit={onEdit} />
    <dl className="compliance-facts">
      <Fact label="Controlador" text={content.controller} />
      <Fact label="Encarregado" text={content.officer} />
      <Fact label="Contato do encarregado" text={content.officer_contact} />
    </dl>
  </section>
)

const ActivityCard = ({ activity, onEdit }: CardProps & { activity: Activity }) => (
  <section className="compliance-card panel" aria-label={activity.name}>
    <CardHead title={activity.name} onEdit={onEdit} />
    <dl className="compliance-facts">
      {ACTIVITY_FIELDS.filter((field) => field !== 'name').map((field) => (
        <Fact key={field} label={ACTIVITY_LABEL[field]} text={activity[field]} />
      ))}
    </dl>
  </section>
)

const CardHead = ({ title, onEdit }: CardProps & { title: string }) => (
  <div className="compliance-head">
    <h2>{title}</h2>
    {onEdit && <Button size="small" text="Editar" aria-label={`Editar ${title}`} onClick={onEdit} />}
  </div>
)

const Fact = ({ label, text }: { label: string; text: string }) => (
  <>
    <dt>{label}</dt>
    <dd className={text ? 'compliance-text' : 'muted'}>{text || '—'}</dd>
  </>
)
