import { requestAllConversions } from '@garantia/server/features/evidence/conversion'
import { readHistory, readOrder, removeOrder } from '@garantia/server/features/orders/order'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { acquireLease, finishWith } from './conversion-fixture.ts'
import { createOrderFixture } from './order-fixture.ts'

const { testApp, db, technician, manager, admin, order, edit, eventsOf } = await createOrderFixture()
afterAll(() => testApp[Symbol.asyncDispose]())

describe('two editors (D-49)', () => {
  test('the second gets the name of the first and the time in São Paulo, and nothing is overwritten', async () => {
    const { id, version } = await order({ customer_name: 'Maria' })
    await edit(manager, id, { customer_name: 'Ana' }, version)
    const { events } = await readHistory(manager.ctx, { id, limit: 1 })
    const hour = new Intl.DateTimeFormat('pt-BR', {
      timeZone: 'America/Sao_Paulo',
      hour: '2-digit',
      minute: '2-digit',
    }).format(new Date(events[0]?.at ?? 0))
    await expect(edit(technician, id, { customer_name: 'Rui' }, version)).rejects.toMatchObject({
      code: 'conflict',
      detail: `Esta OS foi alterada por Gil Gestor às ${hour}`,
    })
    expect(await readOrder(admin.ctx, id)).toMatchObject({ customer_name: 'Ana', version: 2 })
    expect(await edit(technician, id, { customer_name: 'Rui' }, 2)).toMatchObject({ version: 3 })
  })

  test('of twenty concurrent edits of one version one wins, and nineteen get a conflict', async () => {
    const { id } = await order()
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => edit(manager, id, { vehicle_color: `cor ${n}` }, 1)),
    )
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of attempts)
      if (one.status === 'rejected')
        expect(one.reason.detail).toMatch(/^Esta OS foi alterada por Gil Gestor às \d\d:\d\d$/)
    expect(await eventsOf(id, 'changed')).toHaveLength(1)
  })

  test('two concurrent edits of different fields both persist', async () => {
    const { id } = await order()
    const fields = [
      'vehicle_color',
      'vehicle_model',
      'customer_name',
      'diagnosis',
      'technician_name',
    ] as const
    await Promise.all(
      fields.map((field) => technician.api('PATCH', `/service-orders/${id}`, { [field]: field })),
    )
    expect(await readOrder(admin.ctx, id)).toMatchObject({
      ...Object.fromEntries(fields.map((field) => [field, field])),
      version: 1 + fields.length,
    })
    expect(await eventsOf(id, 'changed')).toHaveLength(fields.length)
  })

  test('automatic changes are no edits: the version stays', async () => {
    const { id } = await order()
    await testApp.make.evidence({ order_id: id })
    await requestAllConversions(admin.ctx, id)
    expect(await readOrder(admin.ctx, id)).toMatchObject({ status: 'in_progress', version: 1 })
    expect(await edit(technician, id, { vehicle_color: 'azul' }, 1)).toMatchObject({ version: 2 })
  })

  test('without a version the last write wins, as specified', async () => {
    const { id } = await order()
    for (const vehicle_color of ['azul', 'preto'])
      expect((await technician.api('PUT', `/service-orders/${id}`, { vehicle_color })).statusCode).toBe(200)
    const late = await technician.api('PUT', `/service-orders/${id}`, { vehicle_color: 'x', version: 1 })
    expect([late.statusCode, late.json().detail]).toEqual([
      409,
      expect.stringMatching(/^Esta OS foi alterada por Tina Técnica às \d\d:\d\d$/),
    ])
  })
})

describe('deleting (D-17, API-33)', () => {
  test('a deleted order is gone for everybody, its number is free, and the audit trail says who deleted it', async () => {
    const { id, os_number } = await order()
    expect((await technician.api('DELETE', `/service-orders/${id}`)).statusCode).toBe(403)
    const answer = await manager.api('DELETE', `/service-orders/${id}`)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { message: 'Ordem de serviço excluída com sucesso.' },
    ])
    for (const path of ['', '/history', '/allowed-transitions'])
      expect((await admin.api('GET', `/service-orders/${id}${path}`)).statusCode).toBe(404)
    for (const method of ['PUT', 'DELETE'] as const)
      expect((await admin.api(method, `/service-orders/${id}`, {})).statusCode).toBe(404)
    await expect(order({ os_number })).resolves.toMatchObject({ os_number })
    const event = await db
      .selectFrom('events')
      .where('subject_id', '=', id)
      .where('kind', '=', 'removed')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({ actor_name: 'Gil Gestor', changes: { os_number, status: 'created' } })
  })

  test('a completed order requires an administrator, a cancelled one a manager', async () => {
    const [completed, cancelled] = [
      await order({ status: 'completed' }),
      await order({ status: 'cancelled' }),
    ]
    await expect(removeOrder(manager.ctx, completed.id)).rejects.toMatchObject({ code: 'forbidden' })
    await removeOrder(admin.ctx, completed.id)
    await removeOrder(manager.ctx, cancelled.id)
  })

  test('removes its files from the queue and from the worker', async () => {
    const { id } = await order()
    const file = (await testApp.make.evidence({ order_id: id })).id
    await requestAllConversions(admin.ctx, id)
    const lease = await acquireLease(testApp.kernel.ctx, file)
    await removeOrder(manager.ctx, id)
    const { rows } = await sql`select 1 from graphile_worker.jobs where key = ${`convert:${file}`}`.execute(
      db,
    )
    expect(rows).toEqual([])
    expect(await finishWith(testApp.kernel.ctx, lease)).toBe(false)
  })
})

test('the history is read in pages, newest first, and names every actor (OSD-8, D-30)', async () => {
  const { id } = await order()
  for (const vehicle_color of ['azul', 'preto', 'verde']) await edit(technician, id, { vehicle_color })
  await edit(manager, id, { status: 'pending' })
  const path = `/service-orders/${id}/history`
  const first = (await technician.api('GET', `${path}?limit=2`)).json()
  expect(first).toMatchObject({
    has_more: true,
    events: [
      { kind: 'status', actor_name: 'Gil Gestor', changes: { status: ['created', 'pending'] } },
      { kind: 'changed', actor_name: 'Tina Técnica', changes: { vehicle_color: ['preto', 'verde'] } },
    ],
  })
  const rest = (await technician.api('GET', `${path}?limit=2&before=${first.events[1].id}`)).json()
  expect(rest).toMatchObject({
    has_more: false,
    events: [
      { changes: { vehicle_color: ['azul', 'preto'] } },
      { changes: { vehicle_color: [null, 'azul'] } },
    ],
  })
  for (const wrong of ['limit=0', 'limit=101', 'before=x'])
    expect((await technician.api('GET', `${path}?${wrong}`)).statusCode).toBe(422)
})
