import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runningPostgres } from './postgres.ts'
import { StartProblem } from './problem.ts'
import { accountFor } from './product.ts'
import { signingEnvironment } from './secrets.ts'
import { openState, stateFolder } from './state.ts'

type Command = {
  root: string
  env: NodeJS.ProcessEnv
  script: string
  args: string[]
  say: (line: string) => void
}

/**
 * Runs an operator's command on this installation, with the database address and the keys a start would use.
 * Returns its exit code; throws StartProblem when no database is running.
 */
export async function runOperatorCommand({ root, env, script, args, say }: Command) {
  const dir = stateFolder({ root, data_dir: env.DATA_DIR })
  const secrets = join(dir, 'secrets.json')
  const addresses = env.DATABASE_URL
    ? { url: env.DATABASE_URL, owner_url: env.MIGRATION_DATABASE_URL || env.DATABASE_URL }
    : runningPostgres({ dir: join(dir, 'postgres'), secrets })
  // Alone among the commands it removes events, those of the demonstration.
  const database_url = args[0] === 'remover-demo' ? addresses?.owner_url : addresses?.url
  const asks_help =
    args.length === 0 || args[0] === 'ajuda' || args.some((one) => one === '--help' || one === '-h')
  if (!database_url && !asks_help)
    throw new StartProblem('O Garantia não está em execução. Inicie-o com npm start.')
  // Alone among the commands it writes files, which the server has to read.
  const account = args[0] === 'rodar' ? accountFor(root, dir, say) : undefined
  const child = spawn(process.execPath, [script, ...args], {
    ...account,
    stdio: 'inherit',
    env: {
      ...env,
      DATABASE_URL: database_url,
      MIGRATION_DATABASE_URL: undefined,
      DATA_DIR: dir,
      ...signingEnvironment(env, secrets),
    },
  })
  // Ctrl-C reaches the command directly; this process only waits for it to end.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  return new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => resolve(code ?? 1))
    child.once('error', reject)
  })
}

type Alone = Pick<Command, 'root' | 'env' | 'script'>

/**
 * Runs the server, or the migrations, of an installation of several in this process, so that signals reach it: with the
 * checks and the keys of a start, on the PostgreSQL of DATABASE_URL. Throws StartProblem without one.
 */
export async function runAlone({ root, env, script }: Alone) {
  if (!env.DATABASE_URL)
    throw new StartProblem(
      'Falta DATABASE_URL, o endereço do PostgreSQL (15 ou mais novo). Com o embutido, use npm start.',
    )
  const state = openState(stateFolder({ root, data_dir: env.DATA_DIR }))
  Object.assign(env, { DATA_DIR: state.dir, ...signingEnvironment(env, state.secrets) })
  await import(pathToFileURL(script).href)
}
