import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { evidenceList, uploadResult } from '@garantia/shared/evidence/schema'
import { expect, test } from 'vitest'
import { count } from '../support/exhaustive.ts'
import { picture } from '../support/make.ts'
import { multipart, startTestApp } from '../support/test-app.ts'
import { chunkHeaders, creationHeaders, TUS } from '../support/tus.ts'
import { CONVERSION_TIMEOUT_MS } from './order-fixture.ts'
import { operatorCommand, spawnServer, stopProcess } from './process.ts'

const KILLS = count({ exhaustive: 3, default: 1 })
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('promise 3: a server killed repeatedly in mid-upload loses no acknowledged byte, shows nothing partial, and leaves nothing after the sweep', {
  timeout: CONVERSION_TIMEOUT_MS,
}, async () => {
  await using testApp = await startTestApp()
  const { ctx } = testApp.kernel
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const order = await testApp.make.order()
  const content = Buffer.concat([await picture(), randomBytes(24_000_000)])
  const authorization = `Bearer ${boss.token}`
  let server = await spawnServer(testApp)

  const call = (method: string, path: string, headers: Record<string, string>, body?: Buffer) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { authorization, ...headers },
      ...(body && { body: new Uint8Array(body) }),
    })
  const begin = async (size: number) => {
    const answer = await call(
      'POST',
      '/api/v1/uploads',
      creationHeaders(size, { order_id: order.id, filename: 'a.jpg' }),
    )
    expect(answer.status).toBe(201)
    return answer.headers.get('location') ?? ''
  }
  const offsetOf = async (path: string) =>
    Number((await call('HEAD', path, TUS)).headers.get('upload-offset'))
  /** Sends without waiting for a response; bytes in flight when the server dies are not acknowledged. */
  async function pour(method: string, path: string, headers: Record<string, string>, body: Buffer) {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    const head = Object.entries({
      host: hostname,
      authorization,
      'content-length': String(body.length),
      ...headers,
    })
    socket.write(`${method} ${path} HTTP/1.1\r\n${head.map(([k, v]) => `${k}: ${v}`).join('\r\n')}\r\n\r\n`)
    socket.write(body.subarray(0, Math.floor(body.length * 0.8)))
    return socket
  }

  const path = await begin(content.length)
  const abandoned = await begin(content.length)
  expect((await call('PATCH', abandoned, chunkHeaders(0), content.subarray(0, 100_000))).status).toBe(204)
  let acknowledged = 0
  for (let kill = 0; kill < KILLS; kill++) {
    // Always a part of the missing bytes, however many arrived before the last kill.
    const piece = content.subarray(
      acknowledged,
      acknowledged + Math.ceil((content.length - acknowledged) / 10),
    )
    const answer = await call('PATCH', path, chunkHeaders(acknowledged), piece)
    expect(answer.status).toBe(204)
    acknowledged = Number(answer.headers.get('upload-offset'))
    const rest = content.subarray(acknowledged)
    const { body, headers } = multipart([{ name: 'files', filename: 'inteira.jpg', content: rest }])
    const sockets = [
      await pour('PATCH', path, chunkHeaders(acknowledged), rest),
      await pour('PATCH', abandoned, chunkHeaders(await offsetOf(abandoned)), content),
      await pour('POST', `/api/v1/evidence/${order.id}/upload`, headers, body),
    ]
    await wait(Math.random() * 120)
    await stopProcess(server.process, 'SIGKILL')
    for (const socket of sockets) socket.destroy()
    server = await spawnServer(testApp)
    const offset = await offsetOf(path)
    expect(offset).toBeGreaterThanOrEqual(acknowledged)
    acknowledged = offset
    const list = evidenceList.parse((await boss.api('GET', `/evidence/${order.id}/evidence`)).json())
    expect(list).toMatchObject({ total_files: 0, package_bytes: 0 })
  }

  const last = await call('PATCH', path, chunkHeaders(acknowledged), content.subarray(acknowledged))
  expect(last.status).toBe(200)
  const [file] = uploadResult.parse(await last.json()).uploaded
  expect([file?.file_size, file?.sha256]).toEqual([content.length, sha256(content)])
  const download = await boss.api('GET', `/evidence/${file?.id}/download?original=true`)
  expect(sha256(download.rawPayload)).toBe(sha256(content))

  expect(await offsetOf(abandoned)).toBeGreaterThanOrEqual(100_000)
  await ctx.db
    .updateTable('uploads')
    .set({ created_at: new Date(Date.now() - 90_000_000), expires_at: new Date(Date.now() - 1) })
    .execute()
  await stopProcess(server.process, 'SIGKILL')
  server = await spawnServer(testApp)
  await expect.poll(() => ctx.db.selectFrom('uploads').selectAll().execute()).toEqual([])
  expect(await readdir(ctx.config.partial_files_dir)).toEqual([])
  // Those of this process and of the server that runs.
  const folders = (await readdir(ctx.config.scratch_dir)).filter((name) => name.includes('@'))
  expect(folders).toHaveLength(2)
  expect(folders).toContain(ctx.scratch.folder)
  const checked = await operatorCommand(testApp, ['verificar', '--json'])
  expect([checked.code, JSON.parse(checked.out)]).toMatchObject([0, { objects: 1, faults: [] }])
  expect(await stopProcess(server.process, 'SIGTERM')).toBe(0)
})
