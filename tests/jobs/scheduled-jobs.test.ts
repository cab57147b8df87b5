import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { newestAnchor } from '@garantia/server/features/records/chain'
import { diagnose } from '@garantia/server/features/system/diagnosis'
import { problemsOf, readWork } from '@garantia/server/features/system/work-state'
import { openLog, recordEvent } from '@garantia/server/kernel'
import { startWorker } from '@garantia/worker'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const lines: { level: number; msg: string; faults?: number }[] = []
const notebook = new Writable({
  write(line, _, done) {
    lines.push(JSON.parse(String(line)))
    done()
  },
})
const testApp = await startTestApp({}, openLog('info', 'operário', notebook))
const { ctx } = testApp.kernel
const worker = await startWorker(testApp.kernel)
afterAll(async () => {
  await worker.stop()
  await testApp[Symbol.asyncDispose]()
})
const TIMEOUT = { timeout: 120_000 }
const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
/** Adds the job as the queue's scheduler does, with its note in the payload. */
const trigger = (task: string) =>
  sql`select graphile_worker.add_job(${task}, '{"_cron": {"backfilled": false}}')`.execute(ctx.db)
const isStored = async (key: string) => (await ctx.storage.size(key)) !== null

test('every night the bin is emptied and retention is applied (D-17, D-47)', async () => {
  const binned = await testApp.make.evidence({ deleted_at: ago(31) })
  const brand = await testApp.make.brand({ storage_retention_months: 1 })
  await sql`update brands set retention_since = ${ago(31)} where id = ${brand.id}`.execute(ctx.db)
  const order = await testApp.make.order({ brand_id: brand.id, status: 'completed', completed_at: ago(60) })
  const expired = await testApp.make.evidence({ order_id: order.id })
  await trigger('empty-bin')
  await trigger('apply-retention')
  await vi.waitFor(async () => {
    expect([await isStored(binned.original_key), await isStored(expired.original_key)]).toEqual([
      false,
      false,
    ])
    expect(lines.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['lixeira esvaziada', 'retenção aplicada']),
    )
  }, TIMEOUT)
})

test('the daily mail has the sum of the newest entry of the journal, as a copy outside of the house', async () => {
  const order = await testApp.make.order()
  await recordEvent(ctx, { subject: 'order', subject_id: order.id, kind: 'changed' })
  const reader = await testApp.make.user({ role: 'admin', email: 'leitora@exemplo.com.br' })
  await ctx.db.updateTable('users').set({ wants_digest: true }).where('id', '=', reader.id).execute()
  const news = {
    user_id: reader.id,
    order_id: order.id,
    kind: 'comment',
    actor_name: 'Ana Lima',
    at: new Date(),
  }
  await ctx.db.insertInto('notifications').values(news).execute()
  await trigger('anchor-trail')
  await vi.waitFor(async () => expect(await newestAnchor(ctx)).not.toBeNull(), TIMEOUT)
  await trigger('mail-digests')
  const mailed = async () => {
    const { body } = await ctx.db
      .selectFrom('mails')
      .where('recipient', '=', 'leitora@exemplo.com.br')
      .select('body')
      .executeTakeFirstOrThrow()
    return body
  }
  await vi.waitFor(mailed, TIMEOUT)
  const anchor = await newestAnchor(ctx)
  const entry = await readFile(
    join(testApp.dir, 'files', 'trilha', `${String(anchor?.n).padStart(8, '0')}.jsonl`),
  )
  const sha256 = createHash('sha256').update(entry).digest('hex')
  expect(await mailed()).toContain(`(registro ${anchor?.n}, SHA-256 ${sha256})`)
})

test('promise 21: every week storage and audit trail are verified; a fault is logged as an error, and is known to doutor, probes and mail', async () => {
  // Those of the other tests have no trail.
  await ctx.db.deleteFrom('evidence_files').execute()
  await ctx.db.deleteFrom('service_orders').execute()
  const file = await testApp.make.evidence()
  await recordEvent(ctx, { subject: 'order', subject_id: file.order_id, kind: 'changed' })
  await trigger('verify-integrity')
  await vi.waitFor(
    () => expect(lines.at(-1)).toMatchObject({ level: 30, msg: 'verificação sem problemas' }),
    TIMEOUT,
  )
  await rm(join(testApp.dir, 'files', file.original_key))
  await trigger('verify-integrity')
  await vi.waitFor(() => expect(lines.at(-1)).toMatchObject({ level: 50, faults: 1 }), TIMEOUT)
  const missing = `ausente ${file.original_key}`
  expect((await diagnose(ctx)).filter(({ subject }) => subject === 'verificação')).toMatchObject([
    {
      level: 'fault',
      text: expect.stringMatching(/^em \d.*: 1 problema, ausente os\//),
      advice: 'npm run worker -- verificar',
    },
    { level: 'ok', text: expect.stringMatching(/: \d+ eventos da trilha conferidos, nenhum problema$/) },
  ])
  expect(problemsOf(await readWork(ctx), new Date())).toContainEqual({
    kind: 'verification',
    text: expect.stringContaining(`encontrou 1 problema, ${missing}.`),
  })
})
