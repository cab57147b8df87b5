import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { copyFile, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Kernel } from '@garantia/server/kernel'
import { openListLoad, recordBusy } from './list-load.ts'
import { isQuick, options } from './options.ts'
import { copyOrders, KEPT_CLUSTER } from './orders-database.ts'
import { record } from './record.ts'
import { bench, MB, median, note, SERVER, timed } from './support.ts'

/** A backup, one more of the same place, and the list meanwhile (goal P21). */
const ORDERS = options.sizes?.[0] ?? 10_000
const [FILES, SIZE] = [isQuick ? 50 : 2_000, 500_000]
const ROUNDS = options.rounds ?? 3
const BATCH_MS = isQuick ? 300 : 1_500

const COMMANDS = fileURLToPath(new URL('../../worker/src/cli/main.ts', import.meta.url))
const execute = promisify(execFile)

await bench(
  'Backup',
  async (benchContext) => {
    const db = await copyOrders(benchContext, ORDERS)
    const { files_dir } = db.kernel.ctx.config
    const paths: string[] = []
    for (let n = 0; n < FILES; n++) {
      const path = join(files_dir, 'os', String(n + 1), 'a', 'original.jpg')
      await mkdir(join(path, '..'), { recursive: true })
      await writeFile(path, randomBytes(SIZE))
      paths.push(path)
    }
    note('files made')
    const to = join(benchContext.dir, 'backups')
    const times = { first: [] as number[], again: [] as number[], plain: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      await rm(to, { recursive: true, force: true })
      times.first.push(await timed(() => backUp(db.kernel, to)))
      times.again.push(await timed(() => backUp(db.kernel, to)))
      times.plain.push(await timed(() => copyPlainly(paths, join(benchContext.dir, 'plain'))))
    }
    const [product, reference, again] = [median(times.first), median(times.plain), median(times.again)]
    record(
      { name: 'backup, first', unit: 'ms', product, reference, ratio: reference / product },
      { name: 'backup, again, of the first', unit: '%', product: (100 * again) / product },
      { name: 'backup, first: speed', unit: 'MB/s', product: ((FILES * SIZE) / MB / product) * 1_000 },
    )

    const server = await db.start(SERVER)
    const list = await openListLoad(server.url, db.tokens.admin, BATCH_MS)
    const idle = [await list.batch()]
    const busy: typeof idle = []
    await rm(to, { recursive: true, force: true })
    let isOver = false
    const running = backUp(db.kernel, to).finally(() => {
      isOver = true
    })
    for (;;) {
      const one = await list.batch()
      if (isOver) break
      busy.push(one)
    }
    await running
    while (idle.length < Math.max(3, busy.length)) idle.push(await list.batch())
    await list.close()
    await server.stop()
    await db.close()
    await db.drop()
    recordBusy('list while a backup runs', busy, idle)
  },
  { cluster: KEPT_CLUSTER },
)

function backUp({ ctx: { config } }: Kernel, to: string) {
  return execute(process.execPath, [COMMANDS, 'backup', '--para', to], {
    env: {
      ...process.env,
      DATABASE_URL: config.DATABASE_URL,
      DATA_DIR: config.data_dir,
      SIGNING_KEY: config.SIGNING_KEY,
      DOSSIER_KEY: config.DOSSIER_KEY,
    },
  })
}

/** What no copy that is believed can leave out: read, write, sync, read back, compare. */
async function copyPlainly(paths: readonly string[], folder: string) {
  await mkdir(folder, { recursive: true })
  for (const [n, path] of paths.entries()) {
    const copy = join(folder, String(n))
    await copyFile(path, copy)
    const file = await open(copy, 'r')
    await file.sync()
    await file.close()
    if (hashOf(await readFile(path)) !== hashOf(await readFile(copy)))
      throw new Error(`${copy} is not ${path}`)
  }
  await rm(folder, { recursive: true })
}
function hashOf(bytes: Buffer) {
  return createHash('sha256').update(bytes).digest('hex')
}
