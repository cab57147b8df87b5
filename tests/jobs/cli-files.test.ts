import { rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { recordEvent } from '@garantia/server/kernel'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import { operatorCommand } from './process.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const [DONE, FAILED, USAGE, NOTHING, FOUND] = [0, 1, 2, 3, 4]
const { ctx } = testApp.kernel
const DAY = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * DAY)
const run = (...args: string[]) => operatorCommand(testApp, args)
const stored = async (key: string | null) => (await ctx.storage.size(key ?? '')) !== null

test('promise 21: verificar reports missing, changed and orphan objects, with an exit code for scripts', async () => {
  const { id: order_id } = await testApp.make.order()
  const [file, other] = [
    await testApp.make.converted({ order_id }),
    await testApp.make.converted({ order_id }),
  ]
  const folder = join(testApp.dir, 'files')
  const clean = await run('verificar')
  expect(clean).toMatchObject({ code: DONE, err: '' })
  expect(clean.out).toMatch(/^4 objetos de 1 OS \(\d+ B\): nenhum problema\.\n$/)

  await rm(join(folder, file.converted_key ?? ''))
  const faulty = await run('verificar', '--rapido')
  expect(faulty.code).toBe(FOUND)
  expect(faulty.out).toContain(`1 problema.\nausente   ${file.converted_key}  OS id ${order_id}\n`)

  // The same length, so that only the checksum differs.
  await writeFile(join(folder, other.original_key), 'x'.repeat(other.file_size))
  await writeFile(join(folder, 'solto'), 'de ninguém')
  const old = new Date(Date.now() - 2 * 3_600_000)
  await utimes(join(folder, 'solto'), old, old)
  const asJson = await run('verificar', '--json')
  expect([asJson.code, JSON.parse(asJson.out).faults]).toEqual([
    FOUND,
    expect.arrayContaining([
      expect.objectContaining({
        kind: 'missing',
        key: file.converted_key,
        order_id,
        size: file.converted_size,
      }),
      expect.objectContaining({ kind: 'mismatch', key: other.original_key, order_id }),
      expect.objectContaining({ kind: 'orphan', key: 'solto' }),
    ]),
  ])
  expect(JSON.parse(asJson.out).faults).toHaveLength(3)
  await rm(join(folder, 'solto'))
})

test('limpar shows a dry run first, then empties the bin (D-17)', async () => {
  const file = await testApp.make.evidence({ deleted_at: ago(31) })
  const shown = await run('limpar', '--simular')
  expect(shown).toMatchObject({ code: DONE, err: '' })
  expect(shown.out).toBe('Seriam eliminados: 0 OS, 1 arquivo (36 B).\n')
  expect(await stored(file.original_key)).toBe(true)
  const done = await run('limpar', '--orfaos', '--json')
  expect(JSON.parse(done.out)).toMatchObject({ files: 1, simulated: false, orphans: { objects: 0 } })
  expect(await stored(file.original_key)).toBe(false)
  expect(await run('limpar')).toMatchObject({ code: NOTHING })
})

test('retencao --simular deletes nothing, --aplicar does, and one of the two is required (D-47)', async () => {
  const brand = await testApp.make.brand({ storage_retention_months: 12, display_name: 'Marca Sul' })
  await sql`update brands set retention_since = ${ago(31)} where id = ${brand.id}`.execute(ctx.db)
  const fields = { brand_id: brand.id, status: 'completed' as const, completed_at: ago(400) }
  const order = await testApp.make.order({ ...fields, os_number: '000321' })
  const orderOnHold = await testApp.make.order({
    ...fields,
    os_number: '000322',
    legal_hold_at: new Date(),
    legal_hold_reason: 'x',
  })
  const [file, kept] = [
    await testApp.make.evidence({ order_id: order.id }),
    await testApp.make.evidence({ order_id: orderOnHold.id }),
  ]
  expect(await run('retencao')).toMatchObject({ code: USAGE, out: '' })
  const shown = await run('retencao', '--simular')
  expect(shown).toMatchObject({ code: DONE, err: '' })
  expect(shown.out).toContain('Seriam eliminadas as mídias de 1 OS: 1 arquivo (36 B).\nOS 000321  Marca Sul')
  expect(shown.out).toMatch(/OS 000322 .* 12 meses: 1 arquivo \(36 B\), em retenção judicial\n/)
  expect(await stored(file.original_key)).toBe(true)
  const done = await run('retencao', '--aplicar', '--json')
  expect(JSON.parse(done.out)).toMatchObject({ orders: 1, files: 1, simulated: false })
  expect([await stored(file.original_key), await stored(kept.original_key)]).toEqual([false, true])
  expect(await run('retencao', '--aplicar')).toMatchObject({ code: NOTHING })
})

test('verificar-cadeia finds a changed event, and compares with an exported manifest (beyond 1.4)', async () => {
  // Those that other tests have made have no trail.
  await ctx.db.deleteFrom('evidence_files').execute()
  await ctx.db.deleteFrom('service_orders').execute()
  const { id } = await testApp.make.order()
  for (const n of [1, 2])
    await recordEvent(ctx, { subject: 'order', subject_id: id, kind: 'changed', changes: { n } })
  const head = await ctx.db
    .selectFrom('events')
    .where('subject_id', '=', id)
    .where('seq', '=', 2)
    .select(['seq', 'hash'])
    .executeTakeFirstOrThrow()
  const path = join(testApp.dir, 'manifesto.json')
  const seal = (hash: string | null) =>
    writeFile(path, JSON.stringify({ order: { id }, event_chain: { seq: head.seq, hash } }))
  await seal(head.hash)
  expect(await run('verificar-cadeia', '--manifesto', path)).toMatchObject({
    code: DONE,
    out: '2 eventos de 1 OS e 0 cadastros, 0 acessos, 0 selos, 0 registros do diário, 0 carimbos de tempo: cadeia íntegra.\n',
  })
  await seal('a'.repeat(64))
  expect((await run('verificar-cadeia', '--manifesto', path)).code).toBe(FOUND)
  await sql`update events set changes = '{}' where subject_id = ${id} and seq = 1`.execute(testApp.owner.db)
  const found = await run('verificar-cadeia', '--id', String(id))
  expect(found).toMatchObject({ code: FOUND })
  expect(found.out).toMatch(/1 evidência de adulteração\.\nOS id \d+, evento 1 \(.+\): conteúdo alterado\n/)
  const { actor } = (await testApp.as(await testApp.make.user())).ctx
  ctx.securityLog.note({ actor, clock: ctx.clock }, { kind: 'order.read', order_id: id })
  await ctx.securityLog.flush()
  await sql`update security_log set order_id = 1`.execute(testApp.owner.db)
  expect((await run('verificar-cadeia')).out).toMatch(
    /cadastros, 1 acesso, [\s\S]*\nlote de acessos 1, linha 1 \(.+\): o acesso 1 foi alterado\n/,
  )
  expect((await run('doutor')).out).toMatch(
    /problema {2}verificação: em .+: 2 problemas, o primeiro: OS id \d+, evento 1 \(.+\): conteúdo alterado\n/,
  )
  await writeFile(path, '{}')
  expect(await run('verificar-cadeia', '--manifesto', path)).toMatchObject({ code: FAILED, out: '' })
  expect((await run('verificar-cadeia', '--id', 'x')).code).toBe(USAGE)
  expect(await run('verificar-cadeia', '--id', '99999999')).toMatchObject({
    code: NOTHING,
    out: 'Nenhuma OS com o id 99999999 tem eventos.\n',
  })
})
