import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChildScript } from './child-script.ts'
import { freePort } from './product.ts'

const module = fileURLToPath(import.meta.resolve('@garantia/server/standalone'))

/** Logs its lifecycle, and whether the database still accepts connections when it is stopped. */
const LIFECYCLE_LOG_SCRIPT = `
  import { appendFileSync } from 'node:fs'
  import { createConnection } from 'node:net'
  const { DATABASE_URL, DATA_DIR, PORT, STUBBORN } = process.env
  const write = (what) => appendFileSync(DATA_DIR + '/tmp/diary', name + ' ' + what + '\\n')
  const database = () => new Promise((resolve) => {
    const socket = createConnection(Number(new URL(DATABASE_URL).port), '127.0.0.1')
    socket.on('connect', () => resolve('with database')).on('error', () => resolve('without database'))
  })
  write('starts ' + await database())
  process.on('SIGTERM', async () => {
    if (name === STUBBORN) return write('does not want to stop')
    write('stops ' + await database())
    process.exit()
  })
  process.on('disconnect', () => { write('is left alone'); process.exit() })`

const SERVER = `const name = 'server'
  ${LIFECYCLE_LOG_SCRIPT}
  import { createServer } from 'node:http'
  createServer((_request, reply) => reply.end('true')).listen(Number(PORT), '127.0.0.1', () => {
    process.send({ type: 'ready', url: 'http://127.0.0.1:' + PORT, first_superuser: null })
  })`

/** With a child of its own, like an ffmpeg. */
const WORKER = `const name = 'worker'
  ${LIFECYCLE_LOG_SCRIPT}
  import { spawn } from 'node:child_process'
  const helper = spawn('sleep', ['300'], { stdio: 'ignore' })
  write('has helper ' + helper.pid)`

const CRASHING_SCRIPT = 'process.exit(3)'

/** The real supervisor and database, with small programs in place of server and worker. */
export async function fakeProcesses(folder: string) {
  const scripts = {
    migrate: join(folder, 'migrate.mjs'),
    server: join(folder, 'server.mjs'),
    worker: join(folder, 'worker.mjs'),
  }
  writeFileSync(scripts.migrate, '')
  writeFileSync(scripts.server, SERVER)
  writeFileSync(scripts.worker, WORKER)
  const crashingServer = join(folder, 'hopeless.mjs')
  writeFileSync(crashingServer, CRASHING_SCRIPT)
  const dir = join(folder, 'state')
  mkdirSync(dir, { recursive: true })
  const port = await freePort()

  return {
    dir,
    port,
    lifecycleLog: () => readFileSync(join(dir, 'tmp/diary'), 'utf8').trim().split('\n'),
    database_port: () => Number(JSON.parse(readFileSync(join(dir, 'secrets.json'), 'utf8')).database.port),
    start: ({ env = {}, ignoreSigtermIn = '', isServerCrashing = false } = {}) =>
      runChildScript(
        folder,
        `const { startProduct } = await import(${JSON.stringify(module)})
         const product = await startProduct({
           root: '/', watch: false, scripts: args.scripts, limits: args.limits,
           env: { PATH: process.env.PATH, ...args.env },
           say: (line) => tell('line', line),
           onReady: (message) => tell('ready', message),
           onStart: (name, pid) => tell(name, pid),
           onStartFailed: () => product.stop().then(() => process.exit(1)),
         })
         told('stop', () => product.stop().then(() => process.exit(0)))
         process.on('disconnect', () => product.stop().then(() => process.exit(0)))`,
        {
          scripts: isServerCrashing ? { ...scripts, server: crashingServer } : scripts,
          limits: { server_ms: 2_000, worker_ms: 1_000 },
          env: { DATA_DIR: dir, PORT: String(port), STUBBORN: ignoreSigtermIn, ...env },
        },
      ),
  }
}

/** Whether a process listens on this port. */
export const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('connect', () => resolve(socket.destroy() !== undefined)).once('error', () => resolve(false))
  })
