import { requestAllConversions } from '@garantia/server/features/evidence/conversion'
import { liveFiles } from '@garantia/server/features/evidence/files'
import { dossiersOf } from '@garantia/server/features/orders/dossier-request'
import { changeOrder, openOrder, readOrder, setStatus } from '@garantia/server/features/orders/order'
import { demoStillExists } from '@garantia/server/features/system/demo'
import { type Ctx, postponeJob, removeJob } from '@garantia/server/kernel'
import { conversionJobKey } from '@garantia/shared/jobs'
import { ORDER_STATUSES } from '@garantia/shared/orders/status'
import type { Decoders } from '../decoder/decoders.ts'
import { buildDossier } from '../tasks/build-dossier.ts'
import { convertEvidence } from '../tasks/convert-evidence.ts'
import { previewEvidence } from '../tasks/preview-evidence.ts'
import { simulateClaims } from './claim-simulation.ts'
import type { DrawingProcess } from './drawing-process.ts'
import {
  type DemoFile,
  type DrawnFile,
  demoFilesFor,
  drawFiles,
  type Extra,
  uploadFiles,
} from './evidence.ts'
import type { PlannedOrder } from './plan.ts'
import { type SeededRandom, seededRandom } from './random.ts'
import type { DemoEntities } from './setup.ts'
import { createSimulatedClock, runAtSimulatedTime, type SimulatedClock } from './simulated-clock.ts'

export interface DemoContext {
  ctx: Ctx
  entities: DemoEntities
  drawingProcess: DrawingProcess
  decoders: Decoders
  ffmpeg_path: string
  signal: AbortSignal
}

const DAY_MINUTES = 24 * 60
const HOUR_MS = 3_600_000

/**
 * Takes one order from its opening to its planned status, through the use cases that people and workers use,
 * each at its simulated time. False when the demonstration was removed meanwhile.
 */
export function simulateOrder(demo: DemoContext, order: PlannedOrder, index: number): Promise<boolean> {
  const random = seededRandom(`${order.seed} life`)
  const brand = demo.entities.brand(order.brand)
  // planOrders puts the newest order of each status first. The ready one gets fine photos, a video and, where the
  // brand takes more than ten files, a technical report.
  const isFirst = order.status === 'ready' && index < ORDER_STATUSES.length
  const extra: Extra = {
    ffmpeg_path: demo.ffmpeg_path,
    isHighResolution: isFirst,
    reusesPhoto: order.status === 'in_analysis' && random.happens(0.15),
    hasVideo: isFirst || random.happens(0.06),
    hasTechnicalReport: (isFirst || random.happens(0.2)) && brand.max_evidence_count > 10,
  }
  const wanted = chosenFiles(order, demoFilesFor(order, brand, extra), random.whole(0, 3))
  return demo.ctx.scratch.within('demonstracao', async (dir) => {
    const drawn = await drawFiles(wanted, demo.drawingProcess, dir, demo.signal)
    const clock = createSimulatedClock(order.opened_at)
    return runAtSimulatedTime(demo.ctx, clock, async (ctx) => {
      if (!(await demoStillExists(ctx))) return false
      await simulateSteps({ ...demo, ctx }, order, brand.id, drawn, clock, random)
      return true
    })
  })
}

async function simulateSteps(
  demo: DemoContext,
  order: PlannedOrder,
  brand_id: number,
  drawn: DrawnFile[],
  clock: SimulatedClock,
  random: SeededRandom,
) {
  const { ctx } = demo
  const technician = { ...ctx, actor: demo.entities.person(order.technician) }
  const manager = { ...ctx, actor: demo.entities.person(order.manager) }
  const { paint: _, ...vehicle } = order.vehicle
  const { id } = await openOrder(technician, {
    os_number: order.os_number,
    brand_id,
    company_id: technician.actor.company_id ?? 0,
    ...vehicle,
    ...order.customer,
    technician_user_id: technician.actor.id,
    ...(seededRandom(`${order.seed} responsible`).happens(0.7) && { responsible_user_id: manager.actor.id }),
    problem_description: order.complaint.problem,
  })
  clock.advance(random.whole(25, 240))
  const files = await uploadFiles(technician, id, drawn, clock)
  for (const evidence_id of files)
    await runJobHere(demo, `preview:${evidence_id}`, previewEvidence(demo.decoders), { evidence_id })
  if (files.length > 0 && order.status !== 'pending_upload') {
    if (order.status !== 'pending') await recordDiagnosis(technician, id, order, clock, random)
    if (order.status !== 'cancelled') await convert(demo, technician, id, order, files, clock)
  }
  await finishOrder(demo, { technician, manager }, order, id, clock)
}

/** Records diagnosis, solution, replaced part and costs. */
async function recordDiagnosis(
  technician: Ctx,
  id: number,
  { complaint }: PlannedOrder,
  clock: SimulatedClock,
  random: SeededRandom,
) {
  clock.advance(random.whole(60, 2 * DAY_MINUTES))
  const { diagnosis, solution, part, parts_value, service_value } = complaint
  await changeOrder(technician, {
    id,
    change: {
      diagnosis,
      solution_applied: solution,
      parts_replaced: `${part.name} (${part.number})`,
      parts_value: random.whole(...parts_value),
      service_value: random.whole(...service_value),
    },
  })
}

async function convert(
  demo: DemoContext,
  technician: Ctx,
  id: number,
  order: PlannedOrder,
  files: number[],
  clock: SimulatedClock,
) {
  clock.advance(3)
  await requestAllConversions(technician, id)
  // Left to the worker, so that users see conversions: the first immediately, the others over the next hours.
  if (order.status === 'in_progress') return keepWaiting(technician, files.slice(1), order)
  const run = async (evidence_id: number) => {
    clock.advance(0.2)
    await runJobHere(demo, conversionJobKey(evidence_id), convertEvidence(demo.decoders), { evidence_id })
  }
  for (const evidence_id of files) await run(evidence_id)
  // The re-encode pass may have queued some of them again.
  for (const { id: evidence_id, status } of await liveFiles(technician, id))
    if (status === 'converting') await run(evidence_id)
}

/** Hours after the start during which orders in conversion can be seen. */
const SHOWN_HOURS = 8
async function keepWaiting(ctx: Ctx, files: number[], { seed }: PlannedOrder) {
  const random = seededRandom(`${seed} wait`)
  for (const evidence_id of files) {
    const until = new Date(Date.now() + random.between(0.2, SHOWN_HOURS) * HOUR_MS)
    await postponeJob(ctx, conversionJobKey(evidence_id), until)
  }
}

/** An order waiting for files has some of them or none, a pending one few or one that cannot be converted. */
function chosenFiles(order: PlannedOrder, files: DemoFile[], count: number): DemoFile[] {
  const damaged = (list: DemoFile[]) =>
    list.map((file, index) => (index === 0 ? { ...file, isDamaged: true } : file))
  switch (order.status) {
    case 'created':
      return []
    case 'pending_upload':
      return files.slice(0, count)
    case 'pending':
      return count === 0 ? damaged(files.slice(0, 3)) : files.slice(0, count + 1)
    case 'cancelled':
      return files.slice(0, Math.max(0, count - 1))
    default:
      return files
  }
}

/** Runs a job of this order here and at its simulated time, instead of in the worker and now. */
async function runJobHere<P>(
  { ctx, signal }: DemoContext,
  key: string,
  job: (
    ctx: Ctx,
    payload: P,
    run: { signal: AbortSignal; attempts: number; lastTry: boolean },
  ) => Promise<void>,
  payload: P,
) {
  signal.throwIfAborted()
  await removeJob(ctx, key)
  await job(ctx, payload, { signal, attempts: 1, lastTry: true })
}

const CANCELLATION_REASONS = [
  'Cliente retirou o veículo sem autorizar o reparo.',
  'Veículo fora do prazo de garantia.',
  'OS aberta em duplicidade.',
]

async function finishOrder(
  demo: DemoContext,
  by: { technician: Ctx; manager: Ctx },
  order: PlannedOrder,
  id: number,
  clock: SimulatedClock,
) {
  const random = seededRandom(`${order.seed} end`)
  if (order.status === 'pending_upload' && random.happens(0.5)) {
    clock.advance(30)
    await setStatus(by.technician, id, { status: 'pending_upload' })
  }
  if (order.status === 'pending' || order.status === 'in_analysis') {
    clock.advance(random.whole(30, DAY_MINUTES))
    await setStatus(by.manager, id, { status: order.status })
  }
  if (order.status === 'cancelled') {
    clock.advance(random.whole(1, 6) * DAY_MINUTES)
    await setStatus(by.manager, id, { status: 'cancelled', reason: random.oneOf(CANCELLATION_REASONS) })
  }
  if (order.status === 'completed') {
    clock.advance(random.whole(1, 9) * DAY_MINUTES)
    await setStatus(by.manager, id, { status: 'completed', accepts_problems: true })
    for (const { id: dossier_id } of await dossiersOf(by.manager, id)) {
      clock.advance(1)
      await runJobHere(demo, `dossier:${dossier_id}`, buildDossier(demo.decoders), { dossier_id })
    }
    await simulateClaims(by.manager, { id, ...order, ...(await costsOf(by.manager, id)) }, order.story, clock)
  }
}

async function costsOf(ctx: Ctx, id: number) {
  const { parts_value, service_value } = await readOrder(ctx, id)
  return { parts_value: Number(parts_value), service_value: Number(service_value) }
}
