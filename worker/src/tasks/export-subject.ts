import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { beginExport, failRequest, finishExport } from '@garantia/server/features/records/privacy'
import { AppError, textOf } from '@garantia/shared/errors'
import { writeSubjectArchive } from '../dossier/subject-archive.ts'
import type { Job } from '../task.ts'

/** Puts together everything the house has of a person; a retry begins anew. */
export const exportSubject: Job<'export-subject'> = async (ctx, { request_id }, { signal, lastTry }) => {
  try {
    const building = await beginExport(ctx, request_id)
    if (building)
      await ctx.scratch.within('titular', async (dir) => {
        const path = join(dir, 'titular.zip')
        await writeSubjectArchive(building, dir, path, signal)
        const { size } = await stat(path)
        const sha256 = createHash('sha256')
        await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), sha256, { signal })
        await ctx.storage.moveIn(building.key, path)
        await finishExport(ctx, building, { size, sha256: sha256.digest('hex') })
      })
  } catch (error) {
    // A refusal with a message for the user would be the same in a retry.
    if (error instanceof AppError) await failRequest(ctx, request_id, textOf(error.detail))
    else {
      if (lastTry) await failRequest(ctx, request_id)
      throw error
    }
  }
}
