import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { asAccount, signalAs } from './privileges.ts'
import { isAlive } from './processes.ts'

export type Postmaster = { pid: number; port: number; status: string }

/**
 * The PostgreSQL running on this data folder. The pid file alone proves nothing: after a crash the number may
 * belong to another program, or to the server of the folder this one was copied from.
 */
export function findPostmaster(data: string, account: Account | undefined): Postmaster | undefined {
  const { written, real } = asAccount(account, () => ({ written: readPidFile(data), real: realPath(data) }))
  return written && isAlive(written.pid) && worksIn(written, real) ? written : undefined
}

/**
 * Ends the backends that a killed server left running, as no other server may start on the data before they
 * end. Nothing is lost: their transactions were aborted with the server. Linux only; elsewhere we wait for
 * them.
 */
export function endOrphans(data: string, account: Account | undefined) {
  if (process.platform !== 'linux') return
  const real = asAccount(account, () => realPath(data))
  for (const name of readdirSync('/proc')) {
    if (worksIn({ pid: Number(name), folder: '' }, real)) signalAs(account, Number(name), 'SIGQUIT')
  }
}

function realPath(path: string) {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function readPidFile(data: string) {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number(lines[0])
    if (!Number.isInteger(pid) || pid <= 0) return undefined
    return { pid, folder: lines[1] ?? '', port: Number(lines[3]), status: (lines[7] ?? '').trim() }
  } catch {
    return undefined
  }
}

function worksIn({ pid, folder }: { pid: number; folder: string }, data: string | undefined) {
  if (process.platform !== 'linux') return folder === data
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return command.includes('postgres') && readlinkSync(`/proc/${pid}/cwd`) === data
  } catch {
    return false
  }
}
