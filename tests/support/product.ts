import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const START_MS = 60_000

type SupervisorMessage =
  | { type: 'ready'; url: string }
  | { type: 'child'; name: 'server' | 'worker'; pid: number }

/** The whole product as `npm start` runs it, on a state folder and a port of its own. */
export async function startProduct(env: Record<string, string> = {}, args: string[] = []) {
  const dir = env.DATA_DIR ?? temporaryFolder('produto')
  const firstSuperuser = { email: 'chefe@garantia.test', password: 'senha-do-primeiro-acesso' }
  const product = spawn(process.execPath, [join(ROOT, 'server/src/standalone.ts'), ...args], {
    env: {
      ...process.env,
      DATABASE_URL: '',
      DATA_DIR: dir,
      PORT: String(await freePort()),
      FIRST_SUPERUSER: firstSuperuser.email,
      FIRST_SUPERUSER_PASSWORD: firstSuperuser.password,
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
  let output = ''
  for (const stream of [product.stdout, product.stderr]) {
    stream?.on('data', (text) => {
      output += text
    })
  }

  const pids = new Map<string, number>()
  const ended = new Promise<number | null>((resolve) => product.once('exit', resolve))
  let url = ''
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`O produto ${why}:\n${output}`))
    const late = setTimeout(() => fail('não ficou pronto a tempo'), START_MS)
    product.on('message', (said: SupervisorMessage) => {
      if (said.type === 'ready') url = said.url
      else pids.set(said.name, said.pid)
      if (url && pids.has('worker')) resolve(clearTimeout(late))
    })
    void ended.then((code) => fail(`encerrou com o código ${code}`)).finally(() => clearTimeout(late))
  })

  const pidOf = (name: 'server' | 'worker') => {
    const pid = pids.get(name)
    if (pid === undefined) throw new Error(`${name} ainda não foi iniciado`)
    return pid
  }
  return {
    url,
    dir,
    firstSuperuser,
    ended,
    pid: product.pid ?? 0,
    output: () => output,
    serverPid: () => pidOf('server'),
    workerPid: () => pidOf('worker'),
    /** The supervisor starts another one by itself. */
    kill9Worker: () => process.kill(pidOf('worker'), 'SIGKILL'),
    /** Ends it in order and removes its folder; gives the exit code. */
    async stop({ keep = false } = {}) {
      if (product.connected) product.send('stop')
      const code = await ended
      if (!keep) rmSync(dir, { recursive: true, force: true })
      return code
    },
  }
}

export function freePort() {
  return new Promise<number>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
