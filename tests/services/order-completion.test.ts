import { leaseConversion, requestAllConversions } from '@garantia/server/features/evidence/conversion'
import { setStatusOfMany } from '@garantia/server/features/orders/list'
import { recompute } from '@garantia/server/features/orders/order'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { acquireLease, convertFully, finishWith } from './conversion-fixture.ts'
import { COMPLETE_ORDER, createOrderFixture } from './order-fixture.ts'

const { testApp, db, brand, technician, manager, admin, ...at } = await createOrderFixture()
const { orderAs, edit, move, rowOf, movesOf } = at
afterAll(() => testApp[Symbol.asyncDispose]())
const strict = await testApp.make.brand({ completion_policy: 'bloquear' })
const jobsOf = async (file: number) =>
  (await sql`select 1 from graphile_worker.jobs where key = ${`convert:${file}`}`.execute(db)).rows.length

/** The problems of an order without fields and files. */
const MISSING = [
  'Envie ao menos uma evidência',
  'Preencha na OS: descrição do problema, nome do cliente, telefone do cliente, modelo do veículo',
  'Para concluir a OS, preencha: chassi, quilometragem, diagnóstico, solução aplicada',
]

describe('completing (D-10, STA-10)', () => {
  const whole = async (fields: object = {}) => {
    const id = await orderAs('created', { ...COMPLETE_ORDER, ...fields })
    await testApp.make.converted({ order_id: id })
    await recompute(admin.ctx, id)
    return id
  }

  test('an order with nothing missing is completed immediately, with a timestamp', async () => {
    for (const brand_id of [brand.id, strict.id]) {
      const id = await whole({ brand_id })
      const order = await move(manager, id, 'completed')
      expect(order).toMatchObject({ status: 'completed', version: 2 })
      expect(Date.now() - new Date(order.completed_at ?? 0).getTime()).toBeLessThan(60_000)
      expect(await movesOf(id)).toHaveLength(2)
      expect((await movesOf(id))[1]?.changes).toEqual({ status: ['ready', 'completed'] })
    }
  })

  test('«avisar» lists what is missing, asks once more, and records what was accepted', async () => {
    const id = await orderAs()
    await expect(move(manager, id, 'completed')).rejects.toMatchObject({
      code: 'conflict',
      detail: `Problemas na validação: ${MISSING.join('; ')}.`,
    })
    expect(await rowOf(id)).toMatchObject({ status: 'created', version: 1 })
    expect(await move(manager, id, 'completed', { accepts_problems: true })).toMatchObject({
      status: 'completed',
    })
    expect((await movesOf(id)).map(({ changes }) => changes)).toEqual([
      { status: ['created', 'completed'], problems: MISSING },
    ])
  })

  test('the specified REST call completes and records the problems; a client may request the question (API-34)', async () => {
    const id = await orderAs()
    const path = `/service-orders/${id}/status/completed`
    const asked = await manager.api('POST', `${path}?accepts_problems=false`)
    expect([asked.statusCode, asked.json().detail]).toEqual([
      409,
      expect.stringContaining('Problemas na validação: '),
    ])
    expect((await manager.api('POST', path)).json()).toMatchObject({ status: 'completed' })
    expect((await movesOf(id))[0]?.changes).toHaveProperty('problems')
  })

  test('what was accepted is recorded, too, when an edit or a bulk action completes the order', async () => {
    const ids = [await orderAs(), await orderAs(), await orderAs()]
    const [edited = 0, ...many] = ids
    const completed = { status: 'completed' as const, accepts_problems: true }
    await edit(manager, edited, completed)
    expect(await setStatusOfMany(manager.ctx, { ids: many, ...completed })).toMatchObject({ refused: [] })
    for (const id of ids)
      expect((await movesOf(id)).map(({ changes }) => changes)).toEqual([
        { status: ['created', 'completed'], problems: MISSING },
      ])
  })

  test('the screens say why problems are accepted, for one order and for many; the reason is in the trail', async () => {
    const [one, many] = [await orderAs(), await orderAs()]
    const accepted = { status: 'completed', accepts_problems: true }
    for (const [path, input] of [
      ['orders.setStatus', { id: one, ...accepted }],
      ['orders.change', { id: one, change: accepted }],
      ['orderList.setStatus', { ids: [many], ...accepted, reason: ' ' }],
    ] as const)
      expect((await callProcedure(testApp, manager.token, path, input)).error?.data).toMatchObject({
        http_status: 422,
        detail: [expect.objectContaining({ msg: 'Informe o motivo para concluir com pendências' })],
      })
    const reason = 'Dispensadas pela montadora'
    await callProcedure(testApp, manager.token, 'orders.setStatus', { id: one, ...accepted, reason })
    await callProcedure(testApp, manager.token, 'orderList.setStatus', { ids: [many], ...accepted, reason })
    for (const id of [one, many])
      expect((await movesOf(id)).map(({ changes }) => changes)).toEqual([
        { status: ['created', 'completed'], reason, problems: MISSING },
      ])
  })

  test('«bloquear» refuses, whatever is accepted', async () => {
    const id = await orderAs('created', { brand_id: strict.id })
    for (const accepts_problems of [undefined, true])
      await expect(move(manager, id, 'completed', { accepts_problems })).rejects.toMatchObject({
        code: 'conflict',
        detail: expect.stringMatching(/^A marca não aceita concluir com problemas: Envie ao menos/),
      })
    expect(await movesOf(id)).toEqual([])
  })

  test('a converted file missing from disk is a problem (D-23, V08)', async () => {
    const id = await whole()
    const file = await db
      .selectFrom('evidence_files')
      .where('order_id', '=', id)
      .selectAll()
      .executeTakeFirstOrThrow()
    await testApp.kernel.ctx.storage.remove(file.converted_key ?? '')
    await expect(move(manager, id, 'completed')).rejects.toMatchObject({
      detail: 'Problemas na validação: 1 arquivo ausente ou alterado no armazenamento.',
    })
  })

  test('is refused while a file is being converted, also on hold (decisions 2)', async () => {
    const id = await whole()
    await testApp.make.evidence({ order_id: id })
    await requestAllConversions(admin.ctx, id)
    for (const status of ['in_progress', 'pending'] as const) {
      if (status === 'pending') await move(manager, id, status)
      await expect(move(manager, id, 'completed', { accepts_problems: true })).rejects.toMatchObject({
        code: 'conflict',
        detail: 'Há arquivos em conversão. Aguarde o término para concluir.',
      })
    }
  })

  test('is refused to a technician (D-38)', async () => {
    const id = await whole()
    const answer = await technician.api('POST', `/service-orders/${id}/status/completed`)
    expect([answer.statusCode, answer.json().detail]).toEqual([
      403,
      'Somente gestores e administradores podem concluir uma OS',
    ])
  })
})

describe('cancelling (STA-11)', () => {
  test('needs no reason over REST, and removes the files from the queue', async () => {
    const id = await orderAs('created', COMPLETE_ORDER)
    const file = await testApp.make.evidence({ order_id: id })
    await requestAllConversions(admin.ctx, id)
    expect(await jobsOf(file.id)).toBe(1)
    const answer = await manager.api('POST', `/service-orders/${id}/status/cancelled`)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      expect.objectContaining({ status: 'cancelled', conversion_status: 'not_started', completed_at: null }),
    ])
    expect((await rowOf(id)).cancelled_at).toBeInstanceOf(Date)
    expect(await jobsOf(file.id)).toBe(0)
    expect(await leaseConversion(testApp.kernel.ctx, file.id)).toBeNull()
    expect((await admin.api('GET', `/evidence/${id}/evidence`)).json().evidence_files[0].status).toBe(
      'pending',
    )
  })

  test('a worker still converting has its result discarded, also when the order is reopened (decisions 2)', async () => {
    const id = await orderAs('created', COMPLETE_ORDER)
    const { id: file } = await testApp.make.evidence({ order_id: id })
    await requestAllConversions(admin.ctx, id)
    const lease = await acquireLease(testApp.kernel.ctx, file)
    await move(manager, id, 'cancelled', { reason: 'Desistência' })
    expect(await finishWith(testApp.kernel.ctx, lease)).toBe(false)
    await move(admin, id, 'pending_upload', { reason: 'Engano' })
    await requestAllConversions(admin.ctx, id)
    expect(await finishWith(testApp.kernel.ctx, lease)).toBe(false)
    const kept = (await testApp.filesOnDisk()).filter((path) => path.includes(`/os/${id}/`))
    expect(kept).toEqual([expect.stringContaining('original.jpg')])
    await convertFully(testApp.kernel.ctx, file, 500)
    expect(await rowOf(id)).toMatchObject({ status: 'ready', conversion_status: 'available' })
  })

  test('the existing copy stays valid when its second conversion is dropped', async () => {
    const id = await orderAs('created', COMPLETE_ORDER)
    await testApp.make.converted({ order_id: id })
    await requestAllConversions(admin.ctx, id, true)
    await move(manager, id, 'cancelled')
    expect(await rowOf(id)).toMatchObject({ status: 'cancelled', conversion_status: 'available' })
  })
})

describe('reopening (decisions 2)', () => {
  test('requires an administrator and a reason, and keeps the time when the order had ended', async () => {
    const completed_at = new Date('2026-10-01T12:00:00Z')
    const id = await orderAs('completed', { completed_at })
    const path = `/service-orders/${id}/status/in_analysis`
    expect((await manager.api('POST', `${path}?reason=erro`)).statusCode).toBe(403)
    for (const silent of [path, `${path}?reason=`, `${path}?reason=%20`]) {
      const answer = await admin.api('POST', silent)
      expect([answer.statusCode, answer.json().detail[0].msg]).toEqual([
        422,
        'Informe o motivo para reabrir a OS',
      ])
    }
    expect((await admin.api('POST', `${path}?reason=Nota%20errada`)).json()).toMatchObject({
      status: 'in_analysis',
      completed_at: null,
    })
    expect(await movesOf(id)).toEqual([
      {
        actor_name: 'Ada Admin',
        changes: {
          status: ['completed', 'in_analysis'],
          reason: 'Nota errada',
          completed_at: ['2026-10-01T12:00:00.000Z', null],
        },
      },
    ])
  })

  test('a cancelled order gets the status that its files imply', async () => {
    const id = await orderAs('cancelled')
    await testApp.make.evidence({ order_id: id })
    await expect(move(admin, id, 'in_analysis', { reason: 'x' })).rejects.toMatchObject({
      detail: 'Transição de status não permitida: Cancelada → Em Análise',
    })
    expect(await move(admin, id, 'pending_upload', { reason: 'Engano' })).toMatchObject({
      status: 'pending_upload',
    })
    expect((await movesOf(id))[0]?.changes).toMatchObject({
      reason: 'Engano',
      cancelled_at: [expect.any(String), null],
    })
  })
})
