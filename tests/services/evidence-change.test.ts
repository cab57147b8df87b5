import { changeEvidence, listEvidence } from '@garantia/server/features/evidence'
import { afterAll, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { world } from '../support/world.ts'

const w = await world()
afterAll(() => w[Symbol.asyncDispose]())
const clerk = await w.as(await w.make.user({ is_superuser: true, full_name: 'Ana' }))
const brand_id = (
  await w.make.brand({ required_categories: JSON.stringify([{ category: 'placa', min: 1 }]) })
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
  w.kernel.ctx.db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', '=', order_id)
    .select(['kind', 'actor_name', 'changes'])
    .orderBy('id')
    .execute()

test('a category set afterwards names the file, fills the slot and makes the order ready (EVI-8, D-23, D-25)', async () => {
  const { id: order_id } = await w.make.order({ ...READY, os_number: '000321' })
  const file = await w.make.converted({ order_id, converted_filename: '000321_evidencia_01.jpg' })
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

test('undoing gives back name, category and status (EVI-8, EVI-9)', async () => {
  const { id: order_id } = await w.make.order({ ...READY, os_number: '000322' })
  const first = await w.make.converted({
    order_id,
    evidence_category: 'placa',
    converted_filename: '000322_placa_01.jpg',
  })
  const before = (await listEvidence(clerk.ctx, order_id)).evidence_files
  await changeEvidence(clerk.ctx, first.id, { evidence_category: 'odometro', description: 'Painel' })
  await changeEvidence(clerk.ctx, first.id, { evidence_category: 'placa', description: null })
  expect((await listEvidence(clerk.ctx, order_id)).evidence_files).toEqual(before)
})

test('two files never get one name, whatever category they move to (D-25)', async () => {
  const { id: order_id } = await w.make.order({ brand_id, os_number: '000323' })
  const files = []
  for (let n = 0; n < 4; n++) files.push(await w.make.converted({ order_id }))
  await Promise.all(files.map(({ id }) => changeEvidence(clerk.ctx, id, { evidence_category: 'defeito' })))
  const names = (await listEvidence(clerk.ctx, order_id)).evidence_files.map(
    (file) => file.converted_filename,
  )
  expect(names.sort()).toEqual([1, 2, 3, 4].map((n) => `000323_defeito_0${n}.jpg`))
})

test('what is not named stays, and a change without a difference leaves no trace', async () => {
  const { id: order_id } = await w.make.order({ brand_id })
  const file = await w.make.evidence({ order_id, evidence_category: 'placa', description: 'Traseira' })
  await changeEvidence(clerk.ctx, file.id, { evidence_category: 'placa' })
  expect(await events(order_id)).toEqual([])
  expect(await changeEvidence(clerk.ctx, file.id, { description: 'Dianteira' })).toMatchObject({
    evidence_category: 'placa',
    description: 'Dianteira',
  })
})

test('a closed order refuses it, and so does a word that is no category (STA-13, ENT-18)', async () => {
  const { id: order_id } = await w.make.order({ status: 'completed' })
  const file = await w.make.converted({ order_id })
  await expect(changeEvidence(clerk.ctx, file.id, { description: 'x' })).rejects.toMatchObject({
    code: 'conflict',
    detail: 'OS concluída ou cancelada não pode ser editada',
  })
  const answer = await callProcedure(w, clerk.token, 'evidence.change', {
    id: file.id,
    change: { evidence_category: 'paisagem' },
  })
  expect(answer.error?.data.http_status).toBe(422)
})
