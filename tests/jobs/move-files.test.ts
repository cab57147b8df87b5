import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { applicationName } from '@garantia/server/kernel'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { s3Server } from '../support/s3-server.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { operatorCommand, spawnServer, stopProcess } from './process.ts'

const [DONE, FAILED, USAGE, NOTHING, FOUND] = [0, 1, 2, 3, 4]

test('mover-arquivos copies the files to the bucket and back, goes on where it was cut off, and removes only what is the same', async () => {
  await using service = await s3Server()
  await using testApp = await startTestApp()
  const { ctx } = testApp.kernel
  const inBucket = (...args: string[]) => operatorCommand(testApp, args, service.environment)
  const onDisk = (...args: string[]) => operatorCommand(testApp, args)
  const inFolder = async () => {
    const keys: string[] = []
    for await (const { key } of ctx.storage.list()) keys.push(key)
    return keys.sort()
  }
  const { id: order_id } = await testApp.make.order()
  const files = [await testApp.make.converted({ order_id }), await testApp.make.converted({ order_id })]
  const [first, second] = files.map(({ original_key }) => original_key) as [string, string]
  const before = await inFolder()
  expect(before).toHaveLength(4)

  expect(await onDisk('mover-arquivos', '--para', 's3')).toMatchObject({
    code: FAILED,
    err: 'Diga o bucket em S3_BUCKET: de lá, ou para lá, vão os arquivos.\n',
  })
  expect(await inBucket('mover-arquivos', '--para', 'fita')).toMatchObject({ code: USAGE })
  expect(await inBucket('mover-arquivos', '--para', 'disco')).toMatchObject({ code: NOTHING })

  await endOwnConnections(testApp)
  // While a server runs, as an installation that goes on working.
  const server = await spawnServer(testApp)
  const copied = await inBucket('mover-arquivos', '--para', 's3')
  expect(copied).toMatchObject({ code: DONE, err: '' })
  expect(copied.out).toMatch(/^No bucket: 4 arquivos \(\d+ B\), 4 copiados agora\.\n$/)
  expect(await inFolder()).toEqual(before)
  expect(await inBucket('verificar')).toMatchObject({ code: DONE })
  expect(await inBucket('mover-arquivos', '--para', 's3', '--remover')).toMatchObject({
    code: FAILED,
    err: 'Pare servidor e worker antes de remover: eles ainda leem e gravam onde os arquivos estão agora.\n',
  })
  expect(await inFolder()).toEqual(before)
  await stopProcess(server.process, 'SIGTERM')

  // One was not copied yet when the last call was cut off, and one is not the same.
  await service.remove(first)
  await rm(join(ctx.config.files_dir, second))
  await writeFile(join(ctx.config.files_dir, second), 'outro', { mode: 0o400 })
  const again = await inBucket('mover-arquivos', '--para', 's3', '--remover')
  expect(again.code).toBe(FOUND)
  expect(again.out).toContain(`1 copiado agora.\n3 removidos de onde estavam.\ndiferente ${second}\n`)
  expect(await inFolder()).toEqual([second])
  expect(await inBucket('verificar')).toMatchObject({ code: DONE })

  await rm(join(ctx.config.files_dir, second))
  const back = await inBucket('mover-arquivos', '--para', 'disco', '--remover', '--json')
  expect(back.code).toBe(DONE)
  expect(JSON.parse(back.out)).toMatchObject({ objects: 4, copied: 4, removed: 4, different: [] })
  expect(await inFolder()).toEqual(before)
  expect(await onDisk('verificar')).toMatchObject({ code: DONE })
  expect(await inBucket('mover-arquivos', '--para', 'disco')).toMatchObject({ code: NOTHING })
})

/** This process is no server, but its idle connections are named as those of one. */
async function endOwnConnections({ url, owner_url }: TestApp) {
  for (const connectionString of [url, owner_url]) {
    const client = new Client({ connectionString })
    await client.connect()
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and usename = current_user',
      [applicationName('servidor')],
    )
    await client.end()
  }
}
