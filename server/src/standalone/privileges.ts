/**
 * What root may do for an account. Below a folder that another account may write, a path can lead anywhere, and can be
 * exchanged between two calls: there root acts as that account.
 */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Account, canReach, isRoot } from './account.ts'
import { StartProblem } from './problem.ts'
import { codeOf, signal } from './processes.ts'

/** Makes this process one of the account, for good. */
export function dropTo({ uid, gid }: Account) {
  process.setgroups?.([])
  process.setgid?.(gid)
  process.setuid?.(uid)
}

/**
 * Does the work, which must be synchronous, with the rights of the account instead of root's. Without an account, or
 * within such work, just does it.
 */
export function asAccount<T>(account: Account | undefined, work: () => T): T {
  if (!account || process.geteuid?.() !== 0) return work()
  const [groups, group] = [process.getgroups?.() ?? [], process.getegid?.() ?? 0]
  process.setgroups?.([])
  process.setegid?.(account.gid)
  process.seteuid?.(account.uid)
  try {
    return work()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(group)
    process.setgroups?.(groups)
  }
}

/**
 * Arguments by which a Node program becomes one of the account before its first line. Other than after `spawn` with a
 * uid, programs of the same account cannot read its environment, which may have the password of the database's owner
 * (prctl(2), PR_SET_DUMPABLE). Threads inherit the arguments, and have nothing to drop.
 */
export function begunAs(account: Account | undefined) {
  if (!account) return []
  const { uid, gid } = account
  const drop = `process.setgroups([]);process.setgid(${gid});process.setuid(${uid})`
  return ['--import', `data:text/javascript,if(process.getuid()===0){${drop}}`]
}

/** Signals as the account, to whose processes alone the system then lets it through. */
export function signalAs(account: Account | undefined, pid: number, name: NodeJS.Signals) {
  if (!account) return signal(pid, name)
  const kill = ['-c', 'kill -s "$0" -- "$1"', name.slice('SIG'.length), String(pid)]
  return spawnSync('sh', kill, { ...account, cwd: '/', stdio: 'ignore' }).status === 0
}

/** Whether accounts besides owner and root may write to it; `trusted` is a group that may. */
const isShared = ({ mode, gid }: Stats, trusted = 0) =>
  (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== 0 && gid !== trusted)

/**
 * The first folder, from this one upwards, in which accounts besides root can exchange what lies below. Whoever owns
 * the programs in `root` counts as root, who runs them. In a sticky folder (/tmp) nobody exchanges what is another's.
 */
export function exchangeableFrom(folder: string, root: string): string | undefined {
  const programs = statSync(root)
  for (let at = realpathSync(folder); ; at = dirname(at)) {
    const found = statSync(at)
    const isTrusted = found.uid === 0 || found.uid === programs.uid
    const isSticky = (found.mode & 0o1000) !== 0
    if (!isTrusted || (isShared(found, programs.gid) && !isSticky)) return at
    if (dirname(at) === at) return undefined
  }
}

/**
 * Creates the folder with mode 0700 and gives it to the account. A folder that root still owns is given with its
 * contents, since only root could write there; one with another owner is left as it is. Only root may be able to
 * replace the folder.
 */
export function prepareFolder(folder: string, account: Account | undefined) {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  if (account && isRoot()) give(realpathSync(folder), account)
}

/** A folder after what it has, so that it tells whether all is done. A file with a second name may be another's. */
function give(path: string, account: Account) {
  const found = lstatSync(path)
  if (found.uid !== 0) return
  if (found.isDirectory()) {
    if (isShared(found))
      throw new StartProblem(`Outras contas podem gravar em ${path}: feche-a (chmod -R go-w).`)
    for (const name of readdirSync(path)) give(join(path, name), account)
  } else if (found.nlink > 1) return
  lchownSync(path, account.uid, account.gid)
}

/**
 * Makes a folder that the account is to write to where the operator says, if it is missing or empty. Where another
 * account could exchange it, or this one cannot reach it, nothing is done: the account makes it by itself, or says why
 * it cannot.
 */
export function prepareOutput(place: string, account: Account, root: string) {
  const folder = resolve(place)
  let above = dirname(folder)
  while (!existsSync(above)) above = dirname(above)
  if (exchangeableFrom(above, root) !== undefined || !canReach(above, account)) return
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found && !(found.isDirectory() && found.uid === 0 && readdirSync(folder).length === 0)) return
  mkdirSync(dirname(folder), { recursive: true })
  prepareFolder(folder, account)
}
