import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

type ProcessState = { zombie: boolean; group: number; started: string }

/** What Linux says of a process; undefined where it is gone, or where there is no /proc. */
function stateOf(pid: number): ProcessState | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { zombie: fields[0] === 'Z', group: Number(fields[2]), started: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

export const groupOf = (pid: number) => stateOf(pid)?.group

/** Tells a process from a later one that was given the same number; empty where there is no /proc. */
export const startedAt = (pid: number) => stateOf(pid)?.started ?? ''

/** A zombie is dead: it only waits for a parent that may never look. */
export function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false
  }
  return stateOf(pid)?.zombie !== true
}

/** Sends the signal to a process, or with a negative number to a group; false when nobody is there. */
export function signal(pid: number, name: NodeJS.Signals) {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** Waits until the condition holds; false when it did not within the time. */
export async function until(condition: () => boolean, limit_ms: number, step_ms = 25) {
  const deadline = Date.now() + limit_ms
  while (!condition()) {
    if (Date.now() >= deadline) return false
    await sleep(step_ms)
  }
  return true
}

export const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
