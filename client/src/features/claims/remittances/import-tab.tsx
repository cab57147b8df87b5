import { Button, Callout, ProgressBar } from '@blueprintjs/core'
import { LINE_OUTCOME, LINE_OUTCOMES, type RemittanceView } from '@garantia/shared/claims/remittance'
import { counted, dateTime, dayText, integer } from '@garantia/shared/format'
import { useEffect, useRef } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import { bookedText } from './booked-text.ts'
import { refreshAfterRun } from './refresh-after-run.ts'
import { RemittanceColumns } from './remittance-columns.tsx'
import { RemittanceFile } from './remittance-file.tsx'

/** How often the state of a remittance is asked for while a worker reads or books it. */
const POLL_MS = 1_500

interface Props {
  /** 0 before a file was sent. */
  id: number
  onReceived: (id: number) => void
}

/** A remittance from a file: the file, its columns, what would happen, and the booking. */
export function ImportTab({ id, onReceived }: Props) {
  const found = trpc.remittances.one.useQuery(
    { id },
    {
      enabled: id !== 0,
      refetchInterval: ({ state }) =>
        state.data?.status === 'reading' || state.data?.status === 'running' ? POLL_MS : false,
    },
  )
  const utils = trpc.useUtils()
  const status = found.data?.status
  const before = useRef(status)
  // A worker books: only the end of its run says what waits for a decision.
  useEffect(() => {
    if (before.current === 'running' && status !== 'running') void refreshAfterRun(utils)
    before.current = status
  }, [status, utils])
  if (id === 0) return <RemittanceFile onReceived={onReceived} />
  if (found.error && !found.data)
    return (
      <div className="panel">
        <ErrorState
          title="Erro ao carregar o demonstrativo"
          error={found.error}
          onRetry={() => void found.refetch()}
        />
      </div>
    )
  if (!found.data)
    return (
      <Delayed>
        <div className="panel import-panel" aria-hidden="true">
          {[40, 90, 80, 85].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      </Delayed>
    )
  return <Steps key={id} found={found.data} onOther={() => onReceived(0)} />
}

function Steps({ found, onOther }: { found: RemittanceView; onOther: () => void }) {
  const { status, filename, company, brand, lines, progress, error } = found
  return (
    <div className="import-steps">
      <section className="panel import-panel" aria-label="Demonstrativo">
        <p className="import-file">
          <strong>{filename ?? found.number ?? 'Demonstrativo digitado'}</strong>
          <span className="muted">
            {brand.display_name} · {company.trading_name}
            {lines > 0 && ` · ${counted(lines, 'linha', 'linhas')}`}
          </span>
          <Button className="import-other" variant="minimal" text="Outro arquivo" onClick={onOther} />
        </p>
        <span className="visually-hidden" role="status">
          {announcementOf(found)}
        </span>
        {status === 'reading' && <Running label="Lendo o arquivo" />}
        {status === 'running' && (
          <Running
            label="Lançando os pagamentos"
            progress={`: ${integer(progress)} de ${counted(lines, 'linha', 'linhas')}`}
            value={lines > 0 ? progress / lines : 0}
          />
        )}
        {status === 'failed' && (
          <Callout compact intent="danger" role="alert" title="O demonstrativo não foi importado">
            {error}
          </Callout>
        )}
        {(status === 'done' || status === 'undone') && <Result found={found} />}
      </section>
      {status === 'read' && found.has_content && <RemittanceColumns found={found} />}
    </div>
  )
}

const announcementOf = ({ status, lines }: RemittanceView) =>
  ({
    reading: 'Lendo o arquivo',
    read: `Arquivo lido: ${counted(lines, 'linha', 'linhas')}`,
    running: 'Lançando os pagamentos',
    done: 'Demonstrativo importado',
    undone: 'Demonstrativo desfeito',
    failed: '',
  })[status]

const Running = ({ label, progress = '…', value }: { label: string; progress?: string; value?: number }) => (
  <div className="import-running">
    <p>
      {label}
      {progress}
    </p>
    <ProgressBar intent="none" {...(value !== undefined && { value })} aria-label={label} />
  </div>
)

function Result({ found }: { found: RemittanceView }) {
  const { outcomes, paid_on, refused, finished_at, actor_name, undone_at, undone_by_name, waiting } = found
  return (
    <>
      <Callout compact intent={undone_at ? 'none' : waiting > 0 ? 'warning' : 'success'}>
        <strong>{undone_at ? 'Demonstrativo desfeito' : 'Demonstrativo importado'}</strong>
        <p className="numeric">
          {bookedText(found)}
          {paid_on && `, pago em ${dayText(paid_on)}`}.{' '}
          {finished_at && `${actor_name}, ${dateTime(finished_at)}. `}
          {undone_at && `Desfeito por ${undone_by_name} em ${dateTime(undone_at)}: ${found.undo_reason}`}
        </p>
      </Callout>
      <dl className="import-counts">
        {LINE_OUTCOMES.map((outcome) => (
          <div key={outcome}>
            <dt>{LINE_OUTCOME[outcome]}</dt>
            <dd>{integer(outcomes[outcome])}</dd>
          </div>
        ))}
        {refused > 0 && (
          <div>
            <dt>Sem valor ou número</dt>
            <dd>{integer(refused)}</dd>
          </div>
        )}
      </dl>
      <div className="import-actions">
        {waiting > 0 && !undone_at && (
          <LinkButton
            to="/conciliacao"
            search={{ tab: 'divergencias' }}
            text={`Resolver ${counted(waiting, 'divergência', 'divergências')}`}
          />
        )}
        <LinkButton to="/solicitacoes" search={{ is_open: 'true' }} text="Ver o que falta receber" />
      </div>
    </>
  )
}
