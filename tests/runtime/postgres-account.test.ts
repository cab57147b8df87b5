import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RunningPostgres, startPostgres } from '@garantia/server/postgres'
import { afterAll, describe, expect, test } from 'vitest'
import { runChildScript } from '../support/child-script.ts'
import { START_POSTGRES } from '../support/start-postgres.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const home = temporaryFolder('conta')
const asRoot = process.getuid?.() === 0
const unprivilegedAccount = { uid: 65534, gid: 65534 }
const here = fileURLToPath(import.meta.url)
/** Only root can try another account, and only where that account can read this clone. */
const canSwitchAccount =
  asRoot &&
  spawnSync(process.execPath, ['-e', `fs.readFileSync('${here}')`], unprivilegedAccount).status === 0

function ownFolder(name: string) {
  const dir = join(home, name)
  mkdirSync(dir)
  chownSync(dir, unprivilegedAccount.uid, unprivilegedAccount.gid)
  return dir
}

afterAll(() => rmSync(home, { recursive: true, force: true }))

describe.runIf(asRoot)('root', () => {
  test('runs PostgreSQL under another account, which cannot read the secrets', async () => {
    const dir = join(home, 'root')
    const { pid, stop } = await startPostgres({ dir, fsync: false })
    expect(statSync(`/proc/${pid}`).uid).not.toBe(0)
    expect(statSync(join(dir, 'data')).uid).toBe(statSync(`/proc/${pid}`).uid)
    expect(statSync(join(dir, 'secrets.json'))).toMatchObject({ uid: 0, mode: 0o100600 })
    await stop()
  })

  test('gets an error when that account could not reach the folder', async () => {
    const closed = join(home, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    await expect(startPostgres({ dir: join(closed, 'postgres') })).rejects.toThrow(/não alcança .*DATA_DIR/)
  })
})

describe.runIf(canSwitchAccount)('a normal user', () => {
  test('runs PostgreSQL under the own account', async () => {
    const folder = ownFolder('somebody')
    const other = runChildScript(
      home,
      START_POSTGRES,
      { dir: join(folder, 'postgres'), fsync: false },
      unprivilegedAccount,
    )
    const { pid } = await other.waitForMessage<RunningPostgres>('postgres')
    expect(statSync(`/proc/${pid}`).uid).toBe(unprivilegedAccount.uid)
    expect(statSync(join(folder, 'postgres/secrets.json'))).toMatchObject({
      uid: unprivilegedAccount.uid,
      mode: 0o100600,
    })
    other.send('stop')
    expect(await other.ended).toBe(0)
  })

  test('gets an error when the folder belongs to another account', async () => {
    const dir = join(home, 'of-root')
    mkdirSync(dir)
    chmodSync(dir, 0o755)
    const other = runChildScript(home, START_POSTGRES, { dir }, unprivilegedAccount)
    expect(await other.waitForMessage<string>('problem')).toMatch(/pertence a outro usuário/)
    await other.kill9()
  })
})
