import { type Children, type Ready, runChildren } from './children.ts'
import { embeddedDatabase, externalDatabase } from './database.ts'
import { fillDemonstration, type Prepared } from './demonstration.ts'
import { endLeftovers, MARK } from './leftovers.ts'
import { lockFolder } from './lock.ts'
import { readAddress, refuseTakenPort } from './ports.ts'
import { openState, stateFolder } from './state.ts'
import { watchSources } from './watch.ts'

export type Greeting = Ready & { state_dir: string; demonstration?: Prepared }

const PATIENCE_MS = 10_000

type Options = Children & {
  root: string
  env: NodeJS.ProcessEnv
  /** Start server and worker anew when a source changes. */
  watch: boolean
  onReady: (greeting: Greeting) => void
  /** Fill the database with invented data; the program that does. */
  demonstration?: { script: string; onRefused: (message: string) => void } | undefined
}

/** State folder, database, server, worker, in this order; `stop` takes them down in the other. */
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
    await endLeftovers(state.dir)
    await refuseTakenPort(address)

    const database = env.DATABASE_URL
      ? await externalDatabase(env.DATABASE_URL, say)
      : await embeddedDatabase({
          dir: state.postgres,
          secrets: state.secrets,
          say,
          onMoved: () => children.restart(),
        })
    undo.push(database.close)

    const itsEnv = () => ({
      ...env,
      DATABASE_URL: database.url(),
      DATA_DIR: state.dir,
      HOST: address.host,
      PORT: String(address.port),
      SIGNING_KEY: env.SIGNING_KEY || state.signing_key,
      [MARK]: state.dir,
    })
    let filling: ReturnType<typeof fillDemonstration> | undefined
    const children = runChildren({
      ...plan,
      patient: watch,
      onReady: (message) => {
        const greeting = { ...message, state_dir: state.dir }
        if (!demonstration) return onReady(greeting)
        filling = fillDemonstration({
          ...demonstration,
          env: itsEnv(),
          onPrepared: (prepared) => onReady({ ...greeting, demonstration: prepared }),
        })
      },
      env: itsEnv,
    })
    undo.push(children.stop, () => filling?.stop(PATIENCE_MS))
    if (watch) undo.push(watchSources(root, children.restart))
    return { stop }
  } catch (error) {
    await stop()
    throw error
  }
}
