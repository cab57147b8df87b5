import { readdir, readFile } from 'node:fs/promises'

const TICK_MS = 10

/**
 * Milliseconds of processor time PostgreSQL has used, its ended child processes included; null without /proc.
 */
export async function databaseCpu(postmaster: number): Promise<number | null> {
  const stats = await statsOf(postmaster)
  if (!stats) return null
  let total = stats.ended_ms
  for (const name of await readdir('/proc')) {
    const pid = Number(name)
    if (!pid) continue
    const stat = pid === postmaster ? stats : await statsOf(pid)
    if (stat && (pid === postmaster || stat.parent === postmaster)) total += stat.own_ms
  }
  return total
}

async function statsOf(pid: number) {
  try {
    const [stat, sched] = await Promise.all(
      ['stat', 'schedstat'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
    )
    const fields = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ')
    return {
      parent: Number(fields[1]),
      own_ms: Number((sched ?? '').split(' ')[0]) / 1e6,
      ended_ms: (Number(fields[13]) + Number(fields[14])) * TICK_MS,
    }
  } catch {
    return null
  }
}
