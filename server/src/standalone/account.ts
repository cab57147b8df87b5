import { chownSync, lchownSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type Account = { uid: number; gid: number }

/**
 * The account PostgreSQL runs under when started by root, since it refuses to run as root: the owner of the
 * existing data, else `postgres`, else `nobody`. It must exist in /etc/passwd, or initdb fails. Undefined
 * when this process is not root.
 */
export function postgresAccount(data_dir: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const data = statSync(data_dir, { throwIfNoEntry: false })
  if (data && data.uid !== 0) return { uid: data.uid, gid: data.gid }
  const passwd = readFileSync('/etc/passwd', 'utf8')
  return accountNamed('postgres', passwd) ?? accountNamed('nobody', passwd) ?? { uid: 65534, gid: 65534 }
}

/**
 * The account of server and worker when root starts them, who have no need of its rights: `garantia` where the
 * machine has such an account, else `nobody`. Undefined when this process is not root, or when that account cannot
 * reach one of the paths (a clone in /root): then they run as root.
 */
export function serviceAccount(paths: readonly string[]): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const passwd = readFileSync('/etc/passwd', 'utf8')
  const account = accountNamed('garantia', passwd) ??
    accountNamed('nobody', passwd) ?? { uid: 65534, gid: 65534 }
  return paths.every((path) => canReach(path, account)) ? account : undefined
}

/** Gives a folder with all it contains to the account; the folder itself last, so that it tells whether all is done. */
export function giveFolder(dir: string, { uid, gid }: Account) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) giveFolder(path, { uid, gid })
    else lchownSync(path, uid, gid)
  }
  chownSync(dir, uid, gid)
}

function accountNamed(name: string, passwd: string): Account | undefined {
  const fields = passwd
    .split('\n')
    .find((line) => line.startsWith(`${name}:`))
    ?.split(':')
  return fields && { uid: Number(fields[2]), gid: Number(fields[3]) }
}

/**
 * Whether the account may enter the folder or run the file, judged by the execute bits of the path and all
 * its parents. Always true without an account.
 */
export function canReach(path: string, account: Account | undefined): boolean {
  if (!account) return true
  const real = realpathSync(path)
  const { uid, gid, mode } = statSync(real)
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
  if (((mode >> shift) & 1) === 0) return false
  return dirname(real) === real || canReach(dirname(real), account)
}
