import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Program, programFile } from '@garantia/server/programs'
import { runProgram } from '@garantia/worker/cli'
import { DOSSIER_KEY, SIGNING_KEY, type TestApp } from '../support/test-app.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A database and a folder, with which processes are started. */
export interface Installation extends Pick<TestApp, 'url' | 'dir' | 'environment'> {
  /** A clone of another release, whose programs are started instead. */
  root?: string
}
const program = ({ root }: Installation, name: Program) =>
  root === undefined ? programFile(ROOT, name, process.env) : programFile(root, name, {})

/** The variables with which a process of the product is started on it. */
export const processEnvironment = (testApp: Installation) => ({
  ...process.env,
  DATABASE_URL: testApp.url,
  DATA_DIR: testApp.dir,
  SIGNING_KEY,
  DOSSIER_KEY,
  LOG_LEVEL: 'info',
  WORKER_CONCURRENCY: '2',
  ...testApp.environment,
  ...(testApp.root !== undefined && { PROGRAMS_DIR: undefined }),
})

/**
 * A worker process as in production. Its IPC channel closes when the tests end, however they end, and stops
 * it.
 */
export async function spawnWorker(
  testApp: Installation,
  env: Record<string, string> = {},
  [name, ...args]: [Program, ...string[]] = ['worker'],
): Promise<ChildProcess> {
  const worker = spawn(process.execPath, [program(testApp, name), ...args], {
    env: { ...processEnvironment(testApp), ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = once(worker, 'exit').then(([code, signal]) => {
    throw new Error(`the worker ended before it was ready: ${code ?? signal}`)
  })
  ended.catch(() => undefined)
  const lines = createInterface({ input: worker.stdout ?? process.stdin })
  const ready = new Promise<void>((resolve) => {
    lines.on('line', (line) => line.includes('"pronto"') && resolve())
  })
  await Promise.race([ready, ended])
  return worker
}

/** A server process as in production, on this test's database and disk. */
export async function spawnServer(testApp: Installation, env: Record<string, string> = {}) {
  const server = spawn(process.execPath, [program(testApp, 'server')], {
    env: { ...processEnvironment(testApp), PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(server, 'exit').then(([code, signal]) => {
    throw new Error(`the server ended before it was ready: ${code ?? signal}`)
  })
  ended.catch(() => undefined)
  const [said] = await Promise.race([once(server, 'message') as Promise<[{ url: string }]>, ended])
  return { process: server, url: said.url }
}

/** Server and worker on a tmpfs of this size; other processes see it only through `inside`. */
export async function spawnOnSmallDisk(testApp: Installation, megabytes: number, LOG_LEVEL = 'fatal') {
  const script = `mount -t tmpfs -o size=${megabytes}m,mode=700 pequeno "$DATA_DIR" && { "$1" "$2" & exec "$1" "$3"; }`
  const both = spawn(
    'unshare',
    [
      '-rm',
      'sh',
      '-c',
      script,
      'sh',
      process.execPath,
      program(testApp, 'worker'),
      program(testApp, 'server'),
    ],
    {
      env: { ...processEnvironment(testApp), PORT: '0', LOG_LEVEL },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    },
  )
  const ended = once(both, 'exit').then(([code, signal]) => {
    throw new Error(`server and worker ended before they were ready: ${code ?? signal}`)
  })
  ended.catch(() => undefined)
  const [said] = await Promise.race([once(both, 'message') as Promise<[{ url: string }]>, ended])
  return {
    url: said.url,
    inside: `/proc/${both.pid}/root${testApp.dir}`,
    /** Closes the IPC channel of both, as when their supervisor dies. */
    stop: async () => {
      both.disconnect()
      await once(both, 'exit')
    },
  }
}

export async function stopProcess(worker: ChildProcess, signal: NodeJS.Signals) {
  const ended = once(worker, 'exit')
  worker.kill(signal)
  const [code] = await ended
  return code as number | null
}

/** Command lines of running processes that contain the text. */
export async function processesAbout(text: string) {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(text)).map((line) => line.replaceAll('\0', ' '))
}

export interface Finished {
  code: number | null
  out: string
  err: string
}
/** Runs an operator command in its own process, as a script does. */
export async function commandProcess(
  testApp: Installation,
  args: string[],
  env: Record<string, string> = {},
): Promise<Finished> {
  const command = spawn(process.execPath, [program(testApp, 'commands'), ...args], {
    env: { ...processEnvironment(testApp), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([
    textOf(command.stdout),
    textOf(command.stderr),
    once(command, 'close'),
  ])
  return { code, out, err }
}
async function textOf(stream: AsyncIterable<Buffer>) {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

let isRunning = false
/**
 * The operators' command in this process, which saves the start of one. Throws when another one runs: their
 * environment and output are the process's. That of another release runs in a process of its own.
 */
export async function operatorCommand(
  testApp: Installation,
  args: string[],
  env: Record<string, string> = {},
): Promise<Finished> {
  if (testApp.root !== undefined) return commandProcess(testApp, args, env)
  if (isRunning) throw new Error('commands that run beside each other need processes (commandProcess)')
  isRunning = true
  const { stdout, stderr, exitCode } = process
  const [itsEnv, out, err] = [process.env, gathered(stdout), gathered(stderr)]
  process.env = { ...processEnvironment(testApp), ...env }
  process.exitCode = undefined
  try {
    await runProgram(args)
    return { code: Number(process.exitCode ?? 0), out: out.text(), err: err.text() }
  } finally {
    out.end()
    err.end()
    process.env = itsEnv
    process.exitCode = exitCode
    isRunning = false
  }
}
function gathered(stream: NodeJS.WriteStream) {
  const { write } = stream
  let text = ''
  stream.write = (chunk: string | Uint8Array) => {
    text += String(chunk)
    return true
  }
  return {
    text: () => text,
    end() {
      stream.write = write
    },
  }
}
