import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

type ProcessState = { zombie: boolean; group: number; started: string }

/** The state of a process from /proc; undefined when it has ended or there is no /proc. */
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

/** The account of a process, by its number; undefined when it has ended or there is no /proc. */
export function userOf(pid: number) {
  try {
    return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1])
  } catch {
    return undefined
  }
}

/**
 * Start time of a process, which distinguishes it from a later one with the same number; empty where there is
 * no /proc.
 */
export const startedAt = (pid: number) => stateOf(pid)?.started ?? ''

/** Whether the process runs. A zombie counts as dead: it only waits for its parent to reap it. */
export function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false
  }
  return stateOf(pid)?.zombie !== true
}

/**
 * Sends the signal to a process, or with a negative number to a process group; false when it does not exist.
 */
export function signal(pid: number, name: NodeJS.Signals) {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** Polls until the condition holds; false when it does not within `limit_ms`. */
export async function until(condition: () => boolean, limit_ms: number, step_ms = 25) {
  const deadline = Date.now() + limit_ms
  while (!condition()) {
    if (Date.now() >= deadline) return false
    await sleep(step_ms)
  }
  return true
}

/** The `code` of a system or database error, if it has one. */
export const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
