import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentOf, failImport, saveRows } from '@garantia/server/features/orders/import'
import { IMPORT_LIMITS, sheetRows } from '@garantia/shared/orders/import'
import type { Decoders } from '../decoder/decoders.ts'
import { CannotConvert, ParserFailure, sheetTooLarge } from '../media/refusal.ts'
import type { Job } from '../task.ts'
import { createCpuLimiter } from './cpu-limiter.ts'

/** Bytes of the rows as JSON: three for each character, and what is between the cells. */
const MOST_JSON = 3 * IMPORT_LIMITS.text + 8 * IMPORT_LIMITS.lines * IMPORT_LIMITS.columns
const FAILED = 'O arquivo não pôde ser lido. Envie-o de novo.'

/** Reads the rows of a file of orders, in a decoding process. */
export const readOrderImport =
  (decoders: Decoders, cpuLimiter = createCpuLimiter(1)): Job<'read-order-import'> =>
  async (ctx, { import_id }, { signal, lastTry }) => {
    const found = await contentOf(ctx, import_id)
    if (!found) return
    try {
      const read = await ctx.scratch.within('planilha', (dir) =>
        cpuLimiter.run(signal, () =>
          readSheetApart(decoders, `import ${import_id}`, found.content, dir, signal),
        ),
      )
      const { data, error } = sheetRows.safeParse(read)
      if (!data) throw new CannotConvert(error.issues[0]?.message ?? FAILED)
      await saveRows(ctx, import_id, data)
    } catch (error) {
      if (error instanceof CannotConvert) await failImport(ctx, import_id, error.message)
      else if (error instanceof ParserFailure || lastTry) await failImport(ctx, import_id, FAILED)
      else throw error
    }
  }

async function readSheetApart(
  decoders: Decoders,
  owner: string,
  content: Buffer,
  dir: string,
  signal: AbortSignal,
): Promise<unknown> {
  const path = join(dir, 'planilha.xlsx')
  await writeFile(path, content)
  // CSV, which is no format of evidence, is told from a workbook by its bytes.
  const source = { path, format: 'xlsx', size: content.length } as const
  const run = { dir, signal, onProgress: () => undefined }
  const sheet = await decoders.withTools(owner, (media) => media.sheet(source, run))
  // The process may have written anything; what it read itself is shorter.
  if ((await stat(sheet.path)).size > MOST_JSON) throw sheetTooLarge(IMPORT_LIMITS.text)
  return JSON.parse(await readFile(sheet.path, 'utf8'))
}
