import { spawn } from 'node:child_process'
import { closeSync, existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { ownerOf, postgresAccount } from './account.ts'
import { readyBinaries, SHARED_DIR } from './binaries.ts'
import {
  type ClusterOptions,
  DATABASE,
  initialise,
  POSTGRES_ENV,
  ROLE_IN_USE,
  resetPasswords,
} from './initialise.ts'
import { freePort } from './ports.ts'
import { postgresArguments, preparePostgresFolder, refuseOtherVersion } from './postgres-folder.ts'
import { cutWhenLong, openLog } from './postgres-log.ts'
import { endOrphans, findPostmaster } from './postmaster.ts'
import { asAccount, signalAs } from './privileges.ts'
import { StartProblem } from './problem.ts'
import { isAlive, until } from './processes.ts'
import { type DatabaseAccess, newSecret, readSecrets, saveSecrets } from './secrets.ts'

export type PostgresOptions = {
  /**
   * Folder of the database, created when missing. Under root it is given to the account that runs PostgreSQL.
   */
  dir: string
  /** File with the port and the passwords; default `<dir>.json`, where the account that runs PostgreSQL may not write. */
  secrets?: string
  port?: number
  /** Off only for throw-away databases, which a power failure may then destroy. */
  fsync?: boolean
  /** Folder of a socket file, which the addresses then name: a query costs half as much as over loopback. */
  socketDir?: string
  /** Where root copies the binaries when the other account cannot reach the clone. */
  sharedDir?: string
}

export type RunningPostgres = {
  /** Connects as the role in use, who owns nothing. What it may do is granted after the migrations. */
  url: string
  /** Connects as the owner of the database, who is not a superuser. */
  owner_url: string
  admin_url: string
  port: number
  pid: number
  /** It was already running, left by a start that was killed. */
  adopted: boolean
  /** Resolves when this PostgreSQL has ended, for whatever reason. */
  ended: Promise<void>
  stop(): Promise<void>
}

/** After a kill -9 the shared memory of the dead server can stay attached for a minute. */
const START_TIMEOUT_MS = 90_000
const RECOVERY_MS = 600_000
const STOP_MS = 20_000
const HOUR_MS = 3_600_000

/**
 * Starts the embedded PostgreSQL on that folder, adopting one that already runs there and recovering one that
 * was killed. Throws StartProblem when it cannot be started.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const dir = resolve(options.dir)
  const data = join(dir, 'data')
  const secrets = options.secrets ?? `${dir}.json`
  const account = postgresAccount(dir)
  const binaries = readyBinaries(account, { sharedDir: options.sharedDir ?? SHARED_DIR })
  const { fsync = true, socketDir } = options
  const place = { dir, binaries, account, fsync, socketDir }
  preparePostgresFolder(dir, account)
  const access = await accessTo(place, secrets, options.port)
  if (!hasData(place)) await initialise(place, access)
  asAccount(account, () => refuseOtherVersion(data))

  const { pid, adopted, ended, port } = await bringUp(place, options.port ?? access.port)
  const known = await withRoleInUse({ ...access, port })
  if (port !== access.port || known.app_password !== access.app_password)
    saveSecrets(secrets, { database: known })
  const trimming = setInterval(() => asAccount(account, () => cutWhenLong(dir)), HOUR_MS).unref()
  void ended.finally(() => clearInterval(trimming))
  return {
    ...urls(known, socketDir),
    port,
    pid,
    adopted,
    ended,
    stop: () => stopPostmaster(place, pid),
  }
}

/** The address of an embedded PostgreSQL that is running; undefined when none is. Does not start it. */
export function runningPostgres({ dir, secrets }: { dir: string; secrets: string }) {
  const found = findPostmaster(join(dir, 'data'), ownerOf(dir))
  const access = readSecrets(secrets).database
  return found && access && urls({ ...access, port: found.port })
}

function urls({ port, password, app_password, admin_password }: DatabaseAccess, socketDir?: string) {
  const address = `${encodeURIComponent(socketDir ?? '127.0.0.1')}:${port}/${DATABASE}`
  return {
    url: `postgres://${ROLE_IN_USE}:${app_password ?? ''}@${address}`,
    owner_url: `postgres://${DATABASE}:${password}@${address}`,
    admin_url: `postgres://postgres:${admin_password}@${address}`,
  }
}

/** Makes the role in use, which may create the databases of trials of backups, where there is none, or where its password was lost with the secrets file. */
async function withRoleInUse(access: DatabaseAccess) {
  if (access.app_password !== undefined) return access
  const known = { ...access, app_password: newSecret() }
  const client = new Client({ connectionString: urls(known).admin_url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [ROLE_IN_USE])
    const verb = rowCount === 0 ? 'create' : 'alter'
    await client.query(
      `${verb} role ${ROLE_IN_USE} login createdb noinherit password '${known.app_password}'`,
    )
  } finally {
    await client.end()
  }
  return known
}

type Place = Pick<ClusterOptions, 'dir' | 'account'>
const hasData = ({ dir, account }: Place) => asAccount(account, () => existsSync(join(dir, 'data')))
const postmasterOf = ({ dir, account }: Place) => findPostmaster(join(dir, 'data'), account)

async function accessTo(place: ClusterOptions, secrets: string, port?: number): Promise<DatabaseAccess> {
  const kept = readSecrets(secrets).database
  if (kept) return kept
  const database = { port: port ?? (await freePort()), password: newSecret(), admin_password: newSecret() }
  if (hasData(place)) {
    const running = postmasterOf(place)
    if (running) await stopPostmaster(place, running.pid)
    await resetPasswords(place, database)
  }
  saveSecrets(secrets, { database })
  return database
}

async function bringUp(place: ClusterOptions, wanted_port: number) {
  const data = join(place.dir, 'data')
  const deadline = Date.now() + START_TIMEOUT_MS
  let port = wanted_port
  for (let failures = 0; ; await sleep(300)) {
    const found = postmasterOf(place)
    if (found) {
      const ready = await becomesReady(place, found.pid)
      if (ready) return { ...ready, adopted: true, ended: endOf(place, found.pid) }
      continue
    }
    asAccount(place.account, () => rmSync(join(data, 'postmaster.pid'), { force: true }))
    const launched = launch(place, port)
    const ready = await becomesReady(place, launched.pid)
    if (ready) return { ...ready, adopted: false, ended: launched.ended }
    const said = launched.said()
    if (/could not bind/.test(said)) port = await freePort()
    else if (/shared memory block|lock file/.test(said)) endOrphans(data, place.account)
    else failures++
    if (failures === 3 || Date.now() > deadline)
      throw new StartProblem(`O PostgreSQL embutido não iniciou:\n${said}`)
  }
}

/** Started detached and with its log in a file, so that it survives this process and the terminal. */
function launch({ dir, binaries, account, fsync, socketDir }: ClusterOptions, port: number) {
  const log = asAccount(account, () => openLog(dir))
  const args = postgresArguments({ data: join(dir, 'data'), port, fsync, socketDir })
  const child = spawn(join(binaries, 'bin/postgres'), args, {
    ...account,
    cwd: '/',
    env: POSTGRES_ENV,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  closeSync(log.fd)
  child.unref()
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  if (child.pid === undefined) throw new StartProblem(`O PostgreSQL em ${binaries} não pôde ser executado.`)
  return { pid: child.pid, ended, said: () => asAccount(account, log.said) }
}

/** The contents of its pid file once it accepts connections; undefined when it ended before. */
async function becomesReady(place: Place, pid: number) {
  const own = () => {
    const found = postmasterOf(place)
    return found?.pid === pid && found.status === 'ready' ? found : undefined
  }
  await until(() => own() !== undefined || !isAlive(pid), RECOVERY_MS, 10)
  return own()
}

/** Polls, because the end of a process that is not our child is not reported. */
async function endOf(place: Place, pid: number) {
  while (postmasterOf(place)?.pid === pid) await sleep(500, undefined, { ref: false })
}

async function stopPostmaster(place: Place, pid: number) {
  if (postmasterOf(place)?.pid !== pid) return
  const gone = () => !isAlive(pid)
  signalAs(place.account, pid, 'SIGINT')
  if (await until(gone, STOP_MS)) return
  signalAs(place.account, pid, 'SIGQUIT')
  if (!(await until(gone, STOP_MS))) throw new Error(`PostgreSQL (processo ${pid}) não encerrou`)
}
