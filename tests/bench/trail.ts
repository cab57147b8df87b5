import { migrateToLatest } from '@garantia/migrations'
import { anchorTrail, verifyChains } from '@garantia/server/features/records/chain'
import { recordEvent, recordEvents } from '@garantia/server/kernel'
import { sql } from 'kysely'
import { isQuick, options } from './options.ts'
import { record } from './record.ts'
import { bench, MB, median, rounds, timed } from './support.ts'

/** What an event costs against a plain row, and how long a trail of that many takes to verify. */
const EVENTS = options.sizes?.[0] ?? (isQuick ? 2_000 : 100_000)
const CHAIN = 10
const ONE_BY_ONE = isQuick ? 100 : 1_000
const BATCH = 1_000
const CHANGES = {
  ...{ customer_name: ['Ana', 'Bia'], diagnosis: [null, 'Bucha gasta'], vehicle_mileage: [1, 2] },
}

await bench('Trail', async ({ kernel }) => {
  await migrateToLatest(kernel.pool)
  const { ctx } = kernel
  await sql`create table plain_events (like events including identity)`.execute(ctx.db)
  await sql`create index on plain_events (subject, subject_id, id)`.execute(ctx.db)
  const eventOf = (n: number, per: number) =>
    ({ subject: 'company', subject_id: 1 + Math.floor(n / per), kind: 'changed', changes: CHANGES }) as const
  const each = (write: (n: number) => Promise<unknown>) =>
    timed(async () => {
      for (let n = 0; n < ONE_BY_ONE; n++) await write(n)
    })
  const times = await rounds(options.rounds ?? 5, {
    product: () => each((n) => recordEvent(ctx, eventOf(n, CHAIN))),
    reference: () =>
      each((n) =>
        ctx.db.transaction().execute((db) =>
          sql`insert into plain_events (subject, subject_id, kind, actor_name, changes, at, seq, content_hash,
            previous_hash, hash, format) values ('company', ${n}, 'changed', 'Sistema',
            ${JSON.stringify(CHANGES)}, now(), 1, '', '', '', 1)`.execute(db),
        ),
      ),
  })
  record({
    name: 'trail, an event against a plain row',
    unit: 'ms',
    product: median(times.product) / ONE_BY_ONE,
    reference: median(times.reference) / ONE_BY_ONE,
  })

  for (let from = 0; from < EVENTS; from += BATCH)
    await recordEvents(
      ctx,
      Array.from({ length: BATCH }, (_, n) => eventOf(1_000_000 + from + n, CHAIN)),
    )
  await sql`analyze events`.execute(ctx.db)
  const anchored = await timed(() => anchorTrail(ctx))
  const before = process.memoryUsage.rss()
  let peak = before
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20)
  let faults = 0
  const verified = await timed(async () => {
    faults = (await verifyChains(ctx)).faults.length
  })
  clearInterval(watch)
  if (faults > 0) throw new Error(`${faults} faults in a trail that nobody has changed`)
  const size = EVENTS
  record({ name: 'trail, first entry of the journal', unit: 'ms', size, product: anchored })
  record({ name: 'trail, verify', unit: 'ms', size, product: verified })
  record({ name: 'trail, memory of a verification', unit: 'MB', size, product: (peak - before) / MB })
})
