import { spawnSync } from 'node:child_process'
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartProblem } from './problem.ts'

export type Account = { uid: number; gid: number }

export const SERVICE_ACCOUNT = 'garantia'
/** PostgreSQL's own where the machine has no `postgres`: server and worker must not write to its files. */
const DATABASE_ACCOUNT = 'garantia-db'
/** Owns nothing and is in no group: it reaches only what every account reaches. */
const STRANGER: Account = { uid: -1, gid: -1 }

export const isRoot = () => process.getuid?.() === 0

/**
 * The account PostgreSQL runs under when started by root, since it refuses to run as root: the owner of `dir`, the
 * folder of an earlier start, else `postgres`, else `garantia-db`, which is created. It must exist in /etc/passwd, or
 * initdb fails. Undefined when this process is not root.
 */
export function postgresAccount(dir: string): Account | undefined {
  if (!isRoot()) return undefined
  return (
    ownerOf(dir) ?? accountNamed('postgres') ?? accountNamed(DATABASE_ACCOUNT) ?? create(DATABASE_ACCOUNT)
  )
}

/**
 * The account of server, worker and operator commands when root starts them: the owner of `files`, the stored files of
 * an earlier start, else `garantia`, which is created. Undefined when this process is not root, or when other accounts
 * cannot reach one of the paths (a clone in /root): then they run as root. Throws StartProblem when the owner of the
 * files cannot reach them.
 */
export function serviceAccount(files: string, paths: readonly string[]): Account | undefined {
  if (!isRoot()) return undefined
  const owner = ownerOf(files)
  const known = owner ?? accountNamed(SERVICE_ACCOUNT)
  const closed = paths.find((path) => !canReach(path, known ?? STRANGER))
  if (closed === undefined) return known ?? create(SERVICE_ACCOUNT)
  if (owner === undefined) return undefined
  throw new StartProblem(
    `${files} é da conta de número ${owner.uid}, que não alcança ${closed}: ponha o Garantia e os dados onde outras ` +
      `contas possam passar, como em /opt, ou dê os arquivos ao root (chown -R -h root: ${files}).`,
  )
}

/** Whether other accounts can reach the clone, or the owner of the folder of an earlier start can. */
export const isOpenFor = (root: string, folder: string) =>
  !isRoot() || canReach(root, ownerOf(folder) ?? STRANGER)

/** The owner of a folder; undefined when it is missing or owned by root. Only root may be able to replace the path. */
export function ownerOf(folder: string): Account | undefined {
  const found = statSync(folder, { throwIfNoEntry: false })
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined
}

/** The account of the machine with this name; undefined when /etc/passwd has none. */
export function accountNamed(name: string): Account | undefined {
  const fields = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`${name}:`))
    ?.split(':')
  return fields && { uid: Number(fields[2]), gid: Number(fields[3]) }
}

const NO_HOME = '/nonexistent'
/** With shadow, and with BusyBox, whose group has to be made first. */
const CREATORS = (name: string) => [
  [
    'useradd',
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    NO_HOME,
    '--shell',
    '/usr/sbin/nologin',
    name,
  ],
  ['addgroup', '-S', name],
  ['adduser', '-S', '-D', '-H', '-h', NO_HOME, '-s', '/sbin/nologin', '-G', name, name],
]

/** Another start may create it at the same time: what counts is that it is there. */
function create(name: string): Account {
  const PATH = '/usr/sbin:/usr/bin:/sbin:/bin'
  const said: string[] = []
  for (const [command = '', ...args] of CREATORS(name)) {
    const { error, stderr } = spawnSync(command, args, { env: { PATH }, encoding: 'utf8' })
    said.push(error?.message ?? stderr.trim())
    const made = accountNamed(name)
    if (made) return made
  }
  throw new StartProblem(
    `O root inicia o Garantia, mas não o roda, e a conta ${name} não pôde ser criada (${said.filter(Boolean).join('; ')}). ` +
      'Crie-a, sem senha e sem shell, ou inicie como uma conta comum.',
  )
}

/**
 * Whether the account may enter the folder or run the file, judged by the execute bits of the path and all
 * its parents. Always true without an account.
 */
export function canReach(path: string, account: Account | undefined): boolean {
  if (!account) return true
  const real = realpathSync(path)
  const { uid, gid, mode } = lstatSync(real)
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
  if (((mode >> shift) & 1) === 0) return false
  return dirname(real) === real || canReach(dirname(real), account)
}
