import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { isGiven, readSecret, without } from '../kernel/secret-files.ts'
import { type Account, isRoot } from './account.ts'
import { lockFolder } from './lock.ts'
import { readAddress } from './ports.ts'
import { runningPostgres, startPostgres } from './postgres.ts'
import { begunAs, dropTo, exchangeableFrom, prepareOutput } from './privileges.ts'
import { StartProblem } from './problem.ts'
import { answerSecrets, signingEnvironment } from './secrets.ts'
import { openFolders, openState, type State, stateFolder } from './state.ts'
import { commandLine } from './supervise.ts'

type Command = {
  root: string
  env: NodeJS.ProcessEnv
  script: string
  args: string[]
}

/**
 * Runs an operator's command on this installation, with the database address and the keys a start would use; by root
 * as the account of server and worker. Returns its exit code; throws StartProblem when no database is running and the
 * command does not start it.
 */
export async function runOperatorCommand(command: Command) {
  const { root, env, args } = command
  const dir = stateFolder({ root, data_dir: env.DATA_DIR })
  if (asksHelp(args)) return codeOf(spawn(process.execPath, [command.script, ...args], { stdio: 'inherit' }))
  if (args[0] === 'restaurar') {
    const state = openState(root, dir)
    return isGiven(env, 'DATABASE_URL')
      ? runOn(undefined, command, state)
      : withPostgres(state, (embedded) => runOn(embedded, command, state))
  }
  const state = openFolders(root, dir)
  if (isGiven(env, 'DATABASE_URL')) return runOn(undefined, command, state)
  const addresses = runningPostgres({ dir: state.postgres, secrets: state.secrets })
  if (addresses) return runOn(addresses, command, state)
  if (args[0] === 'mover-arquivos') return withPostgres(state, (embedded) => runOn(embedded, command, state))
  throw new StartProblem('O Garantia não está em execução. Inicie-o com npm start.')
}

interface Addresses {
  url: string
  owner_url: string
}

function runOn(addresses: Addresses | undefined, { root, env, script, args }: Command, state: State) {
  const { account, dir, secrets } = state
  if (isRoot()) preparePlaces(args, env, root, account)
  const child = spawn(process.execPath, [...begunAs(account), script, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...without(without(env, 'DATABASE_URL'), 'MIGRATION_DATABASE_URL'),
      ...databaseOf(args[0], addresses ?? givenAddresses(env)),
      DATA_DIR: dir,
      ...signingEnvironment(env, secrets),
    },
  })
  answerSecrets(child, secrets)
  return codeOf(child)
}

/** Read here: the account of a command may not open the files of root's that they may be. */
const givenAddresses = (env: NodeJS.ProcessEnv) => ({
  url: readSecret(env, 'DATABASE_URL'),
  owner_url: readSecret(env, 'MIGRATION_DATABASE_URL'),
})

/**
 * Two commands need the owner of the database: one removes events, those of the demonstration, and one migrates what it
 * has restored.
 */
function databaseOf(command: string | undefined, { url, owner_url }: Partial<Addresses>) {
  if (command === 'remover-demo') return { DATABASE_URL: owner_url || url }
  if (command === 'restaurar') return { DATABASE_URL: url, MIGRATION_DATABASE_URL: owner_url }
  return { DATABASE_URL: url }
}

/** Commands that write to, or read from, a folder that the operator names. */
const WRITES = ['backup', 'resgatar']
const READS = ['conferir-backup', 'provar-backup', 'restaurar']

/** Throws StartProblem where the command stays root and another account could exchange what it reads or writes. */
function preparePlaces(args: string[], env: NodeJS.ProcessEnv, root: string, account: Account | undefined) {
  const [command = ''] = args
  if (![...WRITES, ...READS].includes(command)) return
  const { para, de } = parseArgs({
    ...{ args, options: { para: { type: 'string' }, de: { type: 'string' } } },
    ...{ strict: false, allowPositionals: true },
  }).values
  const place = (WRITES.includes(command) ? para : de) ?? env.BACKUP_TO
  if (typeof place !== 'string' || place === '' || place.includes('://')) return
  if (!account && existsSync(place) && exchangeableFrom(place, root) !== undefined)
    throw new StartProblem(
      `Outras contas podem trocar ${place}, e este comando roda como root: escolha uma pasta do root.`,
    )
  if (account && WRITES.includes(command)) prepareOutput(place, account, root)
}

const asksHelp = (args: string[]) =>
  args.length === 0 || args[0] === 'ajuda' || args.some((one) => one === '--help' || one === '-h')

/** Runs the embedded PostgreSQL for this work only. Throws StartProblem when this installation runs already. */
async function withPostgres<T>({ dir, postgres, secrets }: State, work: (embedded: Addresses) => Promise<T>) {
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
 * checks and the keys of a start, on the PostgreSQL of DATABASE_URL. Root becomes the account of the server before. Throws
 * StartProblem without a database.
 */
export async function runAlone({ root, env, script }: Alone) {
  if (!isGiven(env, 'DATABASE_URL'))
    throw new StartProblem(
      'Falta DATABASE_URL, o endereço do PostgreSQL (15 ou mais novo). Com o embutido, use npm start.',
    )
  const state = openState(root, stateFolder({ root, data_dir: env.DATA_DIR }))
  Object.assign(env, { DATA_DIR: state.dir, ...signingEnvironment(env, state.secrets) })
  await become(state.account, script, readAddress(env).port < 1024)
}

/** Runs the program of the container that decodes in this process, by root as the account of the worker. */
export async function runDecoder({ root, env, script }: Alone) {
  const { account } = isRoot() ? openFolders(root, stateFolder({ root, data_dir: env.DATA_DIR })) : {}
  await become(account, script)
}

async function become(account: Account | undefined, script: string, bindsLowPort = false) {
  if (account && bindsLowPort) {
    const { command, args } = commandLine(script, { ...account, bindsLowPort })
    process.execve?.('/usr/bin/env', ['env', command, ...args])
  }
  if (account) dropTo(account)
  await import(pathToFileURL(script).href)
}
