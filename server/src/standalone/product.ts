import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readSecret, without } from '../kernel/secret-files.ts'
import { type Account, giveFolder, serviceAccount } from './account.ts'
import { type ChildrenOptions, type Ready, runChildren } from './children.ts'
import { embeddedDatabase, externalDatabase } from './database.ts'
import { fillDemonstration, type Prepared } from './demonstration.ts'
import { lockFolder } from './lock.ts'
import { runMigrations } from './migrations.ts'
import { endOrphanedProcesses, STATE_ENV_VAR } from './orphaned-processes.ts'
import { readAddress, refuseTakenPort } from './ports.ts'
import { signingEnvironment } from './secrets.ts'
import { openState, stateFolder } from './state.ts'
import { watchSources } from './watch.ts'

export type ReadyReport = Ready & { state_dir: string; demonstration?: Prepared }

const DEMO_STOP_TIMEOUT_MS = 10_000

type Options = ChildrenOptions & {
  root: string
  env: NodeJS.ProcessEnv
  /** Restart server and worker when a source changes. */
  watch: boolean
  onReady: (greeting: ReadyReport) => void
  /** The program that fills the database with invented data. */
  demonstration?: { script: string; onRefused: (message: string) => void } | undefined
}

/**
 * Starts state folder, database, server and worker in this order; `stop` ends them in reverse. When a step
 * fails, those before it are undone and the error is thrown.
 */
export async function startProduct({ root, env, watch, onReady, demonstration, ...plan }: Options) {
  const { say } = plan
  const undo: (() => unknown)[] = []
  const stop = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step()
  }
  try {
    const address = readAddress(env)
    const state = openState(stateFolder({ root, data_dir: env.DATA_DIR }))
    undo.push(lockFolder(state.dir).release)
    const account = accountFor(root, state.dir, say)
    if (account) giveBackups(env.BACKUP_TO, account, say)
    await endOrphanedProcesses(state.dir)
    await refuseTakenPort(address)

    const url = readSecret(env, 'DATABASE_URL')
    const database = url
      ? await externalDatabase(url, readSecret(env, 'MIGRATION_DATABASE_URL') || undefined, say)
      : await embeddedDatabase({
          dir: state.postgres,
          secrets: state.secrets,
          say,
          onMoved: () => children.restart(),
        })
    undo.push(database.close)

    const itsEnv = () => ({
      ...without(without(env, 'MIGRATION_DATABASE_URL'), 'DATABASE_URL'),
      DATABASE_URL: database.url(),
      DATA_DIR: state.dir,
      HOST: address.host,
      PORT: String(address.port),
      ...signingEnvironment(env, state.secrets),
      [STATE_ENV_VAR]: state.dir,
    })
    const migrate = () =>
      runMigrations({ script: plan.scripts.migrate, account, env: itsEnv(), owner_url: database.owner_url() })
    await migrate()
    let filling: ReturnType<typeof fillDemonstration> | undefined
    const children = runChildren({
      ...plan,
      account,
      bindsLowPort: address.port < 1024,
      retriesForever: watch,
      onReady: (message) => {
        const greeting = { ...message, state_dir: state.dir }
        if (!demonstration) return onReady(greeting)
        filling = fillDemonstration({
          ...demonstration,
          account,
          env: itsEnv(),
          onPrepared: (prepared) => onReady({ ...greeting, demonstration: prepared }),
        })
      },
      env: itsEnv,
    })
    undo.push(children.stop, () => filling?.stop(DEMO_STOP_TIMEOUT_MS))
    const update = () => void migrate().then(children.restart, (error: Error) => say(error.message))
    if (watch) undo.push(watchSources(root, update))
    return { stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * The account of server and worker, which gets the stored files; undefined where they run as whoever started this
 * process, which is said when that is root.
 */
export function accountFor(root: string, state_dir: string, say: (line: string) => void) {
  const read = [join(root, 'node_modules'), join(root, 'server/dist'), join(root, 'client/dist')]
  const account = serviceAccount([process.execPath, state_dir, root, ...read.filter(existsSync)])
  if (account) {
    const [files, tmp] = [join(state_dir, 'files'), join(state_dir, 'tmp')]
    if (statSync(files).uid !== account.uid) giveFolder(files, account)
    // Always: a command that root ran and that was killed has left its folder there.
    giveFolder(tmp, account)
  } else if (process.getuid?.() === 0)
    say('Servidor e conversões rodam como root: outras contas não alcançam esta pasta, ou a dos dados.')
  return account
}

/** The folder of the nightly backups, which the worker makes. One that cannot be made keeps nothing from starting. */
function giveBackups(place: string | undefined, account: Account, say: (line: string) => void) {
  if (!place || place.includes('://')) return
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 })
    if (statSync(place).uid !== account.uid) giveFolder(place, account)
  } catch (error) {
    say(`BACKUP_TO: não foi possível preparar ${place} (${(error as NodeJS.ErrnoException).code}).`)
  }
}
