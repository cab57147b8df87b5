import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from './account.ts'
import { signal } from './processes.ts'

export type Plan = {
  /** Name shown to the operator. */
  name: string
  script: string
  /** The account it runs under when this process is root. */
  account?: ServiceAccount | undefined
  /** Called at every start: a database that was restarted may have another address. */
  env: () => NodeJS.ProcessEnv
  say: (line: string) => void
  onStart?: (pid: number) => void
  onMessage?: (message: unknown) => void
  /** Called at each unexpected end, with the number of crashes in a row and the exit code; false stops the restarts. */
  onCrash?: (crashes: number, code: number | null) => boolean
}

export type ServiceAccount = Account & { bindsLowPort?: boolean }

export type Supervised = ReturnType<typeof keepRunning>

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 15_000
/** After running this long a process counts as stable: its next crash is counted as the first. */
const WELL_MS = 60_000

/**
 * Keeps one Node program running until it is stopped. After a crash it is restarted with a delay of 1 to 15
 * s.
 */
export function keepRunning(plan: Plan) {
  let stopping = false
  let child: ReturnType<typeof startChild> | undefined
  let restarting = false
  let pause = new AbortController()

  const finished = (async () => {
    for (let crashes = 0; !stopping; ) {
      const started_at = Date.now()
      child = startChild(plan)
      const { how, code } = await child.ended
      if (restarting || stopping) {
        restarting = false
        continue
      }
      crashes = Date.now() - started_at > WELL_MS ? 1 : crashes + 1
      if (plan.onCrash?.(crashes, code) === false) return
      const wait_ms = Math.min(FIRST_WAIT_MS * 2 ** (crashes - 1), LONGEST_WAIT_MS)
      plan.say(`${plan.name}: parou (${how}); nova tentativa em ${wait_ms / 1000} s.`)
      pause = new AbortController()
      await sleep(wait_ms, undefined, { signal: pause.signal }).catch(() => {})
    }
  })()

  return {
    async stop(limit_ms: number) {
      stopping = true
      pause.abort()
      await child?.end(limit_ms)
      await finished
    },
    async restart(limit_ms: number) {
      restarting = child?.isRunning() ?? false
      pause.abort()
      await child?.end(limit_ms)
    },
  }
}

/**
 * Started in its own process group: Ctrl-C in a terminal must not reach it before its turn, and its remaining
 * children (an ffmpeg) are killed with it.
 */
function startChild({ name, script, account, env, say, onStart, onMessage }: Plan) {
  const { command, args, ...as } = commandLine(script, account)
  const child = spawn(command, args, {
    ...as,
    env: env(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  const { pid } = child
  const toGroup = (how: NodeJS.Signals) => pid !== undefined && signal(-pid, how)
  let running = true
  const ended = new Promise<{ how: string; code: number | null }>((resolve) => {
    child.once('exit', (code, by) => resolve({ how: by ? `sinal ${by}` : `código ${code}`, code }))
    child.once('error', (error) => resolve({ how: error.message, code: null }))
  }).finally(() => {
    running = false
    toGroup('SIGKILL')
  })
  if (onMessage) child.on('message', onMessage)
  if (pid !== undefined) onStart?.(pid)
  return {
    ended,
    isRunning: () => running,
    async end(limit_ms: number) {
      child.kill('SIGTERM')
      const late = setTimeout(() => {
        say(`${name}: não encerrou em ${limit_ms / 1000} s e foi interrompido.`)
        toGroup('SIGKILL')
      }, limit_ms)
      await ended
      clearTimeout(late)
    },
  }
}

/** A low port is the one thing for which the server would need root: it keeps the right to it alone. */
export function commandLine(script: string, account: ServiceAccount | undefined) {
  if (!account?.bindsLowPort) return { command: process.execPath, args: [script], ...account }
  const { uid, gid } = account
  const rights = ['--inh-caps=-all,+net_bind_service', '--ambient-caps=+net_bind_service']
  const who = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups']
  return { command: 'setpriv', args: [...who, ...rights, '--', process.execPath, script] }
}
