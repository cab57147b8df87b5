import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrateToLatest } from '@garantia/migrations'
import type { EvidenceFiles } from '@garantia/migrations/schema'
import { readChecklist, validateEvidence } from '@garantia/server/features/evidence/files'
import type { Insertable } from 'kysely'
import { type BenchContext, bench, isQuick, median, rounds, table, timed } from './support.ts'

/** The checks of an order with very many files against a program that only looks at each file. */
const ROUNDS = isQuick ? 1 : 7
const FILES = isQuick ? 200 : 5_000
const BYTES = 2_000
const ROWS_AT_ONCE = 500
const AT_ONCE = 8

async function work(lab: BenchContext) {
  const { kernel, make } = lab
  await migrateToLatest(kernel.pool)
  const brand = await make.brand({ max_evidence_count: FILES })
  const order = await make.order({ brand_id: brand.id })
  await fill(lab, order.id)
  // Photos of others, for the search for copies.
  await fill(lab, (await make.order({ brand_id: brand.id })).id)
  await kernel.pool.query('analyze')
  const { ctx } = kernel
  const pool = lab.pool(1)
  const files = join(lab.dir, 'data', 'files')
  const rows = async () =>
    (
      await pool.query<{ key: string; size: string; sum: string }>(
        `select key, size, sum from evidence_files, lateral (values (original_key, file_size, sha256),
           (converted_key, converted_size, converted_sha256)) object (key, size, sum) where order_id = $1`,
        [order.id],
      )
    ).rows
  const samples = await rounds(ROUNDS, {
    checklist: () => timed(() => readChecklist(ctx, order.id)),
    validate: () => timed(() => validateEvidence(ctx, order.id)),
    sizes: () =>
      timed(async () =>
        eachOf(await rows(), async ({ key, size }) => (await stat(join(files, key))).size === Number(size)),
      ),
    bytes: () =>
      timed(async () =>
        eachOf(
          await rows(),
          async ({ key, sum }) =>
            createHash('sha256')
              .update(await readFile(join(files, key)))
              .digest('hex') === sum,
        ),
      ),
  })
  await pool.end()
  const [checklist, validate, sizes, bytes] = (['checklist', 'validate', 'sizes', 'bytes'] as const).map(
    (arm) => median(samples[arm]),
  ) as [number, number, number, number]
  console.log(
    `\nmedians of ${ROUNDS} rounds; bare reads the rows and looks at each file, ${AT_ONCE} at a time`,
  )
  table(
    [`${FILES} files and their copies`, 'ours ms', 'bare ms', 'bare/ours'],
    [
      ['sizes, as the page asks', checklist, sizes, sizes / checklist],
      ['every byte (validate)', validate, bytes, bytes / validate],
    ],
  )
}

async function eachOf<T>(list: readonly T[], isGood: (one: T) => Promise<boolean>) {
  const left = list.values()
  const lane = async () => {
    for (const one of left) if (!(await isGood(one))) throw new Error('a file is not as recorded')
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

async function fill({ kernel, dir }: BenchContext, order_id: number) {
  const rows: Insertable<EvidenceFiles>[] = []
  for (let n = 0; n < FILES; n++) {
    const folder = `os/${order_id}/${randomUUID()}`
    const content = Buffer.alloc(BYTES, randomUUID())
    const sha256 = createHash('sha256').update(content).digest('hex')
    const path = join(dir, 'data', 'files', folder)
    await mkdir(path, { recursive: true })
    for (const name of ['original.jpg', 'converted-1']) await writeFile(join(path, name), content)
    rows.push({
      ...{ order_id, file_type: 'image', format: 'jpeg', evidence_category: 'defeito', category_seq: n + 1 },
      ...{ original_filename: `${n}.jpg`, original_key: `${folder}/original.jpg`, file_size: BYTES },
      ...{ sha256, crc32: 1, width: 4_000, height: 3_000, sharpness: 100, captured_at: new Date() },
      perceptual_hash: BigInt(`0x${sha256.slice(0, 16)}`)
        .toString(2)
        .padStart(64, '0'),
      ...{ status: 'converted', attempt: 1, progress: 100, finished_at: new Date() },
      ...{ converted_filename: `${order_id}-${n}.jpg`, converted_format: 'jpeg', converted_size: BYTES },
      ...{ converted_key: `${folder}/converted-1`, converted_sha256: sha256, converted_crc32: 1 },
    })
  }
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await kernel.ctx.db
      .insertInto('evidence_files')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute()
}

await bench('Checks', work)
