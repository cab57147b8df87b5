import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { beginArchive, failArchive, finishArchive } from '@garantia/server/features/evidence/archives'
import { AppError, textOf } from '@garantia/shared/errors'
import { writeArchive } from '../dossier/archive.ts'
import type { Job } from '../task.ts'

const FAILED = 'Não foi possível montar os pacotes. Peça-os de novo.'

/** Writes the packages of several orders as one ZIP. */
export const buildPackages: Job<'build-packages'> = async (ctx, { archive_id }, { signal, lastTry }) => {
  try {
    const building = await beginArchive(ctx, archive_id)
    if (building)
      await ctx.scratch.within('pacotes', async (dir) => {
        const path = join(dir, 'pacotes.zip')
        await writeArchive(building.entries, path, signal)
        const { size } = await stat(path)
        const sha256 = createHash('sha256')
        await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), sha256, { signal })
        await ctx.storage.moveIn(building.key, path)
        await finishArchive(ctx, building, { size, sha256: sha256.digest('hex') })
      })
  } catch (error) {
    // A refusal with a message for the user would be the same in a retry.
    if (error instanceof AppError) await failArchive(ctx, archive_id, textOf(error.detail))
    else {
      if (lastTry) await failArchive(ctx, archive_id, FAILED)
      throw error
    }
  }
}
