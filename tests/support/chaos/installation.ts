import type { ChildProcess } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '@garantia/server/postgres'
import {
  type Installation,
  spawnOnSmallDisk,
  spawnServer,
  spawnWorker,
  stopProcess,
} from '../../jobs/process.ts'
import { type BadNetwork, badNetwork } from '../bad-network.ts'
import { s3Server } from '../s3-server.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const PASSWORD = 'senha-do-caos'
const SMALL_DISK_MB = 64
/** What the workers say, for whoever looks for a cause. */
const LOGS = fileURLToPath(new URL('../../.artifacts/chaos', import.meta.url))

/** A process that is started again whenever it has ended, as a supervisor does. */
export interface Supervised {
  name: string
  /** Undefined between its end and its next start. */
  process: ChildProcess | undefined
  /** Of a server, as clients reach it. */
  url: string | undefined
}

/** Host and port as a network knows them. */
const addressOf = (url: string) => url.replace('postgres:', 'http:')

export type ChaosInstallation = Awaited<ReturnType<typeof startInstallation>>

/**
 * PostgreSQL, a bucket, servers and workers, each with a folder and with connections of its own that can be cut: of the
 * last server and worker the folder is on a disk of 64 MB.
 */
export async function startInstallation({ servers, workers }: { servers: number; workers: number }) {
  const dir = temporaryFolder('caos')
  rmSync(LOGS, { recursive: true, force: true })
  mkdirSync(LOGS, { recursive: true })
  const postgresDir = join(dir, 'postgres')
  let postgres = await startPostgres({ dir: postgresDir })
  const bucket = await s3Server()
  const links = new Map<string, BadNetwork>()
  let isEnding = false
  let restarted = Promise.resolve()

  async function linkTo(name: string, target: string) {
    const link = await badNetwork(target)
    links.set(name, link)
    return link.url
  }
  /** The environment of one process: its own connections to database and bucket. */
  async function placeOf(name: string): Promise<Installation> {
    const through = new URL(await linkTo(`${name}–postgres`, addressOf(postgres.url)))
    const on = (url: string) => Object.assign(new URL(url), { host: through.host }).href
    const own = join(dir, name)
    await mkdir(own, { recursive: true })
    return {
      url: on(postgres.url),
      dir: own,
      environment: {
        ...bucket.environment,
        S3_ENDPOINT: await linkTo(`${name}–bucket`, bucket.url),
        MIGRATION_DATABASE_URL: on(postgres.owner_url),
        FIRST_SUPERUSER: 'admin',
        FIRST_SUPERUSER_PASSWORD: PASSWORD,
        PHOTO_READING: 'false',
        UPLOAD_RESERVE_MB: '1',
      },
    }
  }

  const supervised: Supervised[] = []
  /** Starts it until it runs, and again after each end. */
  async function supervise(name: string, start: () => Promise<{ process: ChildProcess; url?: string }>) {
    const one: Supervised = { name, process: undefined, url: undefined }
    supervised.push(one)
    const link = { opened: false }
    const log = join(LOGS, `${name}.log`)
    const begin = async () => {
      for (;;) {
        if (isEnding) return
        const started = await start().catch(() => undefined)
        if (!started) {
          await wait(500)
          continue
        }
        one.process = started.process
        if (started.url && !link.opened) one.url = await linkTo(`clientes–${name}`, started.url)
        else if (started.url) links.get(`clientes–${name}`)?.retarget(started.url)
        link.opened = true
        started.process.stdout?.on('data', (lines) => appendFileSync(log, lines))
        appendFileSync(log, `\n${new Date().toISOString()} pid ${started.process.pid}\n`)
        started.process.once('exit', () => {
          one.process = undefined
          void begin()
        })
        return
      }
    }
    await begin()
  }

  for (let n = 1; n < servers; n++) {
    const place = await placeOf(`servidor${n}`)
    await supervise(`servidor${n}`, () => spawnServer(place, { LOG_LEVEL: 'error' }))
  }
  for (let n = 1; n < workers; n++) {
    const place = await placeOf(`worker${n}`)
    await supervise(`worker${n}`, async () => ({ process: await spawnWorker(place) }))
  }
  const small = await placeOf('pequeno')
  const onSmallDisk = await spawnOnSmallDisk(small, SMALL_DISK_MB, 'error')
  const smallUrl = await linkTo('clientes–pequeno', onSmallDisk.url)

  return {
    password: PASSWORD,
    /** As clients reach the servers. */
    urls: () => [...supervised.flatMap(({ url }) => url ?? []), smallUrl],
    supervised,
    links,
    /** The folder on the small disk, from outside. */
    smallDisk: onSmallDisk.inside,
    /** For operator commands: without a link that may be cut. */
    direct: (): Installation => ({
      url: postgres.owner_url,
      dir: join(dir, 'servidor1'),
      environment: { ...bucket.environment, LOG_LEVEL: 'fatal' },
    }),
    database: () => postgres.owner_url,
    admin: () => postgres.admin_url,
    dir,
    /** Ends PostgreSQL and starts it again, one end after the other. */
    restartPostgres(how: 'fast' | 'kill') {
      restarted = restarted.then(async () => {
        if (how === 'fast') await postgres.stop()
        else process.kill(postgres.pid, 'SIGKILL')
        await postgres.ended
        postgres = await startPostgres({ dir: postgresDir })
        for (const [name, link] of links)
          if (name.endsWith('–postgres')) link.retarget(addressOf(postgres.url))
      })
      return restarted
    },
    /** Repairs every connection and lets every process go on. */
    heal() {
      for (const link of links.values()) {
        link.slow(0)
        link.cut()
        link.restore()
      }
      for (const { process } of supervised) process?.kill('SIGCONT')
    },
    async [Symbol.asyncDispose]() {
      isEnding = true
      for (const { process } of supervised) {
        process?.kill('SIGCONT')
        if (process) await stopProcess(process, 'SIGKILL')
      }
      await onSmallDisk.stop()
      for (const link of links.values()) await link.close()
      await postgres.stop()
      await bucket[Symbol.asyncDispose]()
      await rm(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
