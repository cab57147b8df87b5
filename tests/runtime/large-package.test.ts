import { execFile, fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { programFile } from '@garantia/server/programs'
import { expect, test } from 'vitest'
import { count } from '../support/exhaustive.ts'
import { slowness } from '../support/machine-speed.ts'
import { DOSSIER_KEY, SIGNING_KEY, startTestApp, type TestApp } from '../support/test-app.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILES = count({ exhaustive: 10_000, default: 2_000 })
const OBJECTS = FILES / 20
const SIZE = 50_000
const BATCH = 2_000
const BIG = { maxBuffer: 20_000_000 }

/** Rows as conversions leave them; twenty files share the bytes of one stored object. */
async function fill(testApp: TestApp) {
  const order = await testApp.make.order()
  const objects: { converted_key: string; converted_sha256: string; converted_crc32: number }[] = []
  for (let n = 0; n < OBJECTS; n++) {
    const content = randomBytes(SIZE)
    const row = await testApp.make.evidence({ order_id: order.id, deleted_at: new Date() }, content)
    const { original_key: converted_key, sha256: converted_sha256 } = row
    objects.push({ converted_key, converted_sha256, converted_crc32: crc32(content) })
  }
  const rows = Array.from({ length: FILES }, (_, n) => ({
    ...{ order_id: order.id, file_type: 'image' as const, format: 'jpeg', status: 'converted' as const },
    ...{ original_filename: `foto-${n}.jpg`, original_key: `os/nenhum/${n}/original.jpg`, file_size: SIZE },
    ...{ sha256: createHash('sha256').update(String(n)).digest('hex'), crc32: 1 },
    ...{ converted_filename: `OS_defeito_${n}.jpg`, converted_format: 'jpeg', converted_size: SIZE },
    ...{ converted_key: '', converted_sha256: '', converted_crc32: 0, ...objects[n % OBJECTS] },
    finished_at: new Date(),
  }))
  for (let from = 0; from < FILES; from += BATCH)
    await testApp.kernel.ctx.db
      .insertInto('evidence_files')
      .values(rows.slice(from, from + BATCH))
      .execute()
  return order.id
}

async function startServer(testApp: TestApp) {
  const server = fork(programFile(ROOT, 'server', process.env), {
    env: {
      ...process.env,
      DATABASE_URL: testApp.url,
      DATA_DIR: testApp.dir,
      SIGNING_KEY,
      DOSSIER_KEY,
      PORT: '0',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ url }] = (await once(server, 'message')) as [{ url: string }]
  const { pid = 0 } = server
  return {
    url,
    /** Resident bytes now and at their peak, as reported by the operating system. */
    async memory() {
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      const [now = 0, peak = 0] = ['VmRSS', 'VmHWM'].map(
        (key) => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1]) * 1024,
      )
      return { now, peak }
    },
    /** Milliseconds of processor time: what a client waits for on an idle machine. */
    async worked() {
      const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) * 10
    },
    async openObjects() {
      const links = (await readdir(`/proc/${pid}/fd`)).map((fd) =>
        readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''),
      )
      return (await Promise.all(links)).filter((link) => link.includes('/files/os/')).length
    },
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
    },
  }
}

test('promise 7: a package of thousands of files starts within a second of work, grows the server by less than 64 MB, is complete, and a client that disconnects frees it', {
  timeout: 300_000,
}, async () => {
  await using testApp = await startTestApp()
  const order_id = await fill(testApp)
  const { token } = await testApp.as(await testApp.make.user({ is_superuser: true }))
  await using server = await startServer(testApp)
  const ask = async () => {
    const before = await server.worked()
    const request = get(`${server.url}/api/v1/evidence/${order_id}/download-all`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    return { request, answer, worked: (await server.worked()) - before }
  }

  const { now: before } = await server.memory()
  const path = join(testApp.dir, 'pacote.zip')
  const { answer, worked } = await ask()
  expect(answer.statusCode).toBe(200)
  await once(answer.pipe(createWriteStream(path)), 'finish')
  expect(worked).toBeLessThan(1_000 * slowness())
  expect((await server.memory()).peak - before).toBeLessThan(64_000_000)
  const { stdout } = await promisify(execFile)('unzip', ['-tqq', path])
  expect(stdout).toBe('')
  const { stdout: list } = await promisify(execFile)('unzip', ['-Z1', path], BIG)
  expect(list.trim().split('\n')).toHaveLength(FILES + 2)
  const { stdout: text } = await promisify(execFile)('unzip', ['-p', path, 'manifesto.json'], BIG)
  const manifest = JSON.parse(text)
  expect(`${JSON.stringify(manifest, null, 2)}\n`).toBe(text)
  expect(manifest.files.map(({ name }: { name: string }) => name)).toEqual(
    Array.from({ length: FILES }, (_, n) => `OS_defeito_${n}.jpg`),
  )
  const { stdout: sums } = await promisify(execFile)('unzip', ['-p', path, 'SHA256SUMS'], BIG)
  expect(sums.trim().split('\n')).toHaveLength(FILES + 1)
  expect(sums).toContain(`${createHash('sha256').update(text).digest('hex')}  manifesto.json`)

  const left = await Promise.all(Array.from({ length: 5 }, ask))
  for (const { answer } of left) await once(answer, 'readable')
  await expect.poll(server.openObjects).toBeGreaterThan(0)
  for (const { request } of left) request.destroy()
  await expect.poll(server.openObjects).toBe(0)
})
