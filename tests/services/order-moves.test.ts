import { readOrder, recompute } from '@garantia/server/features/orders/order'
import { afterAll, describe, expect, test } from 'vitest'
import { COMPLETE_ORDER, createOrderFixture } from './order-fixture.ts'

const { testApp, company, technician, manager, admin, orderAs, move, rowOf, movesOf } =
  await createOrderFixture()
afterAll(() => testApp[Symbol.asyncDispose]())

describe('manual status changes (decisions 2, STA-12)', () => {
  test('asking for evidence, holding, analysing, resuming: each is recorded with its user (D-05, D-06)', async () => {
    const id = await orderAs()
    await move(technician, id, 'pending_upload')
    await move(technician, id, 'pending', { reason: 'Aguardando peça' })
    await move(manager, id, 'in_analysis')
    expect(await move(technician, id, 'created')).toMatchObject({ status: 'created', version: 5 })
    expect(await movesOf(id)).toEqual([
      { actor_name: 'Tina Técnica', changes: { status: ['created', 'pending_upload'] } },
      {
        actor_name: 'Tina Técnica',
        changes: { status: ['pending_upload', 'pending'], reason: 'Aguardando peça' },
      },
      { actor_name: 'Gil Gestor', changes: { status: ['pending', 'in_analysis'] } },
      { actor_name: 'Tina Técnica', changes: { status: ['in_analysis', 'created'] } },
    ])
  })

  test('an order on hold resumes in the status its files imply, and in no other', async () => {
    const id = await orderAs('pending', COMPLETE_ORDER)
    await testApp.make.converted({ order_id: id })
    await recompute(admin.ctx, id)
    await expect(move(admin, id, 'pending_upload')).rejects.toMatchObject({
      code: 'conflict',
      detail: 'Transição de status não permitida: Pendente → Aguardando Upload',
    })
    expect(await move(technician, id, 'ready')).toMatchObject({ status: 'ready' })
  })

  test('the call returns the order with its new status (STA-24, API-34)', async () => {
    const id = await orderAs()
    const answer = await technician.api('POST', `/service-orders/${id}/status/in_analysis`)
    expect(answer.json()).toEqual((await technician.api('GET', `/service-orders/${id}`)).json())
    expect(answer.json().status).toBe('in_analysis')
  })

  test('to the current status is 200 and records no event (decisions 2)', async () => {
    for (const status of ['created', 'pending', 'completed', 'cancelled'] as const) {
      const id = await orderAs(status)
      const answer = await technician.api('POST', `/service-orders/${id}/status/${status}`)
      expect([answer.statusCode, answer.json().status, answer.json().version]).toEqual([200, status, 1])
      expect(await movesOf(id)).toEqual([])
    }
  })

  test('a technician does not move a colleague’s order, not even to its current status (D-16, D-38)', async () => {
    const colleague = await testApp.make.user({ company_id: company.id })
    const id = await orderAs('created', { technician_user_id: colleague.id, created_by: colleague.id })
    for (const status of ['pending', 'created', 'ready'])
      expect((await technician.api('POST', `/service-orders/${id}/status/${status}`)).statusCode).toBe(403)
  })

  test('the menu and the guard agree: what the menu offers succeeds, what it refuses fails with its reason', async () => {
    for (const who of [technician, manager, admin])
      for (const from of ['created', 'pending', 'in_analysis', 'completed', 'cancelled'] as const) {
        const template = await orderAs(from)
        for (const entry of (await readOrder(who.ctx, template)).allowed_transitions) {
          const id = await orderAs(from)
          const path = `/service-orders/${id}/status/${entry.status}?reason=motivo`
          const answer = await who.api('POST', path)
          const expected = entry.is_allowed ? [200, undefined] : [[403, 409], entry.reason]
          expect(expected[0]).toSatisfy((one: number | number[]) => [one].flat().includes(answer.statusCode))
          expect(answer.json().detail).toBe(expected[1])
        }
      }
  })

  test('the menu can be read alone, and an unknown status or a reason too long is 422 (API-34)', async () => {
    const id = await orderAs('pending')
    const { json } = await manager.api('GET', `/service-orders/${id}/allowed-transitions`)
    const { data, count } = json()
    expect(data).toEqual((await readOrder(manager.ctx, id)).allowed_transitions)
    expect(count).toBe(data.length)
    for (const tail of ['nada', 'Pending', `pending?reason=${'x'.repeat(501)}`])
      expect((await manager.api('POST', `/service-orders/${id}/status/${tail}`)).statusCode).toBe(422)
  })
})

test('an order that is completed while somebody converts or uploads a file is never both (decisions 2, reliability 17)', async () => {
  for (let round = 0; round < 8; round++) {
    const id = await orderAs()
    await testApp.make.evidence({ order_id: id })
    const answers = await Promise.all([
      manager.api('POST', `/service-orders/${id}/status/completed`),
      manager.api('POST', `/evidence-conversion/${id}/convert-all`),
      technician.api('PUT', `/service-orders/${id}`, { vehicle_color: 'azul' }),
    ])
    for (const { statusCode } of answers) expect([200, 409]).toContain(statusCode)
    const [completing, converting] = answers.map(({ statusCode }) => statusCode)
    expect([completing, converting].sort()).toEqual([200, 409])
    const { status, conversion_status } = await rowOf(id)
    expect([status, conversion_status]).toEqual(
      completing === 200 ? ['completed', 'not_started'] : ['in_progress', 'in_progress'],
    )
  }
})

test('concurrent status changes are serialised, and none is lost (CON, reliability 17)', async () => {
  const id = await orderAs()
  const wanted = ['pending', 'in_analysis', 'cancelled', 'pending_upload', 'completed', 'pending'] as const
  const answers = await Promise.all(
    [...wanted, ...wanted].map((status) => manager.api('POST', `/service-orders/${id}/status/${status}`)),
  )
  for (const { statusCode } of answers) expect([200, 403, 409]).toContain(statusCode)
  const trail = (await movesOf(id)).map(({ changes }) => (changes as { status: string[] }).status)
  let status = 'created'
  for (const [from, to] of trail) {
    expect(from).toBe(status)
    status = to ?? ''
  }
  expect(await rowOf(id)).toMatchObject({ status, version: trail.length + 1 })
})
