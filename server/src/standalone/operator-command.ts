import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { isGiven, without } from '../kernel/secret-files.ts'
import { giveFolder } from './account.ts'
import { lockFolder } from './lock.ts'
import { runningPostgres, startPostgres } from './postgres.ts'
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
 * Returns its exit code; throws StartProblem when no database is running and the command does not start it.
 */
export async function runOperatorCommand(command: Command) {
  const { root, env, args } = command
  const dir = stateFolder({ root, data_dir: env.DATA_DIR })
  if (args[0] === 'restaurar' && !asksHelp(args)) return restoring(command, dir)
  if (isGiven(env, 'DATABASE_URL') || asksHelp(args)) return runOn(undefined, command, dir)
  const addresses = runningPostgres({ dir: join(dir, 'postgres'), secrets: join(dir, 'secrets.json') })
  if (addresses) return runOn(addresses, command, dir)
  if (args[0] === 'mover-arquivos') return withPostgres(dir, (embedded) => runOn(embedded, command, dir))
  throw new StartProblem('O Garantia não está em execução. Inicie-o com npm start.')
}

interface Addresses {
  url: string
  owner_url: string
}

function runOn(addresses: Addresses | undefined, { root, env, script, args, say }: Command, dir: string) {
  // Alone among the commands it removes events, those of the demonstration.
  const isOfOwner = args[0] === 'remover-demo'
  // Alone among the commands they write files that the server has to read, or the worker to go on with.
  const isOfServer = args[0] === 'rodar' || args[0] === 'mover-arquivos' || isForWorker(args, env)
  const account = isOfServer ? accountFor(root, dir, say) : undefined
  const child = spawn(process.execPath, [script, ...args], {
    ...account,
    stdio: 'inherit',
    env: {
      ...without(env, 'MIGRATION_DATABASE_URL'),
      ...(addresses
        ? { DATABASE_URL: isOfOwner ? addresses.owner_url : addresses.url }
        : isOfOwner && isGiven(env, 'MIGRATION_DATABASE_URL') && ownerAsDatabase(env)),
      DATA_DIR: dir,
      ...signingEnvironment(env, join(dir, 'secrets.json')),
    },
  })
  return codeOf(child)
}

const ownerAsDatabase = (env: NodeJS.ProcessEnv) => ({
  DATABASE_URL: env.MIGRATION_DATABASE_URL,
  DATABASE_URL_FILE: env.MIGRATION_DATABASE_URL_FILE,
})

/** Whether it is a backup into a folder that is not root's, but of the account of the worker. */
function isForWorker(args: string[], env: NodeJS.ProcessEnv) {
  if (args[0] !== 'backup') return false
  const { para = env.BACKUP_TO } = parseArgs({
    ...{ args, options: { para: { type: 'string' } }, strict: false, allowPositionals: true },
  }).values
  const folder = typeof para === 'string' ? statSync(para, { throwIfNoEntry: false }) : undefined
  return folder !== undefined && folder.uid !== 0
}

const asksHelp = (args: string[]) =>
  args.length === 0 || args[0] === 'ajuda' || args.some((one) => one === '--help' || one === '-h')

/**
 * Restores on a bare machine: makes the folder of the installation and starts the embedded PostgreSQL where nothing
 * runs yet. It needs the owner of the database, who migrates. What it writes gets the account of the server.
 */
function restoring({ root, env, script, args, say }: Command, dir: string) {
  const restore = async (embedded?: Addresses) => {
    try {
      const child = spawn(process.execPath, [script, ...args], {
        stdio: 'inherit',
        env: {
          ...env,
          ...(embedded && { DATABASE_URL: embedded.url, MIGRATION_DATABASE_URL: embedded.owner_url }),
          DATA_DIR: dir,
          ...signingEnvironment(env, openState(dir).secrets),
        },
      })
      return await codeOf(child)
    } finally {
      const account = accountFor(root, dir, say)
      if (account) giveFolder(join(dir, 'files'), account)
    }
  }
  return isGiven(env, 'DATABASE_URL') ? restore() : withPostgres(dir, restore)
}

/** Runs the embedded PostgreSQL for this work only. Throws StartProblem when this installation runs already. */
async function withPostgres<T>(dir: string, work: (embedded: Addresses) => Promise<T>) {
  const { secrets, postgres } = openState(dir)
  const lock = lockFolder(dir)
  try {
    const embedded = await startPostgres({ dir: postgres, secrets })
    try {
      return await work(embedded)
    } finally {
      await embedded.stop()
    }
  } finally {
    lock.release()
  }
}

/** The exit code of a command. */
function codeOf(child: ChildProcess) {
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
  if (!isGiven(env, 'DATABASE_URL'))
    throw new StartProblem(
      'Falta DATABASE_URL, o endereço do PostgreSQL (15 ou mais novo). Com o embutido, use npm start.',
    )
  const state = openState(stateFolder({ root, data_dir: env.DATA_DIR }))
  Object.assign(env, { DATA_DIR: state.dir, ...signingEnvironment(env, state.secrets) })
  await import(pathToFileURL(script).href)
}
