import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RunningPostgres, startPostgres } from '@garantia/server/postgres'
import { afterAll, describe, expect, test } from 'vitest'
import { elsewhere } from '../support/elsewhere.ts'
import { START_POSTGRES } from '../support/start-postgres.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const home = temporaryFolder('conta')
const asRoot = process.getuid?.() === 0
const somebody = { uid: 65534, gid: 65534 }
const here = fileURLToPath(import.meta.url)
/** Somebody else can be tried only by root, and only where he can read this clone. */
const canBeSomebody =
  asRoot && spawnSync(process.execPath, ['-e', `fs.readFileSync('${here}')`], somebody).status === 0

function ownFolder(name: string) {
  const dir = join(home, name)
  mkdirSync(dir)
  chownSync(dir, somebody.uid, somebody.gid)
  return dir
}

afterAll(() => rmSync(home, { recursive: true, force: true }))

describe.runIf(asRoot)('root', () => {
  test('lends PostgreSQL another account, and keeps the secrets to itself', async () => {
    const dir = join(home, 'root')
    const { pid, stop } = await startPostgres({ dir, fsync: false })
    expect(statSync(`/proc/${pid}`).uid).not.toBe(0)
    expect(statSync(join(dir, 'data')).uid).toBe(statSync(`/proc/${pid}`).uid)
    expect(statSync(join(dir, 'secrets.json'))).toMatchObject({ uid: 0, mode: 0o100600 })
    await stop()
  })

  test('is told when that account could not reach the folder', async () => {
    const closed = join(home, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    await expect(startPostgres({ dir: join(closed, 'postgres') })).rejects.toThrow(/não alcança .*DATA_DIR/)
  })
})

describe.runIf(canBeSomebody)('a normal user', () => {
  test('runs PostgreSQL as himself', async () => {
    const folder = ownFolder('somebody')
    const other = elsewhere(home, START_POSTGRES, { dir: join(folder, 'postgres'), fsync: false }, somebody)
    const { pid } = await other.hears<RunningPostgres>('postgres')
    expect(statSync(`/proc/${pid}`).uid).toBe(somebody.uid)
    expect(statSync(join(folder, 'postgres/secrets.json'))).toMatchObject({
      uid: somebody.uid,
      mode: 0o100600,
    })
    other.say('stop')
    expect(await other.ended).toBe(0)
  })

  test('is told when the folder is of somebody else', async () => {
    const dir = join(home, 'of-root')
    mkdirSync(dir)
    chmodSync(dir, 0o755)
    const other = elsewhere(home, START_POSTGRES, { dir }, somebody)
    expect(await other.hears<string>('problem')).toMatch(/pertence a outro usuário/)
    await other.kill9()
  })
})
