import { rmSync } from 'node:fs'
import { startPostgres } from '@garantia/server/postgres'
import { temporaryFolder } from './temporary-folder.ts'

// A process of its own between the tests and their PostgreSQL: however the tests end, kill -9 included, the
// channel to here closes, and nothing of theirs is left running or on disk.
const dir = temporaryFolder('testes')
const started = startPostgres({ dir: `${dir}/postgres`, fsync: false })

async function end() {
  try {
    await (await started).stop()
  } finally {
    rmSync(dir, { recursive: true, force: true })
    process.exit()
  }
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(name, end)

const { admin_url, url } = await started
process.send?.({ admin_url, url })
