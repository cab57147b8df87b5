import { requestAll } from '@garantia/server/features/evidence/conversion'
import { liveFiles } from '@garantia/server/features/evidence/files'
import { dossiersOf } from '@garantia/server/features/orders/dossier-request'
import { changeOrder, openOrder, setStatus } from '@garantia/server/features/orders/order'
import { isDemoStill } from '@garantia/server/features/system/demo'
import { type Ctx, postpone, withdraw } from '@garantia/server/kernel'
import { conversionJobKey } from '@garantia/shared/jobs'
import { ORDER_STATUSES } from '@garantia/shared/orders/status'
import type { MediaTools } from '../media/media.ts'
import { buildDossier } from '../tasks/build-dossier.ts'
import { convertEvidence } from '../tasks/convert-evidence.ts'
import { previewEvidence } from '../tasks/preview-evidence.ts'
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
  media: MediaTools
  ffmpeg_path: string
  signal: AbortSignal
}

const DAY_MINUTES = 24 * 60
const HOUR_MS = 3_600_000

/**
 * Lives one order from its opening to where it is now, by the use cases that people and workers use, each
 * at its time. False when the demonstration was removed meanwhile.
 */
export function simulateOrder(stage: DemoContext, order: PlannedOrder, place: number): Promise<boolean> {
  const luck = seededRandom(`${order.seed} life`)
  const brand = stage.entities.brand(order.brand)
  // The first one that is ready shows every kind of file.
  const isFirst = order.status === 'ready' && place < ORDER_STATUSES.length
  const extra: Extra = {
    ffmpeg_path: stage.ffmpeg_path,
    isFine: isFirst,
    reuses: order.status === 'in_analysis' && luck.happens(0.15),
    hasClip: isFirst || luck.happens(0.06),
    hasSheet: (isFirst || luck.happens(0.2)) && brand.max_evidence_count > 10,
  }
  const wanted = chosenPieces(order, demoFilesFor(order, brand, extra), luck.whole(0, 3))
  return stage.ctx.scratch.within('demonstracao', async (dir) => {
    const pieces = await drawFiles(wanted, stage.drawingProcess, dir, stage.signal)
    const clock = createSimulatedClock(order.opened_at)
    return runAtSimulatedTime(stage.ctx, clock, async (ctx) => {
      if (!(await isDemoStill(ctx))) return false
      await simulateSteps({ ...stage, ctx }, order, brand.id, pieces, clock, luck)
      return true
    })
  })
}

async function simulateSteps(
  stage: DemoContext,
  order: PlannedOrder,
  brand_id: number,
  pieces: DrawnFile[],
  clock: SimulatedClock,
  luck: SeededRandom,
) {
  const { ctx } = stage
  const technician = { ...ctx, actor: stage.entities.person(order.technician) }
  const manager = { ...ctx, actor: stage.entities.person(order.manager) }
  const { paint: _, ...vehicle } = order.vehicle
  const { id } = await openOrder(technician, {
    os_number: order.os_number,
    brand_id,
    company_id: technician.actor.company_id ?? 0,
    ...vehicle,
    ...order.customer,
    technician_user_id: technician.actor.id,
    problem_description: order.complaint.problem,
  })
  clock.advance(luck.whole(25, 240))
  const files = await uploadFiles(technician, id, pieces, clock)
  for (const evidence_id of files)
    await runNow(stage, `preview:${evidence_id}`, previewEvidence(stage.media), { evidence_id })
  if (files.length > 0 && order.status !== 'pending_upload') {
    if (order.status !== 'pending') await recordDiagnosis(technician, id, order, clock, luck)
    if (order.status !== 'cancelled') await convert(stage, technician, id, order, files, clock)
  }
  await finishOrder(stage, { technician, manager }, order, id, clock)
}

/** What was found and done, and what it cost. */
async function recordDiagnosis(
  technician: Ctx,
  id: number,
  { complaint }: PlannedOrder,
  clock: SimulatedClock,
  luck: SeededRandom,
) {
  clock.advance(luck.whole(60, 2 * DAY_MINUTES))
  const { diagnosis, solution, part, parts_value, service_value } = complaint
  await changeOrder(technician, {
    id,
    change: {
      diagnosis,
      solution_applied: solution,
      parts_replaced: `${part.name} (${part.number})`,
      parts_value: luck.whole(...parts_value),
      service_value: luck.whole(...service_value),
    },
  })
}

async function convert(
  stage: DemoContext,
  technician: Ctx,
  id: number,
  order: PlannedOrder,
  files: number[],
  clock: SimulatedClock,
) {
  clock.advance(3)
  await requestAll(technician, id)
  // These the worker converts, before everybody's eyes: one at once, the others over the hours to come.
  if (order.status === 'in_progress') return keepWaiting(technician, files.slice(1), order)
  const run = async (evidence_id: number) => {
    clock.advance(0.2)
    await runNow(stage, conversionJobKey(evidence_id), convertEvidence(stage.media), { evidence_id })
  }
  for (const evidence_id of files) await run(evidence_id)
  for (const { id: evidence_id, status } of await liveFiles(technician, id))
    if (status === 'converting') await run(evidence_id)
}

/** For how long after the start somebody who looks finds orders that are being converted. */
const SHOWN_HOURS = 8
async function keepWaiting(ctx: Ctx, files: number[], { seed }: PlannedOrder) {
  const luck = seededRandom(`${seed} wait`)
  for (const evidence_id of files) {
    const until = new Date(Date.now() + luck.between(0.2, SHOWN_HOURS) * HOUR_MS)
    await postpone(ctx, conversionJobKey(evidence_id), until)
  }
}

/** An order that waits for files has some of them, or none; one that was given up hardly any. */
function chosenPieces(order: PlannedOrder, pieces: DemoFile[], some: number): DemoFile[] {
  const damaged = (list: DemoFile[]) =>
    list.map((piece, place) => (place === 0 ? { ...piece, isDamaged: true } : piece))
  switch (order.status) {
    case 'created':
      return []
    case 'pending_upload':
      return pieces.slice(0, some)
    case 'pending':
      return some === 0 ? damaged(pieces.slice(0, 3)) : pieces.slice(0, some + 1)
    case 'cancelled':
      return pieces.slice(0, Math.max(0, some - 1))
    default:
      return pieces
  }
}

/** A job of this order, done here and at its time instead of by the worker and now. */
async function runNow<P>(
  { ctx, signal }: DemoContext,
  key: string,
  job: (ctx: Ctx, payload: P, run: { signal: AbortSignal; lastTry: boolean }) => Promise<void>,
  payload: P,
) {
  signal.throwIfAborted()
  await withdraw(ctx, key)
  await job(ctx, payload, { signal, lastTry: true })
}

const CANCELLED = [
  'Cliente retirou o veículo sem autorizar o reparo.',
  'Veículo fora do prazo de garantia.',
  'OS aberta em duplicidade.',
]

async function finishOrder(
  stage: DemoContext,
  by: { technician: Ctx; manager: Ctx },
  order: PlannedOrder,
  id: number,
  clock: SimulatedClock,
) {
  const luck = seededRandom(`${order.seed} end`)
  if (order.status === 'pending_upload' && luck.happens(0.5)) {
    clock.advance(30)
    await setStatus(by.technician, id, { status: 'pending_upload' })
  }
  if (order.status === 'pending' || order.status === 'in_analysis') {
    clock.advance(luck.whole(30, DAY_MINUTES))
    await setStatus(by.manager, id, { status: order.status })
  }
  if (order.status === 'cancelled') {
    clock.advance(luck.whole(1, 6) * DAY_MINUTES)
    await setStatus(by.manager, id, { status: 'cancelled', reason: luck.oneOf(CANCELLED) })
  }
  if (order.status === 'completed') {
    clock.advance(luck.whole(1, 9) * DAY_MINUTES)
    await setStatus(by.manager, id, { status: 'completed', accepts_problems: true })
    for (const { id: dossier_id } of await dossiersOf(by.manager, id)) {
      clock.advance(1)
      await runNow(stage, `dossier:${dossier_id}`, buildDossier(), { dossier_id })
    }
  }
}
