import { readdirSync, readFileSync } from 'node:fs'
import type { Account } from './account.ts'
import { signalAs } from './privileges.ts'
import { groupOf, isAlive, until, userOf } from './processes.ts'

/** Environment variable of every process of a running Garantia; its value is the state folder. */
export const STATE_ENV_VAR = 'GARANTIA_STATE'

const GRACE_MS = 20_000

/**
 * Ends processes that a killed supervisor left on this state folder. Server and worker normally exit by
 * themselves; this covers one that hangs, and an ffmpeg whose worker was killed. SIGTERM first, SIGKILL after
 * 20 s. Anybody may mark a process and put it into a group of others: those of the account alone count.
 */
export async function endOrphanedProcesses(state_dir: string, account: Account | undefined) {
  const left = () => orphanedProcesses(state_dir, account?.uid ?? process.getuid?.())
  for (const name of ['SIGTERM', 'SIGKILL'] as const) {
    const groups = new Set(left().map(groupOf))
    groups.delete(groupOf(process.pid))
    for (const group of groups) if (group !== undefined) signalAs(account, -group, name)
    if (await until(() => left().length === 0, GRACE_MS)) return
  }
}

/** Found by their environment, which is readable only on Linux; elsewhere the list is empty. */
function orphanedProcesses(state_dir: string, user: number | undefined) {
  if (process.platform !== 'linux') return []
  const numbers = readdirSync('/proc').map(Number)
  return numbers.filter(
    (pid) =>
      pid > 0 && pid !== process.pid && isMarked(pid, state_dir) && userOf(pid) === user && isAlive(pid),
  )
}

function isMarked(pid: number, state_dir: string) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${STATE_ENV_VAR}=${state_dir}`)
  } catch {
    return false
  }
}
