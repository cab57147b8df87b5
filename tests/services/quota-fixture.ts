import { readUsage } from '@garantia/server/features/evidence/quota'
import { beginUpload } from '@garantia/server/features/evidence/uploads'
import type { Ctx } from '@garantia/server/kernel'
import { type Caller, startTestApp } from '../support/test-app.ts'

export const GB = 1_000_000_000
export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** A server with small limits, before a disk of 79 GB that `disk` changes. */
export async function quotaFixture() {
  const testApp = await startTestApp({ UPLOAD_DAY_GB: '0.001', UPLOAD_OPEN_GB: '0.0005', DOSSIER_LIMIT: '2' })
  const disk = { free: 79 * GB, total: 79 * GB }
  testApp.kernel.ctx.partialFiles.space = async () => disk
  const superuser = async () => testApp.as(await testApp.make.user({ is_superuser: true }))
  const boss = await superuser()
  const usageOf = ({ ctx }: Caller) => readUsage(ctx)
  return {
    testApp,
    disk,
    superuser,
    boss,
    usageOf,
    keptBy: async (id: number) =>
      (await usageOf(boss)).companies.find((company) => company.id === id)?.kept.used,
  }
}

/** The caller's context without a person's limits. */
export const unlimited = ({ ctx }: Caller): Ctx => ({
  ...ctx,
  config: { ...ctx.config, UPLOAD_OPEN_GB: 0, UPLOAD_DAY_GB: 0 },
})
export const later = (ctx: Ctx, ms: number): Ctx => ({ ...ctx, clock: () => new Date(Date.now() + ms) })
export const begin = (ctx: Ctx, order_id: number, size: number) =>
  beginUpload(ctx, crypto.randomUUID(), size, { order_id, filename: 'video.mp4' })
/** Code, sentence and, if any, the wait of a refusal. */
export const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    ({ code, message, retryAfter }) => (retryAfter ? [code, message, retryAfter] : [code, message]),
  )
