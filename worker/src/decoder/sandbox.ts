import { execFile } from 'node:child_process'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Ctx } from '@garantia/server/kernel'
import { ISOLATION_TEXT, type Isolation } from '@garantia/shared/isolation'
import { DIES_WITH_PARENT } from '../media/binaries.ts'

const execute = promisify(execFile)

/** Limits of one decoding process: bytes of memory it may write to, seconds of processor time, bytes of a file. */
export interface Limits {
  memory: number
  cpu_seconds: number
  file: number
}

export interface Sandbox {
  isolation: Isolation
  /** The command line that runs `program` in the folder pair made by `prepareFolders`. */
  command(folders: SandboxFolders, limits: Limits, program: readonly string[]): string[]
}

export interface SandboxFolders {
  /** The only writable folder of the process. */
  own: string
  /** Where its file system is put together; stays empty in the view of everybody else. */
  root: string
}

/** The application with its packages: readable, but not the data in it. */
export const APPLICATION = resolve(fileURLToPath(new URL('../../..', import.meta.url)))
const SCRIPT = fileURLToPath(new URL('./sandbox.sh', import.meta.url))
const SYSTEM = [
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/usr'],
  ...['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/alternatives'],
]
/** Used when the worker is root: the account without rights of every Linux. */
const NOBODY = 65534
const FILES = 256
/** Counts threads; the namespace starts at zero, and each of a process's helpers has several. */
const PROCESSES = 256
/**
 * Bytes that a V8 process reserves as writable without using them (the range for its code): they count toward
 * RLIMIT_DATA.
 */
const V8_RESERVE = 540_000_000

export const SANDBOX_ENV = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin',
  LANG: 'C.UTF-8',
  // Decoded pictures are allocated in many threads, and glibc would keep an arena for each.
  MALLOC_ARENA_MAX: '2',
}

const isRoot = () => process.getuid?.() === 0
const NAMESPACES = ['--net', '--mount', '--ipc', '--uts', '--pid', '--fork', '--kill-child']

interface Machine {
  scratch: Pick<Ctx['scratch'], 'within'>
  /** Hidden from the processes. */
  data_dir: string
  /** Files and folders shown to them besides those of the system and the application. */
  programs: readonly string[]
}

/** Tries what this machine allows, the strongest first. */
export async function findSandbox({ scratch, data_dir, programs }: Machine): Promise<Sandbox> {
  const shown = outermost([...SYSTEM, APPLICATION, process.execPath, ...programs])
  const candidates = [isolated(data_dir, shown), limited]
  for (const sandbox of candidates)
    if (await scratch.within('sandbox', (dir) => works(sandbox, dir))) return sandbox
  return { isolation: 'none', command: (_folders, _limits, program) => [...program] }
}

/** One line for whoever starts the product: how untrusted files are read on this machine. */
export async function describeSandbox() {
  const dir = await mkdtemp(join(tmpdir(), 'garantia-sandbox-'))
  try {
    const scratch = { within: <T>(_purpose: string, work: (dir: string) => Promise<T>) => work(dir) }
    const { isolation } = await findSandbox({ scratch, data_dir: join(APPLICATION, 'data'), programs: [] })
    return `leitura de arquivos: ${ISOLATION_TEXT[isolation]}`
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Makes the folders of one process below `dir`. As root the writable one belongs to the account without rights. */
export async function prepareFolders(dir: string, { isolation }: Pick<Sandbox, 'isolation'>) {
  const folders = { own: join(dir, 'own'), root: join(dir, 'root') }
  for (const folder of Object.values(folders)) await mkdir(folder, { mode: 0o700 })
  if (isolation === 'isolated' && isRoot()) await chown(folders.own, NOBODY, NOBODY)
  return folders
}

const isolated = (hidden: string, shown: readonly string[]): Sandbox => ({
  isolation: 'isolated',
  command: ({ own, root }, limits, program) => [
    ...DIES_WITH_PARENT,
    ...['unshare', ...(isRoot() ? [] : ['--user', '--map-current-user', '--keep-caps']), ...NAMESPACES],
    ...['sh', SCRIPT, root, own, isRoot() ? `${NOBODY}:${NOBODY}` : '-', hidden, ...shown, '--'],
    ...prlimit(limits, `--nproc=${PROCESSES}`),
    ...program,
  ],
})

const limited: Sandbox = {
  isolation: 'limited',
  command: (_folders, limits, program) => [
    ...[...DIES_WITH_PARENT, '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'],
    ...prlimit(limits),
    ...program,
  ],
}

const prlimit = ({ memory, cpu_seconds, file }: Limits, ...more: string[]) => [
  ...['prlimit', `--data=${memory + V8_RESERVE}`, `--cpu=${cpu_seconds}`, `--fsize=${file}`],
  ...[`--nofile=${FILES}`, '--core=0', ...more, '--'],
]

async function works(sandbox: Sandbox, dir: string) {
  try {
    const folders = await prepareFolders(dir, sandbox)
    const limits = { memory: 100_000_000, cpu_seconds: 10, file: 1_000 }
    const [command = '', ...args] = sandbox.command(folders, limits, ['true'])
    await execute(command, args, { env: SANDBOX_ENV, timeout: 20_000, killSignal: 'SIGKILL' })
    return true
  } catch {
    return false
  }
}

/** Without the paths that lie below another one. */
const outermost = (paths: readonly string[]) =>
  [...new Set(paths)].filter((path) => !paths.some((other) => other !== path && path.startsWith(other + sep)))
