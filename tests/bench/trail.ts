import { migrateToLatest } from '@garantia/migrations'
import { anchorTrail, verifyChains } from '@garantia/server/features/records/chain'
import { type Ctx, recordEvent, recordEvents } from '@garantia/server/kernel'
import { sql } from 'kysely'
import { isQuick, options } from './options.ts'
import { record } from './record.ts'
import { bench, MB, median, note, shuffled, timed } from './support.ts'

/**
 * What an event costs against a plain row, and how long trails of that many take to verify; of one that is ten times as
 * long the memory should be the same. `--size 100000 --size 1000000` measures a million.
 */
const SIZES = options.sizes?.toSorted((one, other) => one - other) ?? (isQuick ? [2_000] : [10_000, 100_000])
const CHAIN = 10
const ONE_BY_ONE = isQuick ? 100 : 1_000
const BATCH = 1_000
const CHANGES = {
  ...{ customer_name: ['Ana', 'Bia'], diagnosis: [null, 'Bucha gasta'], vehicle_mileage: [1, 2] },
}

await bench('Trail', async ({ kernel, make }) => {
  await migrateToLatest(kernel.pool)
  const { ctx } = kernel
  // A history as it would be without the chain: the same table with what it had before there was one.
  await sql`create table plain_events (like events including identity including indexes)`.execute(ctx.db)
  await sql`drop index plain_events_subject_subject_id_seq_idx`.execute(ctx.db)
  await sql`alter table plain_events add foreign key (actor_user_id) references users (id),
    add check (kind ~ '^[a-z_.]{1,60}$')`.execute(ctx.db)
  const eventOf = (n: number, per: number) =>
    ({ subject: 'company', subject_id: 1 + Math.floor(n / per), kind: 'changed', changes: CHANGES }) as const
  const { id, full_name } = await make.user({ company_id: null })
  const role = { role: 'technician', is_superuser: false, company_id: null, scope: 'all' } as const
  const person: Ctx = { ...ctx, actor: { kind: 'user', id, name: full_name, ...role } }
  const writers = {
    product: (n: number) => recordEvent(person, eventOf(n, CHAIN)),
    reference: (n: number) =>
      ctx.db.transaction().execute((db) =>
        sql`insert into plain_events (subject, subject_id, kind, actor_user_id, actor_name, changes, at, seq,
          content_hash, previous_hash, hash, format) values ('company', ${n}, 'changed', ${id}, ${full_name},
          ${JSON.stringify(CHANGES)}, now(), 1, '', '', '', 1)`.execute(db),
      ),
  }
  const times = { product: [] as number[], reference: [] as number[], added: [] as number[] }
  for (let round = 0; round < (options.rounds ?? 5); round++) {
    const { product, reference } = await inTurns(writers)
    times.product.push(product)
    times.reference.push(reference)
    times.added.push(product - reference)
    note(`an event adds ${(product - reference).toFixed(3)} ms to ${reference.toFixed(3)}`)
  }
  record({
    name: 'trail, an event against a plain row',
    unit: 'ms',
    product: median(times.product),
    reference: median(times.reference),
  })
  record({ name: 'trail, what an event adds to a plain row', unit: 'ms', product: median(times.added) })

  let written = 0
  for (const size of SIZES) {
    for (; written < size; written += BATCH)
      await recordEvents(
        ctx,
        Array.from({ length: BATCH }, (_, n) => eventOf(1_000_000 + written + n, CHAIN)),
      )
    await sql`analyze events`.execute(ctx.db)
    const anchored = await timed(() => anchorTrail(ctx))
    const { verified, rise } = await verification(ctx)
    record({ name: 'trail, an entry of the journal', unit: 'ms', size, product: anchored })
    record({ name: 'trail, verify', unit: 'ms', size, product: verified })
    record({ name: 'trail, verify, a thousand events', unit: 'ms', size, product: (1_000 * verified) / size })
    record({ name: 'trail, memory of a verification', unit: 'MB', size, product: rise / MB })
  }
})

/**
 * Mean milliseconds of one call of each. They are called one after the other, in random order, since other work on the
 * machine and its disk changes within a second what a commit costs.
 */
async function inTurns<A extends string>(calls: Record<A, (n: number) => Promise<unknown>>) {
  const names = Object.keys(calls) as A[]
  const sums = Object.fromEntries(names.map((name) => [name, 0])) as Record<A, number>
  for (let n = 0; n < ONE_BY_ONE; n++)
    for (const name of shuffled(names)) sums[name] += (await timed(() => calls[name](n))) / ONE_BY_ONE
  return sums
}

/** Time in milliseconds, and the rise of this process's memory in bytes. Throws when faults are found. */
async function verification(ctx: Ctx) {
  const before = process.memoryUsage.rss()
  let peak = before
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20)
  let faults = 0
  const verified = await timed(async () => {
    faults = (await verifyChains(ctx)).faults.length
  })
  clearInterval(watch)
  if (faults > 0) throw new Error(`${faults} faults in a trail that nobody has changed`)
  return { verified, rise: peak - before }
}
