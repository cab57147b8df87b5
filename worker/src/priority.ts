import { getPriority, setPriority } from 'node:os'

/**
 * Lets a process, this one if no pid is given, run at this priority (of node:os) or at its own lower one. Where it may
 * not be changed, the process runs on as it is.
 */
export function lowerPriority(to: number, pid = 0) {
  try {
    if (getPriority(pid) < to) setPriority(pid, to)
  } catch {
    // Work at the wrong priority is better than none.
  }
}
