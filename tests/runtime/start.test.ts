import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MEGABYTE } from '@garantia/shared/format'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeClone, processesOf } from '../support/clone.ts'
import { slowness } from '../support/machine-speed.ts'
import { freePort } from '../support/product.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const STATE_ROOT = '/var/lib/garantia'
const FIRST = { username: 'chefe@garantia.test', password: 'senha-do-primeiro-acesso' }
const asRoot = process.getuid?.() === 0
const unprivilegedAccount = { uid: 65534, gid: 65534 }
const here = fileURLToPath(import.meta.url)
const canSwitchAccount =
  spawnSync(process.execPath, ['-e', `fs.readFileSync('${here}')`], unprivilegedAccount).status === 0
/** The own PATH begins with the bundled Node, which a newcomer does not have. */
const PATH = (process.env.PATH ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':')

/** Most that each process has for itself: 43 MB of an empty Node are pages of its program, which all share. */
const OWN_MEGABYTES = { 'server/launch.mjs': 40, 'standalone.js': 40, 'server.js': 150, 'worker.js': 150 }
const ownMemory = (pid: number) =>
  Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

const home = temporaryFolder('clone')
const mark = basename(home)
const clone = join(home, `${mark}-repo`)

beforeAll(() => makeClone(clone))
afterAll(() => {
  for (const pid of processesOf(mark)) process.kill(Number(pid), 'SIGKILL')
  rmSync(home, { recursive: true, force: true })
  const left = existsSync(STATE_ROOT) ? readdirSync(STATE_ROOT).filter((name) => name.startsWith(mark)) : []
  for (const state of left) rmSync(join(STATE_ROOT, state), { recursive: true, force: true })
}, 180_000)

describe.each([
  { who: 'root, in a folder closed to others', runs: asRoot, account: undefined, mode: 0o700 },
  {
    who: 'a normal user',
    runs: !asRoot || canSwitchAccount,
    account: asRoot ? unprivilegedAccount : undefined,
    mode: 0o711,
  },
])('npm start as $who', ({ runs, account, mode }) => {
  /** Where both accounts are tried, one of them does for what does not depend on it. */
  const further = account ? { tags: ['exhaustive'] } : {}
  // One that a failed test has left would be found by the next.
  afterEach(() => {
    for (const pid of processesOf(mark)) process.kill(Number(pid), 'SIGKILL')
  })
  const ownHome = join(home, `home-${mode}`)
  let port = 0
  let npm: ChildProcess
  let printed = ''
  let token = ''

  beforeAll(async () => {
    mkdirSync(ownHome)
    if (account) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, clone, ownHome])
    chmodSync(home, mode)
    port = await freePort()
  })

  async function start() {
    const before = Date.now()
    npm = spawn('npm', ['start'], {
      ...account,
      cwd: clone,
      env: {
        PATH,
        HOME: ownHome,
        PORT: String(port),
        FIRST_SUPERUSER: FIRST.username,
        FIRST_SUPERUSER_PASSWORD: FIRST.password,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    printed = ''
    for (const stream of [npm.stdout, npm.stderr]) {
      stream?.on('data', (text) => {
        printed += text
      })
    }
    await expect.poll(isHealthy, { interval: 50 }).toBe(true)
    return Date.now() - before
  }
  const call = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}/api/v1${path}`, init)
  const isHealthy = () =>
    call('/utils/health-check/')
      .then((reply) => reply.ok)
      .catch(() => false)
  const whoAmI = async () => {
    const reply = await call('/users/me', { headers: { authorization: `Bearer ${token}` } })
    return ((await reply.json()) as { email: string }).email
  }
  const allGone = () => expect.poll(() => processesOf(mark)).toEqual([])
  const pidOf = (script: string) =>
    Number(
      processesOf(mark).find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${script}\0`)),
    )

  test.runIf(runs)(
    'serves, prints a working sign-in of the first superuser, and ends with Ctrl-C (INST-1)',
    async () => {
      await start()
      const reply = await call('/login/access-token', { method: 'POST', body: new URLSearchParams(FIRST) })
      token = ((await reply.json()) as { access_token: string }).access_token
      expect(await whoAmI()).toBe(FIRST.username)
      expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('<html lang="pt-BR"')
      await expect.poll(() => printed).toContain(`Garantia está no ar: http://127.0.0.1:${port}`)
      const state = /Dados guardados em: +(.+)/.exec(printed)?.[1] ?? ''
      expect(state.startsWith(mode === 0o700 ? STATE_ROOT : clone)).toBe(true)
      expect(statSync(join(state, 'secrets.json')).mode & 0o777).toBe(0o600)
      // A terminal sends it to the whole foreground process group.
      process.kill(-(npm.pid ?? 0), 'SIGINT')
      await allGone()
    },
  )

  test.runIf(runs)(
    'starts again quickly, takes little memory, and ends with a SIGTERM to npm',
    further,
    async () => {
      expect((await start()) / slowness()).toBeLessThan(15_000)
      expect(await whoAmI()).toBe(FIRST.username)
      for (const [script, most] of Object.entries(OWN_MEGABYTES))
        await expect.poll(() => ownMemory(pidOf(script)) / MEGABYTE, { message: script }).toBeLessThan(most)
      npm.kill('SIGTERM')
      await allGone()
    },
  )

  test.runIf(runs)(
    'after kill -9 of the launcher nothing is lost and no process is left after the next stop',
    further,
    async () => {
      await start()
      process.kill(pidOf('server/launch.mjs'), 'SIGKILL')
      await allGone()
      await start()
      process.kill(pidOf('standalone.js'), 'SIGKILL')
      await expect.poll(isHealthy).toBe(false)
      await start()
      expect(await whoAmI()).toBe(FIRST.username)
      npm.kill('SIGKILL')
      await allGone()
    },
  )
})
