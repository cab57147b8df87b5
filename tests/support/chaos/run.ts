import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { backUpUnderLoad, checkRestored } from './backup.ts'
import { faultsOf } from './faults.ts'
import { startInstallation } from './installation.ts'
import { type Load, startLoad } from './load.ts'
import { checkPromises, type Outcome } from './promises.ts'
import { randomOf } from './random.ts'

export interface ChaosPlan {
  seconds: number
  servers: number
  workers: number
  /** Repeats faults and their order, not their moments. */
  seed: number
  /** How long nothing may advance once nothing fails any more, in seconds. */
  patience: number
  /** How long a client waits after each upload. */
  pause_ms?: number
  /** Whether a backup is made meanwhile, and restored at the end. */
  backsUp?: boolean
}
export interface ChaosReport extends Outcome {
  seed: number
  /** How often each fault struck. */
  faults: Record<string, number>
  answers: Load['answers']
  acknowledged: number
  /** How often a backup was begun until it was complete, and what had been acknowledged by then. */
  backup: { attempts: number; known: number } | null
}

/** Lets an installation work under load while it is being broken, repairs it, and checks what it has promised. */
export async function runChaos({
  seconds,
  servers,
  workers,
  seed,
  patience,
  pause_ms = 0,
  backsUp = false,
}: ChaosPlan): Promise<ChaosReport> {
  const random = randomOf(seed)
  await using installation = await startInstallation({ servers, workers })
  const target = { password: installation.password, urls: installation.urls, sharesPieces: false, pause_ms }
  const load = await startLoad(target, 8, randomOf(seed + 1))
  const faults = faultsOf(installation, random)
  const struck: Record<string, number> = {}
  const ends = Date.now() + seconds * 1_000
  const running = new Set<Promise<void>>()
  const half = wait(seconds * 500).then(() =>
    backsUp ? backUpUnderLoad(installation.direct(), join(installation.dir, 'copias'), load) : null,
  )
  // Each fault once before any is repeated.
  let left: typeof faults = []
  // On a slow machine until a server has stored something: else there would be nothing to lose.
  const hasStored = () => load.acknowledged.length > 0 || Date.now() > ends + patience * 1_000
  while (Date.now() < ends || !hasStored()) {
    if (left.length === 0) left = [...faults]
    const [fault] = left.splice(Math.floor(random() * left.length), 1)
    if (!fault) continue
    struck[fault.name] = (struck[fault.name] ?? 0) + 1
    const strike = fault.strike().finally(() => running.delete(strike))
    running.add(strike)
    // Two at a time at most: the next comes while this one lasts.
    await wait(1_000 + random() * 2_000)
    if (running.size >= 2) await Promise.race(running)
  }
  await Promise.all(running)
  installation.heal()
  const backup = await half
  await load.end()
  const { acknowledged, answers } = load
  const outcome = await checkPromises({
    ...{ target, load, patience },
    database_url: installation.database(),
    installation: installation.direct(),
  })
  // Not in the bucket of the one that was broken.
  const machine = { ...installation.direct(), environment: {} }
  if (backup) outcome.broken.push(...(await checkRestored(machine, installation.admin(), backup)))
  return {
    seed,
    faults: struck,
    answers,
    acknowledged: acknowledged.length,
    backup: backup && { attempts: backup.attempts, known: backup.known.length },
    ...outcome,
  }
}
