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

/** Gives 1088 px, a little over the side below which a photo counts as small. */
const USUAL_SCALE = 0.85
const FINE_SCALE = 1.6
/** Bytes; enough for a readable header, too few for the picture. */
const DAMAGED_BYTES = 24_000
const ZONE_MS = -3 * 3_600_000

interface DemoFile {
  category: EvidenceCategory
  filename: string
  drawing: Drawing
  /** Uploaded truncated, so that its conversion fails. */
  isDamaged?: boolean
}

/** The time as a camera in São Paulo writes it: 2026:10:02 14:05:09. */
const cameraTime = (timestamp: Date) =>
  new Date(timestamp.getTime() + ZONE_MS).toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', ':')

/** A photo that is used in two orders, so that the checks find it (V13). */
const REUSED = {
  chassis: '9BDEXEMP1XE000001',
  plate: 'DEM0A00',
  mileage: 31_415,
  model: 'Exemplo',
  paint: '#5b626a',
}

/** The files the brand asks for, as its technician would photograph them. */
export function demoFilesFor(order: PlannedOrder, brand: BrandView, extra: Extra): DemoFile[] {
  const random = seededRandom(`${order.seed} media`)
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
    const isReused = extra.reusesPhoto && category === 'defeito' && place === wanted.indexOf('defeito')
    return {
      category,
      filename: filenameOf(category, order.opened_at, place, random),
      drawing: {
        kind: 'photo',
        category,
        subject: isReused ? { ...subject, ...REUSED } : subject,
        seed: isReused ? 'reused' : seed,
        taken_at: cameraTime(new Date(order.opened_at.getTime() + place * 70_000)),
        scale: extra.isHighResolution ? FINE_SCALE : USUAL_SCALE,
      },
    }
  })
  return [...photos, ...sheetAndClip(order, subject, extra, random)]
}

export interface Extra {
  ffmpeg_path: string
  isHighResolution: boolean
  reusesPhoto: boolean
  hasVideo: boolean
  hasTechnicalReport: boolean
}

function sheetAndClip(
  order: PlannedOrder,
  subject: DemoFile['drawing']['subject'],
  extra: Extra,
  random: SeededRandom,
): DemoFile[] {
  const files: DemoFile[] = []
  if (extra.hasVideo)
    files.push({
      category: 'defeito',
      filename: `VID_${stamp(order.opened_at)}_${random.whole(100, 999)}.mp4`,
      drawing: {
        kind: 'clip',
        subject,
        seed: `${order.seed} clip`,
        taken_at: order.opened_at.toISOString(),
        ffmpeg_path: extra.ffmpeg_path,
      },
    })
  if (extra.hasTechnicalReport)
    files.push({
      category: 'inspecao',
      filename: `Laudo técnico ${order.os_number}.pdf`,
      drawing: {
        kind: 'technical_report',
        subject,
        os_number: order.os_number,
        company: DEALERSHIPS.find(({ key }) => key === order.dealership)?.trading_name ?? '',
        technician: order.technician,
        diagnosis: order.complaint.diagnosis,
        day: date(order.opened_at),
      },
    })
  return files
}

const stamp = (timestamp: Date) => cameraTime(timestamp).replaceAll(':', '').replace(' ', '_')
function filenameOf(category: EvidenceCategory, taken: Date, place: number, random: SeededRandom) {
  if (category === 'prints_telas') return `Screenshot_${stamp(taken)}_${place}.jpg`
  return random.happens(0.7)
    ? `IMG_${stamp(new Date(taken.getTime() + place * 70_000))}.jpg`
    : `foto ${category.replaceAll('_', ' ')} ${place + 1}.jpg`
}

export type DrawnFile = DemoFile & { path: string }

/** Draws all files before any is uploaded: drawing may take long and must not run inside a transaction. */
export async function drawFiles(
  files: DemoFile[],
  drawingProcess: DrawingProcess,
  dir: string,
  signal: AbortSignal,
) {
  const drawn: DrawnFile[] = []
  for (const [place, file] of files.entries()) {
    signal.throwIfAborted()
    const path = join(dir, String(place))
    await drawingProcess.draw(path, file.drawing)
    if (file.isDamaged) await truncate(path, DAMAGED_BYTES)
    drawn.push({ ...file, path })
  }
  return drawn
}

/** Uploads the files as the acting person, two simulated minutes apart; returns their ids. */
export async function uploadFiles(ctx: Ctx, order_id: number, files: DrawnFile[], clock: SimulatedClock) {
  const ids: number[] = []
  for (const { category, filename, path } of files) {
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
