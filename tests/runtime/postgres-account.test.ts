import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RunningPostgres, startPostgres } from '@garantia/server/postgres'
import { afterAll, describe, expect, test } from 'vitest'
import { runChildScript } from '../support/child-script.ts'
import { startProduct } from '../support/product.ts'
import { START_POSTGRES } from '../support/start-postgres.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const home = temporaryFolder('conta')
const asRoot = process.getuid?.() === 0
const unprivilegedAccount = { uid: 65534, gid: 65534 }
const here = fileURLToPath(import.meta.url)
/** Only root can try another account, and only where that account can read this clone. */
const canSwitchAccount =
  asRoot &&
  spawnSync(process.execPath, ['-e', `fs.readFileSync('${here}')`], unprivilegedAccount).status === 0

const uidOf = (name: string) =>
  Number(new RegExp(`^${name}:[^:]*:(\\d+)`, 'm').exec(readFileSync('/etc/passwd', 'utf8'))?.[1])

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
    expect(statSync(`${dir}.json`)).toMatchObject({ uid: 0, mode: 0o100600 })
    await stop()
  })

  test('gets an error when that account could not reach the folder', async () => {
    const closed = join(home, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    await expect(startPostgres({ dir: join(closed, 'postgres') })).rejects.toThrow(/não alcança .*DATA_DIR/)
  })
})

/** Below 1024, where only root may listen. */
async function freeLowPort() {
  for (let port = 1023; port > 600; port--) {
    const probe = createServer()
    const isFree = await new Promise<boolean>((resolve) =>
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)),
    )
    probe.close()
    if (isFree) return port
  }
  throw new Error('no free port below 1024')
}

describe.runIf(canSwitchAccount)('root', () => {
  test('runs server and worker under an account of their own, which it makes, on a low port too, and gives it the files of an earlier start', async () => {
    const dir = join(home, 'product')
    mkdirSync(join(dir, 'files/os/1'), { recursive: true })
    writeFileSync(join(dir, 'files/os/1/original.jpg'), 'x', { mode: 0o400 })
    const left = join(dir, 'tmp', '99999999@outra-maquina@x')
    mkdirSync(join(left, 'decoder-y'), { recursive: true, mode: 0o700 })
    utimesSync(left, 1, 1)
    chownSync(join(dir, 'tmp'), 65534, 65534)
    chmodSync(dir, 0o711)
    const BACKUP_TO = join(home, 'backups')
    const product = await startProduct({ DATA_DIR: dir, PORT: String(await freeLowPort()), BACKUP_TO })
    try {
      const uids = [product.serverPid(), product.workerPid()].map((pid) => statSync(`/proc/${pid}`).uid)
      const own = uidOf('garantia')
      expect(uids).toEqual([own, own])
      for (const path of ['files', 'files/os/1', 'files/os/1/original.jpg', 'tmp'])
        expect([path, statSync(join(dir, path)).uid]).toEqual([path, own])
      expect([0, own]).not.toContain(statSync(join(dir, 'postgres')).uid)
      expect(existsSync(left)).toBe(false)
      expect(statSync(join(dir, 'secrets.json'))).toMatchObject({ uid: 0, mode: 0o100600 })
      // What an operator makes there, the worker goes on with.
      const backup = [join(ROOT, 'server/src/standalone.ts'), 'worker', 'backup']
      execFileSync(process.execPath, backup, { env: { ...process.env, DATA_DIR: dir, BACKUP_TO } })
      const made = readdirSync(BACKUP_TO, { recursive: true, encoding: 'utf8' })
      expect(made).toContainEqual(expect.stringMatching(/manifest\.json$/))
      for (const path of ['', ...made])
        expect([path, statSync(join(BACKUP_TO, path)).uid]).toEqual([path, own])
    } finally {
      await product.stop()
    }
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
    expect(statSync(join(folder, 'postgres.json'))).toMatchObject({
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
