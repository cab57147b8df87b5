import { readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { evidenceList, uploadResult } from '@garantia/shared/evidence/schema'
import { expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import * as media from '../support/media.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { filesUnder, multipart, startTestApp } from '../support/test-app.ts'
import { chunkHeaders, creationHeaders, TUS } from '../support/tus.ts'
import { CONVERSION_TIMEOUT_MS } from './order-fixture.ts'
import { operatorCommand, spawnOnSmallDisk } from './process.ts'

const MB = 1_000_000
const FULL = { detail: 'Sem espaço em disco para gravar. Avise o administrador.' }

test('promise 6: a full disk is 507 to uploads and a failure reason to conversions, nothing stays partial, and all resumes once there is space', {
  timeout: CONVERSION_TIMEOUT_MS,
}, async () => {
  await using testApp = await startTestApp()
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const order = await testApp.make.order()
  const disk = await spawnOnSmallDisk(testApp, 16)
  const phone = temporaryFolder('telefone')
  const filler = join(disk.inside, 'enchimento')
  const fillTo = async (rest: number) => {
    const { bavail, bsize } = await statfs(disk.inside)
    const before = await readFile(filler).catch(() => Buffer.alloc(0))
    await writeFile(filler, Buffer.alloc(before.length + bavail * bsize - rest))
  }
  const call = async (method: string, path: string, headers: Record<string, string> = {}, body?: Buffer) => {
    const answer = await fetch(`${disk.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${boss.token}`, ...headers },
      ...(body && { body: new Uint8Array(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, json: () => JSON.parse(text) }
  }
  const upload = (filename: string, content: Buffer) => {
    const { body, headers } = multipart([{ name: 'files', filename, content }])
    return call('POST', `/evidence/${order.id}/upload`, headers, body)
  }
  const listed = async () =>
    evidenceList.parse((await call('GET', `/evidence/${order.id}/evidence`)).json()).evidence_files
  const statusOf = async (id: number) => (await listed()).find((file) => file.id === id)?.status
  const onDisk = async () =>
    (await filesUnder(disk.inside))
      .map((path) => path.slice(disk.inside.length + 1))
      .filter((path) => path !== 'enchimento')
  const begin = (size: number) =>
    call('POST', '/uploads', creationHeaders(size, { order_id: order.id, filename: 'grande.jpg' }))

  try {
    const photo = await readFile(await media.photo(phone, { width: 1800, height: 1300, noise: 100 }))
    const [file] = uploadResult.parse((await upload('foto.jpg', photo)).json()).uploaded
    const id = file?.id ?? 0
    await expect.poll(async () => (await listed())[0]?.thumbnail_url ?? null).not.toBeNull()
    const large = Buffer.concat([await picture(), Buffer.alloc(3 * MB, 1)])
    const path = String((await begin(large.length)).headers.get('location')).replace('/api/v1', '')
    expect((await call('PATCH', path, chunkHeaders(0), large.subarray(0, MB))).status).toBe(204)
    const stored = (await onDisk()).filter((path) => path.startsWith('files/')).sort()

    // What was read in the photo is the last to be done, and its process lives some seconds longer.
    await expect.poll(async () => (await onDisk()).filter((path) => path.includes('/decoder-'))).toEqual([])

    await fillTo(200_000)
    const examined = await operatorCommand({ ...testApp, dir: disk.inside }, ['doutor'])
    expect([examined.code, examined.out]).toEqual([4, expect.stringContaining('envios são recusados')])
    const noRoom = { detail: expect.stringMatching(/^Este envio de 3 MB não cabe no disco: restam 0 B/) }
    for (const [attempt, said] of [
      [() => upload('grande.jpg', large), noRoom],
      [() => begin(large.length), noRoom],
      [() => call('PATCH', path, chunkHeaders(MB), large.subarray(MB)), FULL],
    ] as const) {
      const answer = await attempt()
      expect([answer.status, answer.json()]).toEqual([507, said])
      expect(answer.headers.get('x-request-id')).toBeTruthy()
    }
    expect((await call('HEAD', path, TUS)).status).toBe(404)
    expect((await onDisk()).sort()).toEqual(stored)
    expect((await call('GET', '/users/me')).status).toBe(200)
    expect((await call('GET', `/evidence/${id}/download?original=true`)).status).toBe(200)
    expect((await listed()).map((one) => one.id)).toEqual([id])

    await fillTo(100_000)
    expect((await call('POST', `/evidence-conversion/${id}/convert`)).status).toBe(200)
    await expect.poll(() => statusOf(id)).toBe('failed')
    expect((await listed())[0]?.error).toBe(
      'Faltou espaço em disco para converter. Libere espaço e processe o arquivo de novo.',
    )
    expect((await onDisk()).sort()).toEqual(stored)

    await rm(filler)
    expect((await call('POST', `/evidence-conversion/${id}/convert`)).status).toBe(200)
    await expect.poll(() => statusOf(id)).toBe('converted')
    expect((await upload('grande.jpg', large)).status).toBe(201)
  } finally {
    await disk.stop()
    await rm(phone, { recursive: true, force: true })
  }
})
