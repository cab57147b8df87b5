import type { ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startPostgres } from '@garantia/server/postgres'
import { expect, test } from 'vitest'
import { type Installation, spawnServer, spawnWorker, stopProcess } from '../jobs/process.ts'
import { backUpUnderLoad, checkRestored } from '../support/chaos/backup.ts'
import { startLoad } from '../support/chaos/load.ts'
import { checkPromises } from '../support/chaos/promises.ts'
import { randomOf } from '../support/chaos/random.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A clone of the release before, with its packages installed (`npm run build` there). */
const OLD = process.env.UPGRADE_FROM
const PASSWORD = 'senha-da-troca'
const PAUSE_MS = 4_000

test('servers and workers are replaced one by one under load, and one step back, without a failed request; a backup of the former is restored', {
  timeout: 900_000,
}, async () => {
  if (!OLD) throw new Error('UPGRADE_FROM names no clone of the release before')
  const dir = temporaryFolder('troca')
  const postgres = await startPostgres({ dir: join(dir, 'postgres') })
  const data = join(dir, 'dados')
  mkdirSync(data)
  const installation: Installation = {
    url: postgres.url,
    dir: data,
    environment: {
      ...{ MIGRATION_DATABASE_URL: postgres.owner_url, PHOTO_READING: 'false' },
      ...{ FIRST_SUPERUSER: 'admin', FIRST_SUPERUSER_PASSWORD: PASSWORD },
    },
  }
  const operated: Installation = { url: postgres.owner_url, dir: data, environment: { LOG_LEVEL: 'fatal' } }
  const old = { root: OLD }
  const running = new Set<ChildProcess>()
  function keep(child: ChildProcess) {
    running.add(child)
    child.once('exit', () => running.delete(child))
    return child
  }
  async function startServer(release: Pick<Installation, 'root'> = {}) {
    const { process: child, url } = await spawnServer({ ...installation, ...release })
    return { child: keep(child), url }
  }
  const startWorker = async (release: Pick<Installation, 'root'> = {}) =>
    keep(await spawnWorker({ ...installation, ...release }))
  /** Requests go elsewhere before a server is asked to end, as a proxy that asks /readyz does. */
  async function retire(one: { child: ChildProcess; url: string }) {
    urls.splice(urls.indexOf(one.url), 1)
    await wait(1_000)
    expect(await stopProcess(one.child, 'SIGTERM')).toBe(0)
  }
  const urls: string[] = []
  try {
    const before = [await startServer(old), await startServer(old)] as const
    const oldWorker = await startWorker(old)
    urls.push(before[0].url, before[1].url)
    const target = { password: PASSWORD, urls: () => urls, sharesPieces: true }
    const load = await startLoad(target, 6, randomOf(1))
    await wait(PAUSE_MS)
    const backup = await backUpUnderLoad({ ...operated, ...old }, join(dir, 'copias'), load)
    for (const one of before) {
      urls.push((await startServer()).url)
      await retire(one)
      await wait(PAUSE_MS)
    }
    const newWorker = await startWorker()
    await stopProcess(oldWorker, 'SIGTERM')
    await wait(PAUSE_MS)
    // One step back, on the database as it is now.
    const back = await startServer(old)
    urls.push(back.url)
    const workerBack = await startWorker(old)
    await stopProcess(newWorker, 'SIGTERM')
    await wait(PAUSE_MS)
    await retire(back)
    await load.end()
    const outcome = await checkPromises({
      ...{ target, load, installation: operated, patience: 120 },
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
    // The former's backup, restored by this one.
    expect(backup.known.length).toBeGreaterThan(5)
    expect(await checkRestored(operated, postgres.admin_url, backup)).toEqual([])
    expect(load.acknowledged.length).toBeGreaterThan(20)
  } finally {
    for (const child of running) child.kill('SIGKILL')
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
})
