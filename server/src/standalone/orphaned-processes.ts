import { readdirSync, readFileSync } from 'node:fs'
import { groupOf, isAlive, signal, until } from './processes.ts'

/** Environment variable of every process of a running Garantia; its value is the state folder. */
export const STATE_ENV_VAR = 'GARANTIA_STATE'

const GRACE_MS = 20_000

/**
 * Ends processes that a killed supervisor left on this state folder. Server and worker normally exit by
 * themselves; this covers one that hangs, and an ffmpeg whose worker was killed. SIGTERM first, SIGKILL after
 * 20 s.
 */
export async function endOrphanedProcesses(state_dir: string) {
  const groups = new Set(orphanedProcesses(state_dir).map(groupOf))
  groups.delete(undefined)
  groups.delete(groupOf(process.pid))
  const all = [...groups].filter((group) => group !== undefined)
  for (const group of all) signal(-group, 'SIGTERM')
  if (await until(() => orphanedProcesses(state_dir).length === 0, GRACE_MS)) return
  for (const group of all) signal(-group, 'SIGKILL')
  await until(() => orphanedProcesses(state_dir).length === 0, GRACE_MS)
}

/** Found by their environment, which is readable only on Linux; elsewhere the list is empty. */
function orphanedProcesses(state_dir: string) {
  if (process.platform !== 'linux') return []
  const numbers = readdirSync('/proc').map(Number)
  return numbers.filter((pid) => pid > 0 && pid !== process.pid && isMarked(pid, state_dir) && isAlive(pid))
}

function isMarked(pid: number, state_dir: string) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${STATE_ENV_VAR}=${state_dir}`)
  } catch {
    return false
  }
}
