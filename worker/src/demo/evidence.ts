import { createReadStream } from 'node:fs'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { receiveEvidence } from '@garantia/server/features/evidence/files'
import type { Ctx } from '@garantia/server/kernel'
import type { BrandView } from '@garantia/shared/brands/schema'
import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import { date } from '@garantia/shared/format'
import type { Drawing } from './drawing/drawing-worker.ts'
import type { DrawingProcess } from './drawing-process.ts'
import { DEALERSHIPS } from './people.ts'
import type { PlannedOrder } from './plan.ts'
import { type SeededRandom, seededRandom } from './random.ts'
import type { SimulatedClock } from './simulated-clock.ts'

/** A little over the side below which a photo is called small. */
const USUAL_SCALE = 0.85
const FINE_SCALE = 1.6
/** Enough for a head that can be read, too little for a picture. */
const DAMAGED_BYTES = 24_000
const ZONE_MS = -3 * 3_600_000

interface DemoFile {
  category: EvidenceCategory
  filename: string
  drawing: Drawing
  /** Arrives cut off: its conversion will fail, and say so. */
  isDamaged?: boolean
}

/** The moment as a camera in São Paulo writes it: 2026:10:02 14:05:09. */
const cameraTime = (timestamp: Date) =>
  new Date(timestamp.getTime() + ZONE_MS).toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', ':')

/** The same photo in two orders, which the checks find (V13). */
const REUSED = {
  chassis: '9BDEXEMP1XE000001',
  plate: 'DEM0A00',
  mileage: 31_415,
  model: 'Exemplo',
  paint: '#5b626a',
}

/** What the brand asks for, as its technician would photograph it. */
export function demoFilesFor(order: PlannedOrder, brand: BrandView, extra: Extra): DemoFile[] {
  const luck = seededRandom(`${order.seed} media`)
  const { vehicle, complaint } = order
  const subject = {
    chassis: vehicle.vehicle_chassis,
    plate: vehicle.vehicle_plate,
    mileage: vehicle.vehicle_mileage,
    model: `${brand.display_name} ${vehicle.vehicle_model}`,
    paint: vehicle.paint,
    faults: complaint.faults,
    part: complaint.part,
  }
  const asked = brand.required_categories.flatMap(({ category, min }) =>
    Array.from({ length: min }, () => category),
  )
  const wanted: EvidenceCategory[] = [
    ...asked,
    ...(asked.includes('solucionado') ? [] : (['solucionado'] as const)),
  ]
  const photos = wanted.map((category, place): DemoFile => {
    const seed = `${order.seed} ${category} ${place}`
    const isReused = extra.reuses && category === 'defeito' && place === wanted.indexOf('defeito')
    return {
      category,
      filename: filenameOf(category, order.opened_at, place, luck),
      drawing: {
        kind: 'photo',
        category,
        subject: isReused ? { ...subject, ...REUSED } : subject,
        seed: isReused ? 'reused' : seed,
        taken_at: cameraTime(new Date(order.opened_at.getTime() + place * 70_000)),
        scale: extra.isFine ? FINE_SCALE : USUAL_SCALE,
      },
    }
  })
  return [...photos, ...sheetAndClip(order, subject, extra, luck)]
}

export interface Extra {
  ffmpeg_path: string
  isFine: boolean
  reuses: boolean
  hasClip: boolean
  hasSheet: boolean
}

function sheetAndClip(
  order: PlannedOrder,
  subject: DemoFile['drawing']['subject'],
  extra: Extra,
  luck: SeededRandom,
): DemoFile[] {
  const pieces: DemoFile[] = []
  if (extra.hasClip)
    pieces.push({
      category: 'defeito',
      filename: `VID_${stamp(order.opened_at)}_${luck.whole(100, 999)}.mp4`,
      drawing: {
        kind: 'clip',
        subject,
        seed: `${order.seed} clip`,
        taken_at: order.opened_at.toISOString(),
        ffmpeg_path: extra.ffmpeg_path,
      },
    })
  if (extra.hasSheet)
    pieces.push({
      category: 'inspecao',
      filename: `Laudo técnico ${order.os_number}.pdf`,
      drawing: {
        kind: 'sheet',
        subject,
        os_number: order.os_number,
        company: DEALERSHIPS.find(({ key }) => key === order.dealership)?.trading_name ?? '',
        technician: order.technician,
        diagnosis: order.complaint.diagnosis,
        day: date(order.opened_at),
      },
    })
  return pieces
}

const stamp = (timestamp: Date) => cameraTime(timestamp).replaceAll(':', '').replace(' ', '_')
function filenameOf(category: EvidenceCategory, taken: Date, place: number, luck: SeededRandom) {
  if (category === 'prints_telas') return `Screenshot_${stamp(taken)}_${place}.jpg`
  return luck.happens(0.7)
    ? `IMG_${stamp(new Date(taken.getTime() + place * 70_000))}.jpg`
    : `foto ${category.replaceAll('_', ' ')} ${place + 1}.jpg`
}

export type DrawnFile = DemoFile & { path: string }

/** Before any of it is sent: drawing may take long, and nothing should wait for it with a transaction open. */
export async function drawFiles(
  pieces: DemoFile[],
  studio: DrawingProcess,
  dir: string,
  signal: AbortSignal,
) {
  const drawn: DrawnFile[] = []
  for (const [place, piece] of pieces.entries()) {
    signal.throwIfAborted()
    const path = join(dir, String(place))
    await studio.draw(path, piece.drawing)
    if (piece.isDamaged) await truncate(path, DAMAGED_BYTES)
    drawn.push({ ...piece, path })
  }
  return drawn
}

/** Sends the pieces, a few minutes apart, as uploads of the person who acts. */
export async function uploadFiles(ctx: Ctx, order_id: number, pieces: DrawnFile[], clock: SimulatedClock) {
  const ids: number[] = []
  for (const { category, filename, path } of pieces) {
    clock.advance(2)
    const parts = (async function* () {
      yield { kind: 'file' as const, filename, body: createReadStream(path) }
    })()
    const { uploaded } = await receiveEvidence(ctx, order_id, { category }, parts)
    ids.push(...uploaded.map(({ id }) => id))
  }
  return ids
}
export type { DemoFile }
