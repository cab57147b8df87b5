import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Ctx } from '../../../kernel/context.ts'
import { judgeStamp, requestStamp } from '../../../kernel/time-authority.ts'
import { journalKey, journalNumbers, sumOf } from './journal.ts'

/** Where the stamp of an entry lies: beside it. */
export const journalStampKey = (n: number) => journalKey(n).replace(/\.jsonl$/, '.tsr')

/**
 * Asks the authority, where one is configured, to stamp the newest entry of the journal; it contains the hash of the
 * entry before, so that one stamp covers all that are older. Null when nothing was to be stamped. Throws when the
 * authority gives none; the next run asks again.
 */
export async function stampJournal(ctx: Ctx): Promise<{ n: number; authority: string } | null> {
  const n = ctx.config.TSA_URL ? (await journalNumbers(ctx)).at(-1) : undefined
  if (n === undefined || (await ctx.storage.size(journalStampKey(n))) !== null) return null
  const { answer, stamp } = await requestStamp(ctx, Buffer.from(await sumOf(ctx, n), 'hex'))
  await ctx.scratch.within('stamp', async (dir) => {
    const path = join(dir, 'entry.tsr')
    await writeFile(path, answer, { mode: 0o600 })
    await ctx.storage.moveIn(journalStampKey(n), path)
  })
  return { n, authority: stamp.authority }
}

/** What is wrong with the stamp of an entry with this SHA-256; null when nothing is; undefined when it has none. */
export async function journalStampFault(
  ctx: Ctx,
  n: number,
  sum: string,
): Promise<string | null | undefined> {
  if ((await ctx.storage.size(journalStampKey(n))) === null) return undefined
  const answer = await buffer(await ctx.storage.read(journalStampKey(n)))
  const stamp = await judgeStamp(ctx, answer, Buffer.from(sum, 'hex'))
  return stamp.is_valid ? null : stamp.text
}
