import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/product.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isQuick, options } from './options.ts'
import { record } from './record.ts'
import { MB, median } from './support.ts'

/** `npm start` on a folder that has been used before, and the memory of its processes (goals P11 and P15). */
const ROUNDS = options.rounds ?? (isQuick ? 1 : 3)
/** Memory of a start is given back within this time. */
const IDLE_MS = isQuick ? 1_000 : 30_000
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const dir = temporaryFolder('partida')
const port = await freePort()
const url = `http://127.0.0.1:${port}`

async function start() {
  const began = performance.now()
  const product = spawn(process.execPath, [join(ROOT, 'server/launch.mjs'), 'start'], {
    env: { ...process.env, DATABASE_URL: '', DATA_DIR: dir, PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: 'ignore',
    detached: true,
  })
  const ended = new Promise<void>((resolve) => product.once('exit', () => resolve()))
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  while (!hasEnded) {
    const isServing = await fetch(`${url}/api/v1/utils/health-check/`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isServing) break
    await sleep(10)
  }
  if (hasEnded) throw new Error('npm start ended')
  const ms = performance.now() - began
  const stop = async () => {
    product.kill('SIGTERM')
    await ended
  }
  return { ms, pid: product.pid ?? 0, stop }
}

interface Process {
  pid: number
  parent: number
  command: string
  rss: number
  /** Without pages of files that processes share, as those of Node itself. */
  own: number
}
/** Every process; none without /proc. */
function processes(): Process[] {
  if (!existsSync('/proc')) return []
  return readdirSync('/proc').flatMap((name) => {
    try {
      const status = readFileSync(`/proc/${Number(name)}/status`, 'utf8')
      const field = (title: string) => Number(new RegExp(`^${title}:\\s+(\\d+)`, 'm').exec(status)?.[1])
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return [
        {
          pid: Number(name),
          parent: field('PPid'),
          command,
          rss: field('VmRSS') * 1024,
          own: field('RssAnon') * 1024,
        },
      ]
    } catch {
      return []
    }
  })
}

/** The launcher, the supervisor that it starts, and the two below. */
function memoryOf(launcher: number) {
  const all = processes()
  const below = (pid: number): Process[] =>
    all.filter(({ parent }) => parent === pid).flatMap((one) => [one, ...below(one.pid)])
  const family = below(launcher)
  const named = (part: string) => family.find(({ command }) => command.includes(part))
  return {
    launcher: all.find(({ pid }) => pid === launcher),
    supervisor: named('standalone.ts'),
    server: named('/server.js'),
    worker: named('/worker.js'),
  }
}

try {
  await (await start()).stop()
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { ms, pid, stop } = await start()
    times.push(ms)
    if (round === ROUNDS - 1) {
      await sleep(IDLE_MS)
      for (const [name, found] of Object.entries(memoryOf(pid)))
        if (found)
          record(
            { name: `idle memory, ${name}`, unit: 'MB', product: found.rss / MB },
            { name: `idle memory, ${name}, own pages`, unit: 'MB', product: found.own / MB },
          )
    }
    await stop()
  }
  record({ name: 'npm start, warm', unit: 'ms', product: median(times) })
} finally {
  rmSync(dir, { recursive: true, force: true })
}
