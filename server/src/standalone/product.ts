import { existsSync } from 'node:fs'
import { readSecret, without } from '../kernel/secret-files.ts'
import { accountNamed, isRoot, ownerOf, SERVICE_ACCOUNT } from './account.ts'
import { type ChildrenOptions, type Ready, runChildren } from './children.ts'
import { embeddedDatabase, externalDatabase } from './database.ts'
import { fillDemonstration, type Prepared } from './demonstration.ts'
import { lockFolder } from './lock.ts'
import { runMigrations } from './migrations.ts'
import { endOrphanedProcesses, STATE_ENV_VAR } from './orphaned-processes.ts'
import { readAddress, refuseTakenPort } from './ports.ts'
import { exchangeableFrom, prepareOutput } from './privileges.ts'
import { signingEnvironment } from './secrets.ts'
import { openState, type State, stateFolder } from './state.ts'
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
    const state = openState(root, stateFolder({ root, data_dir: env.DATA_DIR }))
    const { account } = state
    undo.push(lockFolder(state.dir).release)
    if (isRoot()) sayAccount(state, say)
    const BACKUP_TO = isRoot() ? backupFolder(env.BACKUP_TO, root, state, say) : env.BACKUP_TO
    await endOrphanedProcesses(state.dir, account)
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
      BACKUP_TO,
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

/** Says once what root should change about the account that the product runs as. */
function sayAccount({ account, dir }: State, say: (line: string) => void) {
  if (!account)
    say('Servidor e conversões rodam como root: outras contas não alcançam esta pasta, ou a dos dados.')
  else if (account.uid === accountNamed('nobody')?.uid)
    say(
      'Servidor e conversões rodam como nobody, que outros programas também usam, porque os arquivos são dele. ' +
        `Para lhes dar a conta ${SERVICE_ACCOUNT}, encerre o Garantia, rode chown -R -h root: ${dir}/files ${dir}/tmp e inicie de novo.`,
    )
}

/**
 * The folder of the nightly backups, created for the service account. Undefined when root would have to write in a
 * folder of another account. A failure is reported, and the product starts all the same.
 */
function backupFolder(
  place: string | undefined,
  root: string,
  { account }: State,
  say: (line: string) => void,
) {
  if (!place || place.includes('://')) return place
  try {
    if (account) prepareOutput(place, account, root)
    const owner = ownerOf(place)
    if (account && owner?.uid !== account.uid)
      say(
        `BACKUP_TO: ${place} não é da conta dos backups; dê-lhe a pasta: chown -R -h ${account.uid}: ${place}`,
      )
    if (account || !existsSync(place) || exchangeableFrom(place, root) === undefined) return place
    say(`BACKUP_TO: outras contas podem trocar ${place}, e o root não grava ali: não haverá backup.`)
  } catch (error) {
    say(`BACKUP_TO: não foi possível preparar ${place} (${(error as NodeJS.ErrnoException).code}).`)
    return place
  }
}
