import { Button, Callout, ProgressBar } from '@blueprintjs/core'
import { counted, dateTime, integer } from '@garantia/shared/format'
import type { ImportReport, ImportView } from '@garantia/shared/orders/import'
import { useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import { usePress } from '../../../ui/press.ts'
import { ImportColumns } from './import-columns.tsx'
import { ImportProblems } from './import-problems.tsx'

interface Props {
  found: ImportView
  /** Begins with another file. */
  onOther: () => void
}

/** What follows once the file was received: reading, columns, progress, result. */
export function ImportSteps({ found, onOther }: Props) {
  const [isAgain, setIsAgain] = useState(false)
  const [problems, setProblems] = useState<ImportReport['problems']>()
  const { status, filename, company, lines } = found
  const mayCheck = found.has_content && (status === 'read' || (status === 'done' && isAgain))
  return (
    <div className="import-steps">
      <section className="panel import-panel" aria-label="Arquivo">
        <p className="import-file">
          <strong>{filename}</strong>
          <span className="muted">
            {company}
            {lines > 0 && ` · ${counted(lines, 'linha', 'linhas')}`}
          </span>
          <Button className="import-other" variant="minimal" text="Outro arquivo" onClick={onOther} />
        </p>
        {status === 'reading' && <Running label={READING} />}
        {status === 'running' && (
          <Running
            label={IMPORTING}
            progress={`: ${integer(found.progress)} de ${counted(lines, 'linha', 'linhas')}`}
            value={lines > 0 ? found.progress / lines : 0}
          />
        )}
        {status === 'failed' && (
          <Callout compact intent="danger" role="alert" title="O arquivo não foi importado">
            {found.error}
          </Callout>
        )}
        {status === 'done' && (
          <Result
            found={found}
            problems={problems}
            onAgain={isAgain || !found.has_content ? null : () => setIsAgain(true)}
          />
        )}
      </section>
      {mayCheck && (
        <ImportColumns
          found={found}
          onRun={(problems) => {
            setProblems(problems)
            setIsAgain(false)
          }}
        />
      )}
    </div>
  )
}

interface RunningProps {
  label: string
  progress?: string
  value?: number
}
const Running = ({ label, progress = '…', value }: RunningProps) => (
  <div className="import-running">
    <p>
      {label}
      {progress}
    </p>
    <ProgressBar intent="none" {...(value !== undefined && { value })} aria-label={label} />
  </div>
)

const [READING, IMPORTING] = ['Lendo o arquivo', 'Importando']
/** Says each step once, and not how far it is; present before there is something to say. */
export const ImportAnnouncement = ({ found }: { found: ImportView | undefined }) => (
  <span className="visually-hidden" role="status">
    {found && announcementOf(found)}
  </span>
)
function announcementOf(found: ImportView) {
  const { status, lines } = found
  if (status === 'reading') return READING
  if (status === 'running') return IMPORTING
  if (status === 'read') return `Arquivo lido: ${counted(lines, 'linha', 'linhas')}`
  return status === 'done' && `${outcomeOf(found)}. ${factsOf(found)}`
}
const outcomeOf = ({ created }: ImportView) =>
  created > 0 ? 'Arquivo importado' : 'Este arquivo não muda nada'
const factsOf = ({ created, existing, refused }: ImportView) =>
  [
    counted(created, 'OS criada', 'OS criadas'),
    existing > 0 && counted(existing, 'já existia e não mudou', 'já existiam e não mudaram'),
    refused > 0 && counted(refused, 'linha recusada', 'linhas recusadas'),
  ]
    .filter(Boolean)
    .join(' · ')

interface ResultProps {
  found: ImportView
  /** Those of the check before the import; undefined after a reload, when they are asked for again. */
  problems: ImportReport['problems'] | undefined
  onAgain: (() => void) | null
}
function Result({ found, problems, onAgain }: ResultProps) {
  const { id, created, refused, mapping, brand_id, finished_at, finished_by, has_content } = found
  const check = trpc.orderImports.check.useMutation()
  const { press, isBusy } = usePress(() => check.mutateAsync({ id, mapping, brand_id }))
  const shown = problems ?? check.data?.problems
  return (
    <>
      <Callout compact intent={created > 0 ? 'success' : 'none'}>
        <strong>{outcomeOf(found)}</strong>
        <p>
          {factsOf(found)}. {finished_at && `Importado por ${finished_by} em ${dateTime(finished_at)}.`}{' '}
          Importar de novo não cria OS em dobro.
        </p>
      </Callout>
      {refused > 0 && shown && <ImportProblems id={id} problems={shown} />}
      {check.error && (
        <Callout compact intent="danger" role="alert">
          {messageOf(check.error)}
        </Callout>
      )}
      <div className="import-actions">
        {refused > 0 && !shown && has_content && (
          <Button
            text={`Ver ${refused === 1 ? 'a linha recusada' : 'as linhas recusadas'}`}
            loading={isBusy}
            onClick={press}
          />
        )}
        {onAgain && <Button text="Conferir de novo" onClick={onAgain} />}
        <LinkButton to="/lista-os" text="Ver a lista de OS" />
      </div>
    </>
  )
}
