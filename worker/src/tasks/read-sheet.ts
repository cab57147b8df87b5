import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as remittances from '@garantia/server/features/claims/remittances'
import * as orderImports from '@garantia/server/features/orders/import'
import type { Ctx } from '@garantia/server/kernel'
import type { JobPayload } from '@garantia/shared/jobs'
import { IMPORT_LIMITS, type SheetRows, sheetRows } from '@garantia/shared/orders/import'
import type { Decoders } from '../decoder/decoders.ts'
import { CannotConvert, ParserFailure, sheetTooLarge } from '../media/refusal.ts'
import type { Job } from '../task.ts'
import { createCpuLimiter } from './cpu-limiter.ts'

/** Bytes of the rows as JSON: three for each character, and what is between the cells. */
const MOST_JSON = 3 * IMPORT_LIMITS.text + 8 * IMPORT_LIMITS.lines * IMPORT_LIMITS.columns
const FAILED = 'O arquivo não pôde ser lido. Envie-o de novo.'

interface Sheet {
  /** Whose file it is, for the log. */
  owner: string
  contentOf(ctx: Ctx): Promise<{ content: Buffer } | undefined>
  save(ctx: Ctx, rows: SheetRows): Promise<void>
  fail(ctx: Ctx, error: string): Promise<void>
}
/** Reads the rows of a spreadsheet that somebody sent, in a decoding process. */
const readSheet =
  <Name extends 'read-order-import' | 'read-remittance'>(sheetOf: (payload: JobPayload<Name>) => Sheet) =>
  (decoders: Decoders, cpuLimiter = createCpuLimiter(1)): Job<Name> =>
  async (ctx, payload, { signal, lastTry }) => {
    const { owner, contentOf, save, fail } = sheetOf(payload)
    const found = await contentOf(ctx)
    if (!found) return
    try {
      const read = await ctx.scratch.within('planilha', (dir) =>
        cpuLimiter.run(signal, () => readSheetApart(decoders, owner, found.content, dir, signal)),
      )
      const { data, error } = sheetRows.safeParse(read)
      if (!data) throw new CannotConvert(error.issues[0]?.message ?? FAILED)
      await save(ctx, data)
    } catch (error) {
      if (error instanceof CannotConvert) await fail(ctx, error.message)
      else if (error instanceof ParserFailure || lastTry) await fail(ctx, FAILED)
      else throw error
    }
  }

export const readOrderImport = readSheet<'read-order-import'>(({ import_id: id }) => ({
  owner: `import ${id}`,
  contentOf: (ctx) => orderImports.contentOf(ctx, id),
  save: (ctx, rows) => orderImports.saveRows(ctx, id, rows),
  fail: (ctx, error) => orderImports.failImport(ctx, id, error),
}))
export const readRemittance = readSheet<'read-remittance'>(({ remittance_id: id }) => ({
  owner: `remittance ${id}`,
  contentOf: (ctx) => remittances.contentOf(ctx, id),
  save: (ctx, rows) => remittances.saveRows(ctx, id, rows),
  fail: (ctx, error) => remittances.failRemittance(ctx, id, error),
}))

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
