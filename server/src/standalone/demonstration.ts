import { spawn } from 'node:child_process'
import { z } from 'zod'
import { without } from '../kernel/secret-files.ts'
import type { Account } from './account.ts'
import { signal, until } from './processes.ts'

const prepared = z.object({
  type: z.literal('prepared'),
  /** Only when the people were created at this start. */
  password: z.string().nullable(),
  people: z.array(z.object({ email: z.string(), role: z.string(), company: z.string() })),
})
const refused = z.object({ type: z.literal('refused'), message: z.string() })

export type Prepared = z.infer<typeof prepared>

interface Filling {
  script: string
  account: Account | undefined
  env: NodeJS.ProcessEnv
  onPrepared: (prepared: Prepared) => void
  /** The database holds real data, or could not be filled; the message is shown to the operator. */
  onRefused: (message: string) => void
}

const BROKEN = 'A demonstração não pôde ser preparada; o motivo está acima.'

/**
 * Runs the program that fills a demonstration. It reports when people may sign in and continues in the
 * background.
 */
export function fillDemonstration({ script, account, env, onPrepared, onRefused }: Filling) {
  const child = spawn(process.execPath, [script], {
    ...account,
    env: { MALLOC_ARENA_MAX: '2', ...without(env, 'FIRST_SUPERUSER_PASSWORD') },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  let hasAnswered = false
  let isRunning = true
  child.on('message', (message) => {
    const [ready, no] = [prepared.safeParse(message), refused.safeParse(message)]
    if (!ready.success && !no.success) return
    hasAnswered = true
    if (ready.success) onPrepared(ready.data)
    else if (no.success) onRefused(no.data.message)
  })
  const end = () => {
    isRunning = false
    // Its own children (the drawing process, an ffmpeg) are killed with its process group.
    if (child.pid !== undefined) signal(-child.pid, 'SIGKILL')
    if (!hasAnswered) onRefused(BROKEN)
    hasAnswered = true
  }
  child.once('exit', end)
  child.once('error', end)
  return {
    async stop(limit_ms: number) {
      hasAnswered = true
      child.kill('SIGTERM')
      if (!(await until(() => !isRunning, limit_ms)) && child.pid !== undefined) signal(-child.pid, 'SIGKILL')
    },
  }
}
