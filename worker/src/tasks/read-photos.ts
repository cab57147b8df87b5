import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { photoToRead, saveReading } from '@garantia/server/features/evidence/files'
import { saveVehiclePhotoReading, vehiclePhotoToRead } from '@garantia/server/features/orders/vehicle-photo'
import type { FormatName } from '@garantia/shared/evidence/formats'
import type { Decoders } from '../decoder/decoders.ts'
import type { ReadingWish, Run, Source } from '../media/media.ts'
import { CannotConvert } from '../media/refusal.ts'
import type { Job } from '../task.ts'
import { originalOf } from './original.ts'

/**
 * Reads the text that the category of a photo asks for, or that would tell its category. In a photo that cannot be
 * opened there is none. It takes no place of the CPU limiter: one photo at a time is read in all workers, by a process
 * that lets every other one first.
 */
export const readEvidencePhoto =
  (decoders: Decoders): Job<'read-evidence'> =>
  async (ctx, { evidence_id }, { signal }) => {
    const photo = await photoToRead(ctx, evidence_id)
    if (!photo) return
    const format = photo.format as FormatName
    await ctx.scratch.within('reading', async (dir) => {
      const source = await originalOf(ctx, { ...photo, format }, dir)
      const run = { dir, signal, onProgress: () => undefined }
      const wish = { kinds: photo.kinds, turn: photo.rotation }
      // That it cannot be opened is reported by its conversion.
      await saveReading(ctx, photo, await read(decoders, photo.order_id, source, wish, run))
    })
  }

/** Reads what a new order asks for in a photo of its vehicle; after the last attempt nothing was read in it. */
export const readVehiclePhotoJob =
  (decoders: Decoders): Job<'read-vehicle-photo'> =>
  async (ctx, { photo_id }, { signal, lastTry }) => {
    const photo = await vehiclePhotoToRead(ctx, photo_id)
    if (!photo) return
    const { content, user_id } = photo
    try {
      await ctx.scratch.within('reading', async (dir) => {
        const path = join(dir, 'foto.jpg')
        await writeFile(path, content)
        const source = { path, format: 'jpeg', size: content.length } as const
        const run = { dir, signal, onProgress: () => undefined }
        const { found } = await read(decoders, `vehicle photos of ${user_id}`, source, { kinds: KINDS }, run)
        await saveVehiclePhotoReading(ctx, photo_id, found)
      })
    } catch (error) {
      if (!lastTry || signal.aborted) throw error
      ctx.log.warn(error, 'foto para uma nova OS não lida')
      await saveVehiclePhotoReading(ctx, photo_id, [])
    }
  }
const KINDS = ['plate', 'vin', 'odometer'] as const

/** What is found in a photo; nothing in one that cannot be opened. */
async function read(decoders: Decoders, owner: number | string, source: Source, wish: ReadingWish, run: Run) {
  try {
    return await decoders.withTools(owner, (media) => media.read(source, wish, run))
  } catch (error) {
    if (error instanceof CannotConvert) return { found: [], engine: '' }
    throw error
  }
}
