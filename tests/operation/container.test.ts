import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programFile } from '@garantia/server/programs'
import { openDecoders } from '@garantia/worker/decoder/decoders'
import { remoteHost } from '@garantia/worker/decoder/remote'
import type { Run } from '@garantia/worker/media/media'
import { expect, onTestFinished, test } from 'vitest'
import { findProgram } from '../support/debian-program.ts'
import { iphoneHeic, pdf, photo, sourceOf, video } from '../support/media.ts'
import { drawPhotos, platePhoto } from '../support/plates.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/* The decoder as compose and Kubernetes run it: in a container by runc, with the profile that is shipped. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const PROFILE = JSON.parse(readFileSync(join(ROOT, 'server/deploy/seccomp-decoder.json'), 'utf8'))
const ACCOUNT = 10001
const SYSTEM = ['/bin', '/sbin', '/lib', '/lib64', '/usr', '/etc/ld.so.cache', '/etc/alternatives']
const runc = await findProgram('runc')

interface Container {
  args: string[]
  /** Compose gives the decoder a network without interfaces; in a pod it shares the worker's. */
  network: 'none' | 'of the pod'
}
/** Starts a container in which the system and the application are read-only, and what its folders are outside. */
function start({ args, network }: Container) {
  const dir = temporaryFolder('conteiner')
  const [data, socket] = [join(dir, 'data'), join(dir, 'socket')]
  mkdirSync(join(dir, 'rootfs'), { mode: 0o755 })
  for (const folder of [data, socket]) {
    mkdirSync(folder, { mode: 0o700 })
    chownSync(folder, ACCOUNT, ACCOUNT)
  }
  const bind = (source: string, destination: string, ...more: string[]) => ({
    ...{ source, destination, type: 'bind', options: ['rbind', 'nosuid', 'nodev', ...more] },
  })
  const config = {
    ociVersion: '1.0.2',
    root: { path: 'rootfs', readonly: true },
    process: {
      user: { uid: ACCOUNT, gid: ACCOUNT },
      args,
      cwd: '/',
      env: [
        'PATH=/usr/local/bin:/usr/bin:/bin',
        'HOME=/tmp',
        'DATA_DIR=/data',
        'DECODER_SOCKET=/run/garantia/decoder.sock',
      ].concat(process.env.PROGRAMS_DIR ? [`PROGRAMS_DIR=${process.env.PROGRAMS_DIR}`] : []),
      capabilities: { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] },
      noNewPrivileges: true,
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=64k'] },
      { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777'] },
      ...SYSTEM.filter(existsSync).map((path) => bind(path, path, 'ro')),
      bind(ROOT, ROOT, 'ro'),
      bind(data, '/data'),
      bind(socket, '/run/garantia'),
    ],
    linux: {
      namespaces: ['pid', 'mount', 'ipc', 'uts', ...(network === 'none' ? ['network'] : [])].map((type) => ({
        type,
      })),
      maskedPaths: ['/proc/kcore', '/proc/keys', '/proc/timer_list', '/sys/firmware'],
      readonlyPaths: ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'],
      seccomp: PROFILE,
    },
  }
  writeFileSync(join(dir, 'config.json'), JSON.stringify(config))
  const id = basename(dir)
  const child = spawn(runc.path, ['run', '--bundle', dir, id], {
    env: runc.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  const ended = new Promise<string>((resolve) => child.once('close', () => resolve(said)))
  onTestFinished(async () => {
    if (child.exitCode === null) execFileSync(runc.path, ['kill', id, 'KILL'], { env: runc.env })
    await ended
  })
  return { dir, socket: join(socket, 'decoder.sock'), ended, said: () => said }
}

const TARGET = {
  budget_bytes: 1_000_000,
  image_formats: ['jpg'],
  video_formats: ['mp4'],
  long_side: 1920,
  keep_gps: false,
}

test.each(['none', 'of the pod'] as const)(
  'photos, videos and PDFs are read in a container with the shipped profile, network %s',
  { timeout: 180_000 },
  async (network) => {
    const program = programFile(ROOT, 'decoder-service', process.env)
    const container = start({ args: [process.execPath, program], network })
    const host = remoteHost(container.socket)
    const isolation = () => host.isolation().catch(() => container.said())
    await expect.poll(isolation, { timeout: 30_000 }).toBe('container')
    const decoders = openDecoders(host)
    onTestFinished(() => decoders.close())
    let runs = 0
    const run = (): Run => {
      const dir = join(container.dir, `run-${runs++}`)
      mkdirSync(dir)
      return { dir, signal: new AbortController().signal, onProgress: () => undefined }
    }
    await decoders.withTools(1, async (media) => {
      const files = temporaryFolder('midia')
      const heic = await sourceOf(await iphoneHeic(files), 'heic')
      expect(await media.convert(heic, TARGET, run())).toMatchObject({ format: 'jpeg' })
      expect((await media.preview(heic, run()))?.size).toBeGreaterThan(0)
      const jpeg = await sourceOf(await photo(files, { name: 'foto' }), 'jpeg')
      expect(await media.page(jpeg, { long_side: 200, quality: 80 }, run())).toMatchObject({
        path: expect.any(String),
      })
      const film = await sourceOf(await video(files), 'mp4')
      expect(await media.convert(film, { ...TARGET, budget_bytes: 300_000 }, run())).toMatchObject({
        format: 'mp4',
      })
      expect((await media.preview(film, run()))?.size).toBeGreaterThan(0)
      const report = await sourceOf(await pdf(files), 'pdf')
      expect(await media.inspect(report, run())).toMatchObject({ pages: 2 })
      const [path = ''] = (await drawPhotos(files, [platePhoto('BRA2E19')])).values()
      const { found } = await media.read(await sourceOf(path, 'jpeg'), { kinds: ['plate', 'vin'] }, run())
      expect(found).toMatchObject([{ kind: 'plate', text: 'BRA2E19' }])
    })
  },
)

/** What a decoder that was taken over could try. */
const TRIES = `
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const net = require('node:net')
const ran = (...command) => spawnSync(command[0], command.slice(1)).status === 0
const can = (work) => { try { work(); return true } catch { return false } }
const connected = new Promise((resolve) =>
  net.connect(Number(process.argv[1]), '127.0.0.1', () => resolve('connected')).on('error', ({ code }) => resolve(code)))
connected.then((network) => console.log(JSON.stringify({
  network,
  namespace: ran('unshare', '--user', 'true'),
  root: can(() => fs.writeFileSync('/usr/x', '')) || can(() => fs.writeFileSync('/x', '')),
  application: can(() => fs.writeFileSync(${JSON.stringify(ROOT)} + '/x', '')),
  data: can(() => fs.writeFileSync('/data/x', '')),
  privileges: /NoNewPrivs:\\s*1/.test(fs.readFileSync('/proc/self/status', 'utf8')),
  rights: /CapBnd:\\s*(\\w+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1],
  processes: fs.readdirSync('/proc').map(Number).filter(Boolean).length,
})))`

test('what it could try there is refused, also where it shares the network of the pod', async () => {
  const server = createServer((socket) => socket.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const tried = start({ args: [process.execPath, '-e', TRIES, String(port)], network: 'of the pod' })
  const said = await tried.ended
  expect(JSON.parse(said), said).toEqual({
    network: 'EPERM',
    namespace: false,
    root: false,
    application: false,
    data: true,
    privileges: true,
    rights: '0000000000000000',
    processes: 1,
  })
})
