import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { failArchive, removeOldArchives } from '@garantia/server/features/evidence/archives'
import { verifyStorage } from '@garantia/server/features/records/integrity'
import type { PackageArchive } from '@garantia/shared/evidence/archive'
import { startWorker } from '@garantia/worker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, startTestApp, type TestApp } from '../support/test-app.ts'
import { spawnWorker, stopProcess } from './process.ts'

const testApp = await startTestApp()
const { ctx } = testApp.kernel
const { make } = testApp
let worker: Awaited<ReturnType<typeof startWorker>>
beforeAll(async () => {
  worker = await startWorker(testApp.kernel)
})
afterAll(async () => {
  await worker.stop()
  await testApp[Symbol.asyncDispose]()
})
const run = promisify(execFile)
const AT = '/service-orders/packages'

const company = await make.company()
const manager = await make.user({ role: 'manager', company_id: company.id })
const clerk = await testApp.as(manager)
async function packed(os_number: string, sizes = [20_000, 30_000], company_id = company.id) {
  const order = await make.order({ os_number, company_id })
  for (const [n, size] of sizes.entries())
    await make.converted(
      { order_id: order.id, converted_filename: `${os_number}_defeito_0${n + 1}.jpg` },
      randomBytes(size),
    )
  return order
}

async function asked(ids: number[], as: Caller = clerk): Promise<PackageArchive> {
  const answer = await as.api('POST', AT, { ids })
  expect([answer.statusCode, answer.json()]).toMatchObject([200, { progress: 0, url: null }])
  return answer.json()
}
async function finished({ id }: { id: number }, as: Caller = clerk): Promise<PackageArchive> {
  const now = async (): Promise<PackageArchive | undefined> =>
    (await as.api('GET', AT)).json().data.find((one: PackageArchive) => one.id === id)
  await expect.poll(async () => (await now())?.status).toMatch(/ready|failed/)
  return (await now()) as PackageArchive
}
async function unpacked(content: Buffer, name: string) {
  const dir = join(testApp.dir, name)
  await mkdir(dir)
  await writeFile(`${dir}.zip`, content)
  expect((await run('unzip', ['-t', `${dir}.zip`])).stdout).toContain('No errors detected')
  await run('unzip', ['-q', `${dir}.zip`, '-d', dir])
  return dir
}
async function storedPackages(app: TestApp = testApp) {
  const keys: string[] = []
  for await (const { key } of app.kernel.ctx.storage.list('pacotes')) keys.push(key)
  return keys
}

test('one ZIP has the package of each order in its folder, byte for byte as downloaded alone; orders that are not ready are named (D-68)', async () => {
  const [one, two] = [await packed('000401'), await packed('000402', [10, 40_000])]
  const twin = await packed('000402', [15], (await make.company({ parent_id: company.id })).id)
  const half = await packed('000403')
  await make.evidence({ order_id: half.id })
  const empty = await make.order({ os_number: '000404', company_id: company.id })
  const foreign = await packed('000405', [5], (await make.company()).id)
  const ids = [one, two, twin, half, empty, foreign].map(({ id }) => id)
  const request = await asked([...ids, one.id])
  expect(request.left_out).toEqual([
    { id: half.id, os_number: '000403', detail: '1 arquivo ainda não foi convertido.' },
    { id: empty.id, os_number: '000404', detail: 'Nenhum arquivo convertido para baixar.' },
    { id: foreign.id, os_number: null, detail: 'Ordem de serviço não encontrada' },
  ])
  const archive = await finished(request)
  expect(archive).toMatchObject({ status: 'ready', progress: 100, bytes: 20_000 + 30_000 + 10 + 40_000 + 15 })
  const answer = await clerk.api('GET', `${AT}/${archive.id}/download`)
  expect(answer.rawPayload).toHaveLength(archive.size ?? 0)
  const dir = await unpacked(answer.rawPayload, 'pacotes')
  const folders = {
    os_000401_evidencias: one,
    [`os_000402_${two.id}_evidencias`]: two,
    [`os_000402_${twin.id}_evidencias`]: twin,
  }
  expect((await readdir(dir)).sort()).toEqual(Object.keys(folders).sort())
  for (const [folder, { id }] of Object.entries(folders)) {
    const alone = await unpacked(
      (await clerk.api('GET', `/evidence/${id}/download-all`)).rawPayload,
      `so-${id}`,
    )
    const names = await readdir(alone)
    expect(await readdir(join(dir, folder))).toEqual(names)
    for (const name of names)
      expect(await readFile(join(dir, folder, name)), name).toEqual(await readFile(join(alone, name)))
    await run('sha256sum', ['-c', 'SHA256SUMS'], { cwd: join(dir, folder) })
  }
})

test('the signed address needs no session, ends with the archive, and each download is noted for each order (D-68)', async () => {
  const orders = [await packed('000411'), await packed('000412')]
  const { id, url } = await finished(await asked(orders.map((order) => order.id)))
  const open = (path: string) => testApp.app.inject({ method: 'GET', url: path })
  expect((await open(url ?? '')).statusCode).toBe(200)
  expect((await open((url ?? '').replace(`/${id}/`, `/${id + 1}/`))).statusCode).toBe(404)
  await ctx.securityLog.flush()
  const noted = await ctx.db
    .selectFrom('security_log')
    .where('kind', '=', 'package.downloaded')
    .where('user_id', '=', manager.id)
    .where(
      'order_id',
      'in',
      orders.map((order) => order.id),
    )
    .select('order_id')
    .execute()
  expect(noted.map(({ order_id }) => order_id).sort()).toEqual(orders.map((order) => order.id).sort())

  // Rights are those of the moment: of the order, and of the person.
  const colleague = await testApp.as(await make.user({ role: 'manager', company_id: company.id }))
  expect((await colleague.api('GET', `${AT}/${id}/download`)).statusCode).toBe(404)
  expect((await colleague.api('GET', AT)).json().count).toBe(0)
  await ctx.db
    .updateTable('service_orders')
    .set({ deleted_at: new Date() })
    .where('id', '=', orders[0]?.id ?? 0)
    .execute()
  expect((await open(url ?? '')).json().detail).toMatch(/^Uma das OS foi excluída/)
  await ctx.db
    .updateTable('service_orders')
    .set({ deleted_at: null })
    .where('id', '=', orders[0]?.id ?? 0)
    .execute()
  expect((await open(url ?? '')).statusCode).toBe(200)

  // Neither the check of the storage nor the removal of orphans touches it before it expires.
  await ctx.db.updateTable('package_archives').set({ expires_at: new Date() }).where('id', '=', id).execute()
  expect((await open(url ?? '')).statusCode).toBe(404)
  const { key } = await ctx.db
    .selectFrom('package_archives')
    .where('id', '=', id)
    .select('key')
    .executeTakeFirstOrThrow()
  const later = { ...ctx, clock: () => new Date(Date.now() + 2 * 3_600_000) }
  expect((await verifyStorage(later, { deep: false })).faults.map((fault) => fault.key)).not.toContain(key)
  expect(await storedPackages()).toContain(key)
  expect(await removeOldArchives(ctx)).toBe(1)
  expect(await storedPackages()).not.toContain(key)
  expect((await open(url ?? '')).statusCode).toBe(404)
})

test('what changed since the request is judged again when it is built; too many bytes are refused (D-68)', async () => {
  const kept = await packed('000421')
  const lost = await packed('000422')
  const large = await packed('000423')
  await worker.stop()
  const request = await asked([kept.id, lost.id])
  await ctx.db
    .updateTable('service_orders')
    .set({ deleted_at: new Date() })
    .where('id', '=', lost.id)
    .execute()
  const replaced = await asked([large.id])
  await ctx.db
    .updateTable('evidence_files')
    .set({ converted_size: 3_000_000_000 })
    .where('order_id', '=', large.id)
    .execute()
  const refused = await clerk.api('POST', AT, { ids: [large.id] })
  expect([refused.statusCode, refused.json().detail]).toEqual([
    409,
    'Os pacotes somam 6 GB, e cabem 5 GB em um arquivo. Selecione menos OS.',
  ])
  worker = await startWorker(testApp.kernel)
  const built = await finished(request)
  expect(built).toMatchObject({
    status: 'ready',
    orders: [{ id: kept.id, os_number: '000421' }],
    left_out: [{ id: lost.id, os_number: '000422', detail: 'Ordem de serviço não encontrada' }],
  })
  expect((await clerk.api('GET', `${AT}/${built.id}/download`)).statusCode).toBe(200)
  // The only order of this one is not stored as recorded any more.
  expect(await finished(replaced)).toMatchObject({
    status: 'failed',
    error: 'Nenhuma das OS pode mais ser baixada.',
  })
  expect(await storedPackages()).toHaveLength(
    (await ctx.db.selectFrom('package_archives').where('status', '=', 'ready').select('id').execute()).length,
  )
})

test('a worker that is killed while it writes leaves nothing over, and the next one finishes (promise 1)', {
  tags: ['exhaustive'],
}, async () => {
  await using own = await startTestApp()
  const { db } = own.kernel.ctx
  const boss = await own.as(await own.make.user({ is_superuser: true }))
  const orders = [await own.make.order(), await own.make.order()]
  const content = randomBytes(4_000_000)
  for (const { id } of orders)
    for (let n = 0; n < 20; n++) await own.make.converted({ order_id: id }, content)
  const killed = await spawnWorker(own)
  const { id } = (await boss.api('POST', AT, { ids: orders.map((order) => order.id) })).json()
  const state = () =>
    db
      .selectFrom('package_archives')
      .where('id', '=', id)
      .select(['status', 'progress', 'key'])
      .executeTakeFirstOrThrow()
  await expect.poll(async () => (await state()).progress, { interval: 10 }).toBeGreaterThan(0)
  await stopProcess(killed, 'SIGKILL')
  const before = await state()
  expect(before.status).toBe('building')
  const helper = await spawnWorker(own)
  await expect.poll(async () => (await state()).status).toBe('ready')
  const { key } = await state()
  expect(key).not.toBe(before.key)
  expect(await storedPackages(own)).toEqual([key])
  expect(await stopProcess(helper, 'SIGTERM')).toBe(0)
  const folders = await readdir(join(own.dir, 'tmp'))
  expect(folders.filter((name) => name !== own.kernel.ctx.scratch.folder)).toEqual([])
})

test('who asked for packages is told when they are ready, and why when they are not', async () => {
  const person = await make.user({ role: 'manager', company_id: company.id })
  const as = await testApp.as(person)
  const told = async () =>
    (
      await ctx.db
        .selectFrom('notifications')
        .where('user_id', '=', person.id)
        .orderBy('id')
        .select(['kind', 'order_id', 'details'])
        .execute()
    ).map(({ kind, order_id, details }) => ({ kind, order_id, ...(details as { text: string }) }))
  const order = await packed('000491')
  await finished(await asked([order.id], as), as)
  expect(await told()).toEqual([{ kind: 'packages.ready', order_id: order.id, text: '000491' }])
  const { id } = await ctx.db
    .insertInto('package_archives')
    .values({
      user_id: person.id,
      orders: JSON.stringify([{ id: order.id, os_number: '000491', folder: 'os' }]),
      left_out: '[]',
      bytes: 1,
      created_at: new Date(),
      expires_at: new Date(Date.now() + 3_600_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await failArchive(ctx, id, 'Sem espaço.')
  await failArchive(ctx, id, 'Sem espaço.')
  expect((await told()).slice(1)).toEqual([
    { kind: 'packages.failed', order_id: order.id, text: 'Sem espaço.' },
  ])
})
