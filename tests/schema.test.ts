import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freshDatabase } from './support/postgres.ts'

const PACKAGE_DIR = fileURLToPath(new URL('../migrations', import.meta.url))
const HOW_TO_RENEW = 'migrations/schema.ts is not what the migrations make. Regenerate it: npm run schema'

test('migrations/schema.ts matches a migrated database', async () => {
  const { owner_url, drop } = await freshDatabase()
  try {
    const verified = await promisify(execFile)(
      `${PACKAGE_DIR}/node_modules/.bin/kysely-codegen`,
      ['--config-file', 'kysely-codegen.json', '--verify'],
      { cwd: PACKAGE_DIR, env: { ...process.env, DATABASE_URL: owner_url } },
    ).then(
      () => '',
      ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
    )
    expect(verified, HOW_TO_RENEW).toBe('')
  } finally {
    await drop()
  }
})
