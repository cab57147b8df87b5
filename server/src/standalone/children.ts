import { z } from 'zod'
import { without } from '../kernel/secret-files.ts'
import { EXIT_START } from '../kernel/start-problem.ts'
import type { Account } from './account.ts'
import { keepRunning, type Supervised } from './supervise.ts'

const ready = z.object({
  type: z.literal('ready'),
  url: z.string(),
  /** The password only if it was generated at this start. */
  first_superuser: z.object({ email: z.string(), password: z.string().nullish() }).nullish(),
})

export type Ready = z.infer<typeof ready>

export type ChildrenOptions = {
  scripts: { migrate: string; server: string; worker: string }
  say: (line: string) => void
  onStart: (name: 'server' | 'worker', pid: number) => void
  /** Called when the server has said why it cannot start (2), or crashed three times without ever serving (1); nothing has been stopped yet. */
  onStartFailed: (code: number) => void
  /** Time limits in ms after which a process that does not end is killed. */
  limits?: { server_ms: number; worker_ms: number }
}

type Plan = ChildrenOptions & {
  account: Account | undefined
  bindsLowPort: boolean
  env: () => NodeJS.ProcessEnv
  /** In watch mode a source may be saved half-edited, so starts are retried without limit. */
  retriesForever: boolean
  onReady: (message: Ready) => void
}

const LIMITS = { server_ms: 10_000, worker_ms: 20_000 }
const MAX_START_CRASHES = 3

/** Runs the server and, once it has migrated and serves, the worker. They stop in reverse order. */
export function runChildren(plan: Plan) {
  const { scripts, say, env, onStart, limits = LIMITS } = plan
  let serves = false
  let stopping = false
  let worker: Supervised | undefined

  const server = keepRunning({
    name: 'Servidor',
    script: scripts.server,
    account: plan.account && { ...plan.account, bindsLowPort: plan.bindsLowPort },
    env,
    say,
    onStart: (pid) => onStart('server', pid),
    onMessage: (message) => {
      const { data } = ready.safeParse(message)
      if (!data || stopping || serves) return
      serves = true
      plan.onReady(data)
      worker = keepRunning({
        name: 'Conversões',
        script: scripts.worker,
        account: plan.account,
        env: () => without(env(), 'FIRST_SUPERUSER_PASSWORD'),
        say,
        onStart: (pid) => onStart('worker', pid),
      })
    },
    onCrash: (crashes, code) => {
      const isExplained = code === EXIT_START
      const cannotStart = !serves && !plan.retriesForever && (isExplained || crashes >= MAX_START_CRASHES)
      if (cannotStart) plan.onStartFailed(isExplained ? EXIT_START : 1)
      return !cannotStart
    },
  })

  return {
    restart() {
      void worker?.restart(limits.server_ms)
      void server.restart(limits.server_ms)
    },
    async stop() {
      stopping = true
      await worker?.stop(limits.worker_ms)
      await server.stop(limits.server_ms)
    },
  }
}
