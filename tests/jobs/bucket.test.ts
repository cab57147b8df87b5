import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { removeOldArchives } from '@garantia/server/features/evidence/archives'
import type { DossierView } from '@garantia/shared/dossier/schema'
import type { PackageArchive } from '@garantia/shared/evidence/archive'
import type { EvidenceFile, EvidenceList } from '@garantia/shared/evidence/schema'
import { expect, test } from 'vitest'
import * as media from '../support/media.ts'
import { s3Server } from '../support/s3-server.ts'
import { filesUnder, multipart, startTestApp } from '../support/test-app.ts'
import { chunkHeaders, creationHeaders } from '../support/tus.ts'
import { CONVERSION_TIMEOUT_MS } from './order-fixture.ts'
import { operatorCommand, spawnServer, spawnWorker, stopProcess } from './process.ts'

const run = promisify(execFile)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const DAY = 86_400_000

test('two servers and a worker that share a database and a bucket, but no disk, do the main job by configuration only (INST-7)', {
  tags: ['exhaustive'],
  timeout: CONVERSION_TIMEOUT_MS,
}, async () => {
  await using service = await s3Server()
  await using testApp = await startTestApp({ ...service.environment, S3_PREFIX: 'loja' })
  const { ctx } = testApp.kernel
  const apart = await mkdtemp(join(tmpdir(), 'garantia-apart-'))
  const [here, there, worker] = await Promise.all([
    spawnServer(testApp, { DATA_DIR: join(apart, 'here') }),
    spawnServer(testApp, { DATA_DIR: join(apart, 'there') }),
    spawnWorker(testApp, { DATA_DIR: join(apart, 'worker') }),
  ])
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const brand = await testApp.make.brand({ max_file_size_mb: 10 })
  const { id } = await testApp.make.order({ brand_id: brand.id, vehicle_chassis: '9BGXX00X00B123456' })
  const call = async (server: { url: string }, path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${boss.token}`, ...init.headers }
    const answer = await fetch(`${server.url}${path}`, { ...init, headers })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return answer
  }
  const bytes = async (server: { url: string }, path: string, headers: Record<string, string> = {}) =>
    Buffer.from(await (await call(server, path, { headers })).arrayBuffer())
  const post = (server: { url: string }, path: string) => call(server, path, { method: 'POST' })
  const list = async (): Promise<EvidenceFile[]> => {
    const all: EvidenceList = await (await call(there, `/api/v1/evidence/${id}/evidence`)).json()
    return all.evidence_files
  }
  const objects = async (folder?: string) => {
    const keys: string[] = []
    for await (const { key } of ctx.storage.list(folder)) keys.push(key)
    return keys
  }

  const photo = await media.photo(apart, { width: 1600, height: 1200, noise: 120 })
  const videoPath = await media.video(apart, { seconds: 2 })
  const pdfPath = await media.pdf(apart, { photo: { width: 400, height: 300 } })
  const contents = await Promise.all([photo, pdfPath, videoPath].map((path) => readFile(path)))
  const [, , videoBytes] = contents as [Buffer, Buffer, Buffer]
  const { body, headers } = multipart(
    [photo, pdfPath].map((path, n) => ({
      name: 'files',
      filename: basename(path),
      content: contents[n] ?? '',
    })),
  )
  await call(here, `/api/v1/evidence/${id}/upload`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  })
  const begun = await call(here, '/api/v1/uploads', {
    method: 'POST',
    headers: creationHeaders(videoBytes.length, { order_id: id, filename: 'filme.mp4' }),
  })
  await call(here, new URL(begun.headers.get('location') ?? '', here.url).pathname, {
    method: 'PATCH',
    headers: chunkHeaders(0),
    body: new Uint8Array(videoBytes),
  })
  expect(await list()).toHaveLength(3)

  await post(there, `/api/v1/evidence-conversion/${id}/convert-all`)
  await expect
    .poll(async () => (await list()).map(({ status, error }) => [status, error]), {
      timeout: CONVERSION_TIMEOUT_MS - 60_000,
      interval: 300,
    })
    .toEqual(Array(3).fill(['converted', null]))
  await expect
    .poll(async () =>
      (await list()).map(({ file_type, thumbnail_url }) => [file_type, thumbnail_url !== null]),
    )
    .toEqual([
      ['image', true],
      ['pdf', false],
      ['video', true],
    ])

  const files = await list()
  for (const [n, { id, thumbnail_url }] of files.entries()) {
    const original = await bytes(there, `/api/v1/evidence/${id}/download?original=true`)
    expect(original.equals(contents[n] ?? Buffer.alloc(0))).toBe(true)
    if (thumbnail_url)
      expect((await bytes(here, thumbnail_url)).equals(await bytes(there, thumbnail_url))).toBe(true)
  }
  const packages = await Promise.all(
    [here, there].map((server) => bytes(server, `/api/v1/evidence/${id}/download-all`)),
  )
  const [zip = Buffer.alloc(0), again] = packages
  expect(again?.equals(zip)).toBe(true)
  const part = await bytes(there, `/api/v1/evidence/${id}/download-all`, { range: 'bytes=5000-90000' })
  expect(part.equals(zip.subarray(5_000, 90_001))).toBe(true)
  await writeFile(join(apart, 'pacote.zip'), zip)
  await run('unzip', ['-q', join(apart, 'pacote.zip'), '-d', join(apart, 'pacote')])
  const { stdout } = await run('sha256sum', ['-c', 'SHA256SUMS'], { cwd: join(apart, 'pacote') })
  expect(stdout.match(/: OK$/gm)?.length).toBeGreaterThanOrEqual(3)

  await post(here, `/api/v1/service-orders/${id}/dossier`)
  let dossier: DossierView | undefined
  for (const late = Date.now() + 60_000; dossier?.status !== 'sealed' && Date.now() < late; await wait(300))
    dossier = (await (await call(there, `/api/v1/service-orders/${id}/dossier`)).json()).data[0]
  expect(dossier).toMatchObject({ n: 1, status: 'sealed' })
  for (const { part, sha256: sum } of dossier?.files ?? [])
    expect(sha256(await bytes(there, `/api/v1/service-orders/${id}/dossier/1/download?part=${part}`))).toBe(
      sum,
    )

  await call(here, '/api/v1/service-orders/packages', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ids: [id] }),
  })
  const archive = async (): Promise<PackageArchive> =>
    (await (await call(there, '/api/v1/service-orders/packages')).json()).data[0]
  await expect.poll(async () => (await archive()).status).toBe('ready')
  await writeFile(join(apart, 'pacotes.zip'), await bytes(there, (await archive()).url ?? ''))
  await run('unzip', ['-tq', join(apart, 'pacotes.zip')])
  expect(await objects('pacotes')).toHaveLength(1)

  expect((await objects(`os/${id}`)).map((key) => basename(key)).sort()).toEqual([
    ...Array(3).fill('converted-1'),
    ...['dossie.pdf', 'dossie.zip', 'original.jpg', 'original.mp4', 'original.pdf', 'preview', 'preview'],
  ])
  const stored = async () => {
    const disks = ['here', 'there', 'worker'].map((name) => filesUnder(join(apart, name)))
    return (await Promise.all(disks)).flat()
  }
  // What was read in the photo is the last to be done, and its process lives some seconds longer.
  await expect.poll(stored).toEqual([])
  const verified = await operatorCommand(testApp, ['verificar', '--json'])
  expect([verified.code, JSON.parse(verified.out).faults]).toEqual([0, []])
  await ctx.storage.remove((await objects(`os/${id}`)).find((key) => key.includes('original')) ?? '')
  expect((await operatorCommand(testApp, ['verificar', '--rapido'])).code).toBe(4)

  await call(here, `/api/v1/service-orders/${id}`, { method: 'DELETE' })
  await ctx.db
    .updateTable('service_orders')
    .set({ deleted_at: new Date(Date.now() - 31 * DAY) })
    .where('id', '=', id)
    .execute()
  expect((await operatorCommand(testApp, ['limpar'])).code).toBe(0)
  await ctx.db.updateTable('package_archives').set({ expires_at: new Date() }).execute()
  await removeOldArchives(ctx)
  // The journal of the trail outlives what it speaks of.
  expect((await objects()).filter((key) => !key.startsWith('trilha/'))).toEqual([])

  expect(await stopProcess(worker, 'SIGTERM')).toBe(0)
  for (const server of [here, there]) expect(await stopProcess(server.process, 'SIGTERM')).toBe(0)
  await rm(apart, { recursive: true, force: true })
})
