import {
  changeEvidence,
  changeManyEvidence,
  listEvidence,
  removeEvidence,
  restoreEvidence,
} from '@garantia/server/features/evidence/files'
import { afterAll, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const clerk = await testApp.as(await testApp.make.user({ is_superuser: true, full_name: 'Ana' }))
const brand_id = (
  await testApp.make.brand({ required_categories: JSON.stringify([{ category: 'placa', min: 1 }]) })
).id
const READY = {
  brand_id,
  status: 'pending_upload',
  problem_description: 'Ruído',
  customer_name: 'Maria',
  customer_phone: '11987654321',
  vehicle_model: 'X',
} as const
const events = (order_id: number) =>
  testApp.kernel.ctx.db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', order_id)
    .select(['kind', 'actor_name', 'changes'])
    .orderBy('id')
    .execute()

test('a category set later names the file, fills the slot and makes the order ready (EVI-8, D-23, D-25)', async () => {
  const { id: order_id } = await testApp.make.order({ ...READY, os_number: '000321' })
  const file = await testApp.make.converted({ order_id, converted_filename: '000321_evidencia_01.jpg' })
  const changed = await changeEvidence(clerk.ctx, file.id, { evidence_category: 'placa' })
  expect(changed).toMatchObject({
    evidence_category: 'placa',
    converted_filename: '000321_placa_01.jpg',
    description: null,
  })
  expect((await clerk.api('GET', `/service-orders/${order_id}`)).json()).toMatchObject({ status: 'ready' })
  expect(await events(order_id)).toEqual([
    {
      kind: 'evidence.changed',
      actor_name: 'Ana',
      changes: {
        evidence_id: file.id,
        filename: file.original_filename,
        evidence_category: [null, 'placa'],
      },
    },
    { kind: 'status', actor_name: 'Sistema', changes: { status: ['pending_upload', 'ready'] } },
  ])
})

test('undoing restores name, category and status (EVI-8, EVI-9)', async () => {
  const { id: order_id } = await testApp.make.order({ ...READY, os_number: '000322' })
  const first = await testApp.make.converted({
    order_id,
    evidence_category: 'placa',
    converted_filename: '000322_placa_01.jpg',
  })
  const before = (await listEvidence(clerk.ctx, order_id)).evidence_files
  await changeEvidence(clerk.ctx, first.id, { evidence_category: 'odometro', description: 'Painel' })
  await changeEvidence(clerk.ctx, first.id, { evidence_category: 'placa', description: null })
  expect((await listEvidence(clerk.ctx, order_id)).evidence_files).toEqual(before)
})

test('two files never have one name, whatever category they move to (D-25)', async () => {
  const { id: order_id } = await testApp.make.order({ brand_id, os_number: '000323' })
  const files = []
  for (let n = 0; n < 4; n++) files.push(await testApp.make.converted({ order_id }))
  await Promise.all(files.map(({ id }) => changeEvidence(clerk.ctx, id, { evidence_category: 'defeito' })))
  const names = (await listEvidence(clerk.ctx, order_id)).evidence_files.map(
    (file) => file.converted_filename,
  )
  expect(names.sort()).toEqual([1, 2, 3, 4].map((n) => `000323_defeito_0${n}.jpg`))
})

test('absent fields stay, and a change without a difference records no event', async () => {
  const { id: order_id } = await testApp.make.order({ brand_id })
  const file = await testApp.make.evidence({ order_id, evidence_category: 'placa', description: 'Traseira' })
  await changeEvidence(clerk.ctx, file.id, { evidence_category: 'placa' })
  expect(await events(order_id)).toEqual([])
  expect(await changeEvidence(clerk.ctx, file.id, { description: 'Dianteira' })).toMatchObject({
    evidence_category: 'placa',
    description: 'Dianteira',
  })
})

test('a closed order refuses it, and so does an unknown category (STA-13, ENT-18)', async () => {
  const { id: order_id } = await testApp.make.order({ status: 'completed' })
  const file = await testApp.make.converted({ order_id })
  await expect(changeEvidence(clerk.ctx, file.id, { description: 'x' })).rejects.toMatchObject({
    code: 'conflict',
    detail: 'OS concluída ou cancelada não pode ser editada',
  })
  const answer = await callProcedure(testApp, clerk.token, 'evidence.change', {
    id: file.id,
    change: { evidence_category: 'paisagem' },
  })
  expect(answer.error?.data.http_status).toBe(422)
})

test('a deleted file is restored as it was, under a unique name, and the audit trail records both (EVI-12, EVI-21)', async () => {
  const { id: order_id } = await testApp.make.order({ ...READY, os_number: '000330' })
  const named = { order_id, evidence_category: 'placa', converted_filename: '000330_placa_01.jpg' } as const
  const file = await testApp.make.converted(named)
  await removeEvidence(clerk.ctx, file.id)
  expect((await listEvidence(clerk.ctx, order_id)).total_files).toBe(0)
  const restored = await restoreEvidence(clerk.ctx, file.id)
  expect((await listEvidence(clerk.ctx, order_id)).evidence_files).toEqual([restored])
  expect(restored).toMatchObject({ status: 'converted', converted_filename: '000330_placa_01.jpg' })
  expect((await clerk.api('GET', `/service-orders/${order_id}`)).json()).toMatchObject({ status: 'ready' })
  expect((await events(order_id)).map(({ kind }) => kind)).toEqual([
    'evidence.deleted',
    'evidence.restored',
    'status',
  ])
  // A second call changes nothing.
  expect(await restoreEvidence(clerk.ctx, file.id)).toEqual(restored)
  expect(await events(order_id)).toHaveLength(3)

  await removeEvidence(clerk.ctx, file.id)
  await testApp.make.converted(named)
  expect(await restoreEvidence(clerk.ctx, file.id)).toMatchObject({
    converted_filename: '000330_placa_02.jpg',
  })
})

test('a file that was purged, uploaded again or belongs to a closed order is not restored', async () => {
  const { id: order_id } = await testApp.make.order(READY)
  const gone = await testApp.make.evidence({ order_id, deleted_at: new Date(), purged_at: new Date() })
  await expect(restoreEvidence(clerk.ctx, gone.id)).rejects.toMatchObject({ code: 'not_found' })
  const duplicate = await testApp.make.evidence({ order_id, deleted_at: new Date(), sha256: 'ab'.repeat(32) })
  await testApp.make.evidence({ order_id, sha256: 'ab'.repeat(32) })
  await expect(restoreEvidence(clerk.ctx, duplicate.id)).rejects.toMatchObject({
    code: 'conflict',
    detail: 'Este arquivo já está na OS.',
  })
  const closed = await testApp.make.order({ status: 'completed' })
  const late = await testApp.make.evidence({ order_id: closed.id, deleted_at: new Date() })
  await expect(restoreEvidence(clerk.ctx, late.id)).rejects.toMatchObject({ code: 'conflict' })
})

test('an order whose conversion stopped half-way shows its progress, and that nothing runs (D-07)', async () => {
  const { id: order_id } = await testApp.make.order(READY)
  await testApp.make.converted({ order_id })
  await testApp.make.converted({ order_id })
  const waiting = await testApp.make.evidence({ order_id })
  const shown = async () => {
    const [row] = (await clerk.api('GET', `/service-orders?company_id=${company_id}`)).json().items
    const detail = (await clerk.api('GET', `/service-orders/${order_id}`)).json()
    expect(row.conversion_progress).toEqual(detail.conversion_progress)
    return [detail.conversion_status, detail.conversion_progress]
  }
  const { company_id } = (await clerk.api('GET', `/service-orders/${order_id}`)).json()
  await changeEvidence(clerk.ctx, waiting.id, { description: 'Painel' })
  expect(await shown()).toEqual(['in_progress', { converted: 2, total: 3, is_running: false }])
  await clerk.api('POST', `/evidence-conversion/${waiting.id}/convert`)
  expect(await shown()).toEqual(['in_progress', { converted: 2, total: 3, is_running: true }])
  await clerk.api('DELETE', `/evidence/${(await testApp.make.evidence({ order_id })).id}`)
  await testApp.kernel.ctx.db.deleteFrom('evidence_files').where('id', '=', waiting.id).execute()
  await clerk.api('DELETE', `/evidence/${(await testApp.make.evidence({ order_id })).id}`)
  expect((await shown())[1]).toBeNull()
})

test('many files change at once: one event each, names as one by one, conflicts said per file (D-67)', async () => {
  const { id: order_id } = await testApp.make.order({ ...READY, os_number: '000324' })
  const files = []
  for (let n = 1; n <= 4; n++)
    files.push(
      await testApp.make.converted({
        order_id,
        category_seq: n,
        converted_filename: `000324_evidencia_0${n}.jpg`,
      }),
    )
  const [one, two, taken, gone] = files.map(({ id }) => id) as [number, number, number, number]
  const elsewhere = await testApp.make.converted()
  await changeEvidence(clerk.ctx, taken, { evidence_category: 'teste' })
  await removeEvidence(clerk.ctx, gone)
  const before = (await events(order_id)).length
  const to = (id: number) => ({ id, evidence_category: 'placa' as const, seen_category: null })
  const { done, refused } = await changeManyEvidence(clerk.ctx, order_id, {
    changes: [one, two, taken, gone, elsewhere.id].map(to),
  })
  expect(done.map(({ id, converted_filename }) => [id, converted_filename])).toEqual([
    [one, '000324_placa_01.jpg'],
    [two, '000324_placa_02.jpg'],
  ])
  expect(refused.map(({ id, detail }) => [id, detail])).toEqual([
    [taken, 'A categoria já foi mudada para «Teste Realizado».'],
    [gone, 'Evidência não encontrada'],
    [elsewhere.id, 'Evidência não encontrada'],
  ])
  expect((await events(order_id)).slice(before)).toMatchObject([
    { kind: 'evidence.changed', changes: { evidence_id: one, evidence_category: [null, 'placa'] } },
    { kind: 'evidence.changed', changes: { evidence_id: two, evidence_category: [null, 'placa'] } },
    { kind: 'status', changes: { status: ['pending_upload', 'ready'] } },
  ])
  // Said again, it changes nothing and is no conflict.
  const again = await changeManyEvidence(clerk.ctx, order_id, { changes: [to(one), to(two)] })
  expect(again.done).toHaveLength(2)
  expect(await events(order_id)).toHaveLength(before + 3)
  await changeManyEvidence(clerk.ctx, order_id, {
    changes: [one, two].map((id) => ({ id, evidence_category: null, seen_category: 'placa' })),
  })
  const restored = (await listEvidence(clerk.ctx, order_id)).evidence_files
  expect(restored.map(({ converted_filename }) => converted_filename)).toEqual([
    '000324_evidencia_01.jpg',
    '000324_evidencia_02.jpg',
    '000324_teste_01.jpg',
  ])
})
