import { createHash, randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { migrateToLatest } from '@garantia/migrations'
import { isQuick, options } from './options.ts'
import { record } from './record.ts'
import { bench, median, SERVER, timed } from './support.ts'

/** The checks of an order with very many small files: every stored byte is read. */
const FILES = isQuick ? 100 : 5_000
const SIZE = 1_000
const ROUNDS = options.rounds ?? 5

await bench('Validate', async (benchContext) => {
  await migrateToLatest(benchContext.kernel.pool)
  const brand = await benchContext.make.brand({ max_evidence_count: 10_000 })
  const order = await benchContext.make.order({ brand_id: brand.id, status: 'in_progress' })
  const rows = []
  for (let n = 0; n < FILES; n++) {
    const folder = `os/${order.id}/${n}`
    const content = randomBytes(SIZE)
    const facts = {
      size: SIZE,
      sha256: createHash('sha256').update(content).digest('hex'),
      crc32: crc32(content),
    }
    await mkdir(join(benchContext.dir, 'data/files', folder), { recursive: true })
    await writeFile(join(benchContext.dir, 'data/files', folder, 'converted-1'), content)
    rows.push({
      ...{ order_id: order.id, file_type: 'image' as const, format: 'jpeg', status: 'converted' as const },
      ...{ original_filename: `foto-${n}.jpg`, original_key: `${folder}/original.jpg`, file_size: SIZE },
      ...{ sha256: facts.sha256, crc32: facts.crc32, converted_filename: `foto-${n}.jpg` },
      ...{ converted_key: `${folder}/converted-1`, converted_format: 'jpeg', converted_size: SIZE },
      ...{ converted_sha256: facts.sha256, converted_crc32: facts.crc32, finished_at: new Date() },
    })
  }
  for (let from = 0; from < FILES; from += 500)
    await benchContext.kernel.ctx.db
      .insertInto('evidence_files')
      .values(rows.slice(from, from + 500))
      .execute()
  const { id } = await benchContext.make.user({ role: 'admin', is_superuser: true })
  const token = await benchContext.kernel.ctx.sessions.open(id, { ip: null, user_agent: null })
  const server = await benchContext.start(SERVER)
  const times: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const ms = await timed(async () => {
      const answer = await fetch(`${server.url}/api/v1/evidence/${order.id}/validate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
      if (answer.status !== 200) throw new Error(`validate answered ${answer.status} ${await answer.text()}`)
      await answer.text()
    })
    if (round >= 0) times.push(ms)
  }
  record({ name: 'validate, 5,000 files', unit: 'ms', product: median(times) })
})
