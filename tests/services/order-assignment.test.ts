import { comment } from '@garantia/server/features/orders/comments'
import { assignMany } from '@garantia/server/features/orders/list'
import { listAssignees, readWorkload } from '@garantia/server/features/orders/order'
import { listNotifications } from '@garantia/server/features/people/notifications'
import { afterAll, expect, test } from 'vitest'
import { recordStatements } from '../support/statements.ts'
import { createOrderFixture } from './order-fixture.ts'

const { testApp, company, filial, brand, admin, manager, technician, clerk, order, edit, rowOf, eventsOf } =
  await createOrderFixture()
afterAll(() => testApp[Symbol.asyncDispose]())
const idOf = ({ ctx: { actor } }: typeof manager) => (actor.kind === 'user' ? actor.id : 0)

test('whoever may see the company can be made responsible for its orders, and nobody else', async () => {
  const here = await testApp.make.user({ company_id: filial.id, full_name: 'Ana da Filial' })
  await testApp.make.user({ company_id: filial.id, is_active: false })
  const foreign = await testApp.make.user({ full_name: 'Zoé de Fora' })
  const names = (await listAssignees(manager.ctx, [filial.id])).map(({ name }) => name)
  expect(names).toEqual(['Ada Admin', 'Ana da Filial', 'Gil Gestor'])
  expect((await listAssignees(manager.ctx, [company.id, filial.id])).map(({ name }) => name)).toEqual([
    'Ada Admin',
    'Gil Gestor',
  ])
  await expect(listAssignees(technician.ctx, [filial.id])).rejects.toMatchObject({ code: 'not_found' })

  const { id } = await order({ company_id: filial.id })
  await edit(manager, id, { responsible_user_id: here.id })
  for (const wrong of [foreign.id, clerk.id, 999_999])
    await expect(edit(manager, id, { responsible_user_id: wrong })).rejects.toMatchObject({
      code: 'invalid',
      detail: [expect.objectContaining({ loc: ['responsible_user_id'] })],
    })
  expect((await rowOf(id)).responsible_user_id).toBe(here.id)
})

test('the change is a field like others: version, event with both names, closed orders, another company', async () => {
  const { id } = await order()
  const first = await edit(technician, id, { responsible_user_id: clerk.id }, 1)
  expect(first).toMatchObject({ version: 2, responsible_user_id: clerk.id, responsible_name: 'Tina Técnica' })
  await expect(edit(manager, id, { responsible_user_id: null }, 1)).rejects.toMatchObject({
    code: 'conflict',
  })
  await edit(manager, id, { responsible_user_id: idOf(admin) }, 2)
  expect(await eventsOf(id, 'changed')).toEqual([
    { responsible_user_id: [null, clerk.id], responsible_name: [null, 'Tina Técnica'] },
    { responsible_user_id: [clerk.id, idOf(admin)], responsible_name: ['Tina Técnica', 'Ada Admin'] },
  ])

  // Who sees both companies stays; who does not is given up, as the order would be responsible to nobody there.
  await edit(admin, id, { company_id: filial.id })
  expect((await rowOf(id)).responsible_user_id).toBe(idOf(admin))
  await edit(admin, id, { company_id: company.id, responsible_user_id: clerk.id })
  await edit(admin, id, { company_id: filial.id })
  expect((await rowOf(id)).responsible_user_id).toBe(null)

  const closed = await order({ status: 'completed', responsible_user_id: clerk.id })
  await expect(edit(manager, closed.id, { responsible_user_id: null })).rejects.toMatchObject({
    code: 'conflict',
  })
})

test('who is made responsible is told, and hears of the order afterwards; who takes it is not', async () => {
  const { id } = await order()
  await edit(manager, id, { responsible_user_id: clerk.id })
  await edit(manager, id, { vehicle_color: 'Prata' })
  await comment(manager.ctx, { id, comment: 'Falta o odômetro', mentions: [] })
  await edit(technician, id, { responsible_user_id: null })
  await edit(technician, id, { responsible_user_id: clerk.id })
  const { notifications } = await listNotifications(technician.ctx, {})
  const own = notifications.filter(({ order_id }) => order_id === id)
  expect(own.map(({ kind, times }) => [kind, times])).toEqual([
    ['comment', 1],
    ['order.assigned', 1],
  ])
})

test('many are assigned at once, each by its own rules', async () => {
  const [own, closed] = [await order(), await order({ status: 'cancelled' })]
  const foreign = await testApp.make.order()
  const others = await order({ technician_user_id: idOf(manager), created_by: idOf(manager) })
  const ids = [own.id, closed.id, foreign.id, others.id]
  const result = await assignMany(technician.ctx, { ids, responsible_user_id: clerk.id })
  expect(result.done.map(({ id }) => id)).toEqual([own.id])
  expect(result.refused.map(({ id }) => id)).toEqual([closed.id, foreign.id, others.id])
  const answer = await manager.api('POST', '/service-orders/bulk', {
    action: 'assign',
    ids: [own.id, others.id],
    responsible_user_id: null,
  })
  expect(answer.json()).toMatchObject({ done: [{ id: own.id }, { id: others.id }], refused: [] })
  expect((await manager.api('POST', '/service-orders/bulk', { action: 'assign', ids })).statusCode).toBe(422)
})

test('two hundred orders take as few statements as two, and one notification', async () => {
  const orders: Awaited<ReturnType<typeof order>>[] = []
  for (let n = 0; n < 200; n++) orders.push(await order({ responsible_user_id: idOf(manager) }))
  const statementsFor = async (some: typeof orders) => {
    const ids = some.map(({ id }) => id)
    // What the calls before noted in the security log would be written meanwhile.
    await testApp.kernel.ctx.securityLog.flush()
    const sent = await recordStatements(testApp.kernel, async () => {
      const { done, refused } = await assignMany(manager.ctx, { ids, responsible_user_id: clerk.id })
      expect([done.length, refused]).toEqual([ids.length, []])
    })
    return sent.flat().length
  }
  const few = await statementsFor(orders.slice(0, 2))
  const { notifications: before } = await listNotifications(technician.ctx, {})
  expect(await statementsFor(orders.slice(2))).toBe(few)
  const { notifications } = await listNotifications(technician.ctx, {})
  expect(notifications).toHaveLength(before.length + 1)
  const [newest] = notifications
  expect(newest).toMatchObject({ kind: 'orders.assigned', times: 198, order_id: orders[2]?.id })
  expect(newest?.text).toContain(`${orders[2]?.os_number}, ${orders[3]?.os_number}`)
  const last = orders.at(-1)?.id ?? 0
  expect(await rowOf(last)).toMatchObject({ responsible_user_id: clerk.id, version: 2 })
  expect(await eventsOf(last, 'changed')).toEqual([
    {
      responsible_user_id: [idOf(manager), clerk.id],
      responsible_name: ['Gil Gestor', 'Tina Técnica'],
    },
  ])
  // Nothing changes, and nobody is told, a second time.
  await assignMany(manager.ctx, { ids: orders.map(({ id }) => id), responsible_user_id: clerk.id })
  expect((await listNotifications(technician.ctx, {})).notifications).toEqual(notifications)
  expect((await rowOf(last)).version).toBe(2)
})

test('the workload counts the open orders of each person in the scope of whoever asks', async () => {
  const own = await testApp.make.company()
  const lead = await testApp.make.user({ role: 'manager', company_id: own.id, full_name: 'Lia' })
  const peer = await testApp.make.user({
    company_id: own.id,
    full_name: '',
    email: 'sem-nome@exemplo.com.br',
  })
  const open = (fields: object = {}) =>
    testApp.make.order({ company_id: own.id, brand_id: brand.id, ...fields })
  await open()
  await open({ responsible_user_id: peer.id })
  for (const status of ['ready', 'pending', 'completed'] as const)
    await open({ responsible_user_id: lead.id, status })
  await open({ responsible_user_id: lead.id, deleted_at: new Date() })
  await testApp.make.order({ responsible_user_id: lead.id })
  const { ctx } = await testApp.as(lead)
  expect(await readWorkload(ctx)).toEqual({
    people: [
      { id: lead.id, name: 'Lia', open_orders: 2 },
      { id: peer.id, name: 'sem-nome@exemplo.com.br', open_orders: 1 },
    ],
    unassigned: 1,
  })
  expect(await listAssignees(ctx, [own.id])).toContainEqual({ id: lead.id, name: 'Lia', open_orders: 2 })
})
