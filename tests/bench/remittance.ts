import { migrateToLatest } from '@garantia/migrations'
import { typeRemittance, undoRemittance } from '@garantia/server/features/claims/remittances'
import { fillClaims, judgedSet, remittanceSet } from '../support/remittance-set.ts'
import { isQuick } from './options.ts'
import { record } from './record.ts'
import { bench, median, rounds, timed } from './support.ts'

/** A remittance of 1,000 lines against 100,000 open claims (goal P18); each round undoes it. */
const CLAIMS = isQuick ? 2_000 : 100_000
const LINES = isQuick ? 100 : 1_000
const ROUNDS = isQuick ? 1 : 5

await bench('Remittance', async (lab) => {
  const { pool, ctx } = lab.kernel
  await migrateToLatest(pool)
  const { id: company_id } = await lab.make.company()
  const { id: brand_id } = await lab.make.brand()
  await fillClaims(ctx, { count: CLAIMS, company_id, brand_id })
  const set = remittanceSet(LINES, CLAIMS)
  const lines = set.map(({ truth: _, ...line }) => line)
  const undone: number[] = []

  /** Matched, booked and recorded as the job does it; the reading of the file is that of an import of orders. */
  const booked = async () => {
    let id = 0
    const took = await timed(async () => {
      const done = await typeRemittance(ctx, { company_id, brand_id, paid_on: '2026-01-05', lines })
      id = done.id
    })
    const { share, wrong } = await judgedSet(ctx, id, set)
    if (share < 0.98 || wrong > 0) throw new Error(`${share} of the lines were matched, ${wrong} wrongly`)
    undone.push(await timed(() => undoRemittance(ctx, id, { reason: 'Medida' })))
    return took
  }
  const { product } = await rounds(ROUNDS, { product: booked })
  record({ name: 'remittance, 1,000 lines', unit: 'ms', product: median(product) })
  record({ name: 'remittance, undone', unit: 'ms', product: median(undone) })
})
