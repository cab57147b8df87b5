import { Button } from '@blueprintjs/core'
import { PauseIcon, PlayIcon, RefreshIcon } from '@blueprintjs/icons'
import type { AppRouter } from '@garantia/server/router'
import { dateTime } from '@garantia/shared/format'
import { JOB_LABEL } from '@garantia/shared/installation/jobs'
import type { inferRouterOutputs } from '@trpc/server'
import { useRef, useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { usePress } from '../../../ui/press.ts'

const QUEUE_EVERY_MS = 5_000

/** What the operator's `doutor` finds, and the queue, for superusers. */
export const SystemTab = () => (
  <div className="settings system">
    <Diagnosis />
    <Queue />
  </div>
)

const LEVEL = {
  fault: { colour: 'red', label: 'Problema' },
  warning: { colour: 'orange', label: 'Atenção' },
  ok: { colour: 'green', label: 'Certo' },
} as const

function Diagnosis() {
  const { data, error, isFetching, refetch } = trpc.installation.findings.useQuery(undefined, {
    staleTime: 60_000,
  })
  return (
    <section className="settings-card panel" aria-labelledby="system-findings" aria-busy={isFetching}>
      <div className="system-head">
        <h2 id="system-findings">Diagnóstico</h2>
        <Button
          icon={<RefreshIcon />}
          text="Examinar de novo"
          loading={isFetching}
          onClick={() => void refetch()}
        />
      </div>
      {error && !data ? (
        <ErrorState title="Erro ao examinar a instalação" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <>
          <p className="muted">O mesmo que npm run worker -- doutor, em {dateTime(data.at)}.</p>
          <ul className="system-list" aria-label="Diagnóstico">
            {data.findings.map(({ level, subject, text, advice }) => (
              <li key={`${subject} ${text}`} className="system-row">
                <Badge colour={LEVEL[level].colour}>{LEVEL[level].label}</Badge>
                <div className="system-text">
                  <span>
                    <strong>{subject}</strong>: {text}
                  </span>
                  {advice && <span className="muted">→ {advice}</span>}
                </div>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <Delayed>
          <Skeleton width={40} />
        </Delayed>
      )}
    </section>
  )
}

function Queue() {
  const { data, error, refetch } = trpc.installation.queue.useQuery(undefined, {
    refetchInterval: QUEUE_EVERY_MS,
  })
  const list = useRef<HTMLUListElement>(null)
  return (
    <section className="settings-card panel" aria-labelledby="system-queue">
      <div className="system-head">
        <h2 id="system-queue">Fila de trabalhos</h2>
        {data && <PauseOrResume isPaused={data.is_paused} />}
      </div>
      {error && !data ? (
        <ErrorState title="Erro ao carregar a fila" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <>
          {data.is_paused && (
            <div className="system-row">
              <Badge colour="orange">Pausada</Badge>
              <span>Nenhum worker pega trabalhos: nada é convertido nem enviado.</span>
            </div>
          )}
          {data.jobs.length === 0 ? (
            <p className="muted">Nada espera.</p>
          ) : (
            <ul ref={list} tabIndex={-1} className="system-list" aria-label="Fila de trabalhos">
              {data.jobs.map((job) => (
                <QueuedJob key={job.job_id} job={job} onRetried={() => list.current?.focus()} />
              ))}
            </ul>
          )}
          {data.has_more && <p className="muted">São mostrados os {data.jobs.length} primeiros.</p>}
        </>
      ) : (
        <Delayed>
          <Skeleton width={40} />
        </Delayed>
      )}
    </section>
  )
}

function PauseOrResume({ isPaused }: { isPaused: boolean }) {
  const [isAsked, setIsAsked] = useState(false)
  const utils = trpc.useUtils()
  const said = (title: string) => ({
    onSuccess: () => toast.success({ title }),
    onError: (error: unknown) => toast.error({ title: 'Erro', description: messageOf(error) }),
    onSettled: async () => {
      setIsAsked(false)
      // What is said above of the queue; the examination may take seconds.
      void utils.installation.findings.invalidate()
      await Promise.all([utils.installation.queue.invalidate(), utils.installation.problems.invalidate()])
    },
  })
  const pause = trpc.installation.pause.useMutation(said('Fila pausada'))
  const resume = trpc.installation.resume.useMutation(said('Fila retomada'))
  const { press, isBusy } = usePress(() => resume.mutateAsync())
  return (
    <>
      {/* Keys, because a second press on one button must not be the first on the other. */}
      {isPaused ? (
        <Button key="resume" icon={<PlayIcon />} text="Retomar" loading={isBusy} onClick={press} />
      ) : (
        <Button key="pause" icon={<PauseIcon />} text="Pausar…" onClick={() => setIsAsked(true)} />
      )}
      <ConfirmDialog
        isOpen={isAsked}
        title="Pausar a fila de trabalhos?"
        confirmText="Pausar"
        icon={<PauseIcon />}
        onConfirm={() => pause.mutateAsync()}
        onCancel={() => setIsAsked(false)}
      >
        Até você retomar, nada é convertido, e nenhum dossiê, email ou backup é feito. O que roda agora volta
        à fila.
      </ConfirmDialog>
    </>
  )
}

type Job = inferRouterOutputs<AppRouter>['installation']['queue']['jobs'][number]

function QueuedJob({ job, onRetried }: { job: Job; onRetried: () => void }) {
  const { job_id, task, attempts, max_attempts, running, run_at, last_error } = job
  const utils = trpc.useUtils()
  const retry = trpc.installation.retry.useMutation({
    onSuccess: () => {
      toast.success({ title: 'Trabalho na fila', description: labelOf(task) })
      onRetried()
    },
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
    onSettled: () => utils.installation.queue.invalidate(),
  })
  const { press, isBusy } = usePress(() => retry.mutateAsync({ job_id }))
  const isGivenUp = !running && attempts >= max_attempts
  return (
    <li className="system-row">
      <Badge colour={running ? 'blue' : isGivenUp ? 'red' : 'gray'}>
        {running ? 'Rodando' : isGivenUp ? 'Desistiu' : 'Espera'}
      </Badge>
      <div className="system-text">
        <strong>{labelOf(task)}</strong>
        <span className="muted numeric">
          Trabalho {job_id} · tentativa {attempts} de {max_attempts} · {running ? 'desde' : 'para'}{' '}
          {dateTime(run_at)}
        </span>
        {last_error && <span className="muted">{last_error.split('\n')[0]}</span>}
      </div>
      {!running && attempts > 0 && (
        <Button text="Repetir" aria-label={`Repetir o trabalho ${job_id}`} loading={isBusy} onClick={press} />
      )}
    </li>
  )
}

const labelOf = (task: string) => (task in JOB_LABEL ? JOB_LABEL[task as keyof typeof JOB_LABEL] : task)
