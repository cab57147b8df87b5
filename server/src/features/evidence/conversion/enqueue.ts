import { inConversionOrder } from '@garantia/shared/evidence/budget'
import { conversionJobKey } from '@garantia/shared/jobs'
import { type Ctx, enqueue, enqueueAll, postponeJob } from '../../../kernel/context.ts'
import type { EvidenceRow } from '../files/service.ts'

/** Attempts after which a file that keeps crashing its worker is given up. */
export const MAX_ATTEMPTS = 15
/** Fewer in a re-encode pass, which has a fallback copy. */
const REENCODE_MAX_ATTEMPTS = 3

type Queued = Pick<EvidenceRow, 'id' | 'file_type' | 'file_size' | 'format'>

/**
 * Queues files of one order, one job each, and resets their progress. Permissions and states are checked by
 * the caller.
 */
export async function enqueueConversions(ctx: Ctx, files: readonly Queued[], is_reencode_pass: boolean) {
  await ctx.db
    .updateTable('evidence_files')
    .set({
      status: 'converting',
      progress: 0,
      error: null,
      is_reencode_pass,
      queued_at: ctx.clock(),
      started_at: null,
      finished_at: null,
      budget_bytes: null,
      lease_until: null,
    })
    .where(
      'id',
      'in',
      files.map((file) => file.id),
    )
    .execute()
  // A job's priority is its position within its order, so that three files of one order do not wait for three
  // hundred of another.
  const inTurn = [...files].sort(inConversionOrder)
  const max_attempts = is_reencode_pass ? REENCODE_MAX_ATTEMPTS : MAX_ATTEMPTS
  await enqueueAll(
    ctx,
    'convert-evidence',
    inTurn.map(({ id }, priority) => ({
      ...{ key: conversionJobKey(id), payload: { evidence_id: id } },
      ...{ priority, max_attempts },
    })),
  )
}

/** Gives a lease back: the file is converted from `at` on, as if it had not been begun. */
export async function queueAgain(ctx: Ctx, { id }: Pick<EvidenceRow, 'id'>, at: Date) {
  await ctx.db
    .updateTable('evidence_files')
    .set({ started_at: null, lease_until: null, budget_bytes: null, progress: 0 })
    .where('id', '=', id)
    .execute()
  const key = conversionJobKey(id)
  // The job that is running has the key no more, and ends by itself.
  await enqueue(ctx, 'convert-evidence', { evidence_id: id }, { key, max_attempts: MAX_ATTEMPTS })
  await postponeJob(ctx, key, at)
}
