import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { unpackedPackages } from './debian-program.ts'
import { freePort } from './product.ts'
import { temporaryFolder } from './temporary-folder.ts'

const execute = promisify(execFile)
const READY_WITHIN_MS = 60_000

/** An S3 server, with whose keys buckets are made. */
export interface Radosgw {
  url: string
  access_key: string
  secret_key: string
  stop(): Promise<void>
}

/**
 * Ceph's S3 on loopback: a monitor, one store in memory, and the gateway, from Debian's packages, which are unpacked
 * beside the tests and not installed.
 */
export async function startRadosgw(): Promise<Radosgw> {
  const root = await unpackedPackages('ceph', ['radosgw', 'ceph-mon', 'ceph-osd'])
  const dir = temporaryFolder('ceph')
  const [monitorPort, port] = [await freePort(), await freePort()]
  const monitor = `v1:127.0.0.1:${monitorPort}`
  const [fsid, store] = [randomUUID(), randomUUID()]
  const libraries = join(root, `usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`)
  for (const folder of ['mon', 'osd', 'run']) mkdirSync(join(dir, folder))
  writeFileSync(join(dir, 'keyring'), '')
  writeFileSync(join(dir, 'ceph.conf'), configuration({ dir, fsid, monitor, libraries }))
  const bin = join(root, 'usr/bin')
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env.PATH}`,
    LD_LIBRARY_PATH: [
      libraries,
      join(libraries, 'ceph'),
      join(root, `lib/${libraries.split('/').at(-1)}`),
    ].join(':'),
    PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
    CEPH_ARGS: `-c ${join(dir, 'ceph.conf')}`,
  }
  const run = (program: string, ...args: string[]) => execute(join(bin, program), args, { env, cwd: dir })
  const running: ChildProcess[] = []
  const start = (program: string, ...args: string[]) => {
    const child = spawn(join(bin, program), ['-f', ...args], {
      ...{ env, cwd: dir },
      stdio: ['ignore', 'ignore', openSync(join(dir, `${program}.log`), 'w')],
    })
    running.push(child)
    return child
  }
  async function stop() {
    for (const child of running.reverse()) child.kill('SIGKILL')
  }
  // However the tests end.
  process.once('exit', () => void stop())
  try {
    const map = join(dir, 'monmap')
    await run('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', `[${monitor}]`, map)
    await run('ceph-mon', '-i', 'a', '--mkfs', '--monmap', map)
    start('ceph-mon', '-i', 'a')
    await run('ceph', 'osd', 'new', store)
    await run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', store)
    start('ceph-osd', '-i', '0')
    const keys = { access_key: 'chave', secret_key: 'segredo' }
    start('radosgw', '-n', 'client.rgw', '--rgw-frontends', `beast endpoint=127.0.0.1:${port}`)
    const url = `http://127.0.0.1:${port}`
    await answering(url).catch((error) => {
      throw new Error(`${error.message}: ${readFileSync(join(dir, 'radosgw.log'), 'utf8').slice(-2_000)}`)
    })
    const of = Object.entries(keys).map(([name, value]) => `--${name.replace('_', '-')}=${value}`)
    await run('radosgw-admin', 'user', 'create', '--uid=garantia', '--display-name=Garantia', ...of)
    return { url, ...keys, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A cluster of one store in memory, without keys: only this machine reaches it. */
const configuration = (of: { dir: string; fsid: string; monitor: string; libraries: string }) => `[global]
fsid = ${of.fsid}
mon host = ${of.monitor}
mon initial members = a
auth cluster required = none
auth service required = none
auth client required = none
public addr = 127.0.0.1
ms bind msgr2 = false
run dir = ${of.dir}/run
admin socket =
pid file =
log to file = false
log to stderr = true
err to stderr = true
keyring = ${of.dir}/keyring
mon data = ${of.dir}/mon
mon allow pool size one = true
osd data = ${of.dir}/osd
osd objectstore = memstore
memstore device bytes = 4294967296
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pgp num = 8
osd crush chooseleaf type = 0
plugin dir = ${of.libraries}/ceph
erasure code dir = ${of.libraries}/ceph/erasure-code
osd class dir = ${of.libraries}/rados-classes
`

async function answering(url: string) {
  for (const until = Date.now() + READY_WITHIN_MS; ; await wait(200)) {
    const isThere = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) return
    if (Date.now() > until) throw new Error(`radosgw does not answer within ${READY_WITHIN_MS / 1_000} s`)
  }
}
