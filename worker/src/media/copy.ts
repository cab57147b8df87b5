import { constants, copyFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FORMATS } from '@garantia/shared/evidence/formats'
import type { Converted, Facts, Run, Source } from './types.ts'

/** Facts of a file whose content is not inspected. */
export const NO_FACTS: Facts = {
  width: null,
  height: null,
  duration_seconds: null,
  pages: null,
  captured_at: null,
}

/**
 * Copies the original byte for byte to `converted.<ext>` in the job's folder. Throws when the job is aborted.
 */
export async function copied(source: Source, facts: Facts, run: Run): Promise<Converted> {
  run.signal.throwIfAborted()
  const path = join(run.dir, `converted.${FORMATS[source.format].ext}`)
  await copyFile(source.path, path, constants.COPYFILE_FICLONE)
  const { size } = await stat(path)
  return { ...facts, path, size, format: source.format, reencoded: false, is_over_compressed: false }
}
