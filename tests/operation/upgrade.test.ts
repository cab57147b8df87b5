import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '@garantia/server/postgres'
import { expect, test } from 'vitest'
import { type Installation, stopProcess } from '../jobs/process.ts'
import { startLoad } from '../support/chaos/load.ts'
import { checkPromises } from '../support/chaos/promises.ts'
import { randomOf } from '../support/chaos/random.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { DOSSIER_KEY, SIGNING_KEY } from '../support/test-app.ts'

const NEW = fileURLToPath(new URL('../..', import.meta.url))
/** A clone of the release before, with its packages installed (`npm run build` there). */
const OLD = process.env.UPGRADE_FROM
const PASSWORD = 'senha-da-troca'
const PAUSE_MS = 4_000

test('servers and workers are replaced one by one under load, and one step back, without a failed request', {
  timeout: 300_000,
}, async () => {
  if (!OLD) throw new Error('UPGRADE_FROM names no clone of the release before')
  const dir = temporaryFolder('troca')
  const postgres = await startPostgres({ dir: join(dir, 'postgres') })
  const data = join(dir, 'dados')
  mkdirSync(data)
  const env = {
    ...process.env,
    ...{ DATABASE_URL: postgres.url, MIGRATION_DATABASE_URL: postgres.owner_url, DATA_DIR: data },
    ...{ SIGNING_KEY, DOSSIER_KEY, PORT: '0', LOG_LEVEL: 'warn', PROGRAMS_DIR: undefined },
    ...{ FIRST_SUPERUSER: 'admin', FIRST_SUPERUSER_PASSWORD: PASSWORD, PHOTO_READING: 'false' },
  }
  const running = new Set<ChildProcess>()
  function start(root: string, program: 'server' | 'worker') {
    const child = spawn(process.execPath, [join(root, program, 'src/main.ts')], {
      env: { ...env, ...(program === 'worker' && { LOG_LEVEL: 'info' }) },
      stdio: ['ignore', program === 'worker' ? 'pipe' : 'inherit', 'inherit', 'ipc'],
    })
    running.add(child)
    child.once('exit', () => running.delete(child))
    return child
  }
  async function startServer(root: string) {
    const child = start(root, 'server')
    const [said] = await Promise.race([
      once(child, 'message') as Promise<[{ url: string }]>,
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`a server ended: ${code}`))),
    ])
    return { child, url: said.url }
  }
  async function startWorker(root: string) {
    const child = start(root, 'worker')
    for await (const chunk of child.stdout ?? []) if (String(chunk).includes('"pronto"')) break
    child.stdout?.resume()
    return child
  }
  /** Requests go elsewhere before a server is asked to end, as a proxy that asks /readyz does. */
  async function retire(one: { child: ChildProcess; url: string }) {
    urls.splice(urls.indexOf(one.url), 1)
    await wait(1_000)
    expect(await stopProcess(one.child, 'SIGTERM')).toBe(0)
  }
  const urls: string[] = []
  try {
    const before = [await startServer(OLD), await startServer(OLD)] as const
    const oldWorker = await startWorker(OLD)
    urls.push(before[0].url, before[1].url)
    const target = { password: PASSWORD, urls: () => urls, sharesPieces: true }
    const load = await startLoad(target, 6, randomOf(1))
    await wait(PAUSE_MS)
    for (const one of before) {
      urls.push((await startServer(NEW)).url)
      await retire(one)
      await wait(PAUSE_MS)
    }
    const newWorker = await startWorker(NEW)
    await stopProcess(oldWorker, 'SIGTERM')
    await wait(PAUSE_MS)
    // One step back, on the database as it is now.
    const back = await startServer(OLD)
    urls.push(back.url)
    const workerBack = await startWorker(OLD)
    await stopProcess(newWorker, 'SIGTERM')
    await wait(PAUSE_MS)
    await retire(back)
    await load.end()
    const installation: Installation = {
      url: postgres.owner_url,
      dir: data,
      environment: { LOG_LEVEL: 'fatal' },
    }
    const outcome = await checkPromises({
      ...{ target, load, installation, patience: 120 },
      database_url: postgres.owner_url,
    })
    console.info(
      JSON.stringify({ acknowledged: load.acknowledged.length, answers: load.answers, ...outcome }, null, 1),
    )
    await stopProcess(workerBack, 'SIGTERM')
    const failed = Object.entries(load.answers).flatMap(([name, counts]) =>
      Object.keys(counts).flatMap((status) =>
        status === '0' || status >= '500' ? `${name}: ${status}` : [],
      ),
    )
    expect(failed).toEqual([])
    expect(outcome.broken).toEqual([])
    expect(load.acknowledged.length).toBeGreaterThan(20)
  } finally {
    for (const child of running) child.kill('SIGKILL')
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
})
