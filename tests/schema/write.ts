import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freshDatabase } from '../support/postgres.ts'
import { startTestPostgres } from '../support/test-postgres.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

const stop = await startTestPostgres()
try {
  const { owner_url } = await freshDatabase()
  await promisify(execFile)(
    `${MIGRATIONS}/node_modules/.bin/kysely-codegen`,
    ['--config-file', 'kysely-codegen.json'],
    { cwd: MIGRATIONS, env: { ...process.env, DATABASE_URL: owner_url } },
  )
} finally {
  await stop()
}
