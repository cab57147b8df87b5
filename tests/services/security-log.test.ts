import type { SecurityEntry, SecurityFilter, SecurityKind } from '@garantia/shared/audit/security'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { forgetOldSecurityEntries } from '../../server/src/features/people/audit/service.ts'
import { openSecurityLog } from '../../server/src/kernel/security-log.ts'
import { callProcedure } from '../api/procedures.ts'
import { spawnServer, stopProcess } from '../jobs/process.ts'
import { type Caller, PASSWORD, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp({ LOGIN_LIMIT: '2' })
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const root = await testApp.as(await testApp.make.user({ is_superuser: true, full_name: 'Raiz' }))
const company = await testApp.make.company()
const technician = await testApp.make.user({ company_id: company.id, full_name: 'Téo Técnico' })
const clerk = await testApp.as(technician)
const own = await testApp.make.order({ company_id: company.id, customer_document: '52998224725' })
const file = await testApp.make.converted({ order_id: own.id })

const written = async () => {
  await ctx.securityLog.flush()
  return ctx.db.selectFrom('security_log').selectAll().orderBy('id').execute()
}
const kinds = async () => (await written()).map(({ kind }) => kind)
beforeEach(async () => {
  await ctx.securityLog.flush()
  // The role in use may not: migration 0053.
  await testApp.owner.db.deleteFrom('security_log').execute()
  await testApp.owner.db.deleteFrom('security_batches').execute()
})
const read = async (filter: SecurityFilter = {}) =>
  (await callProcedure(testApp, root.token, 'audit.security', filter)).data as {
    entries: SecurityEntry[]
    next_cursor: number | null
  }
const apiToken = async (fields: object) => {
  const body = { name: 'ERP', expires_in_days: 30, ...fields }
  const { token } = (await clerk.api('POST', '/tokens', body)).json()
  return (path: string, method: 'GET' | 'DELETE' = 'GET') =>
    testApp.anonymous.api(method, path, undefined, { authorization: `Bearer ${token}` })
}

describe('reads of personal data are recorded with who, which order and from where', () => {
  const at = `/service-orders/${own.id}`
  const rows: [SecurityKind, () => Promise<unknown>, object][] = [
    ['order.read', () => callProcedure(testApp, clerk.token, 'orders.one', { id: own.id }), {}],
    ['orders.exported', () => clerk.api('GET', '/service-orders/export?format=csv'), { format: 'csv' }],
    ['package.downloaded', () => clerk.api('GET', `/evidence/${own.id}/download-all`), {}],
    ['originals.downloaded', () => clerk.api('GET', `/evidence/${own.id}/download-all?originais=true`), {}],
    [
      'evidence.downloaded',
      () => clerk.api('GET', `/evidence/${file.id}/download?original=true`),
      { evidence_id: file.id, copy: 'original' },
    ],
    [
      'dossier.downloaded',
      async () => {
        await testApp.make.dossier(own.id)
        await clerk.api('GET', `${at}/dossier/1/download`)
      },
      { n: 1, part: 'zip' },
    ],
  ]
  test.each(rows)('%s', async (kind, act, details) => {
    await act()
    expect(await written()).toMatchObject([
      {
        kind,
        user_id: technician.id,
        actor_name: 'Téo Técnico',
        order_id: kind === 'orders.exported' ? null : own.id,
        details,
        times: 1,
        ip: '127.0.0.1',
      },
    ])
  })

  test('by REST and in the history, once in ten minutes for one person and order', async () => {
    const other = await testApp.as(await testApp.make.user({ company_id: company.id }))
    const order = await testApp.make.order({ company_id: company.id })
    for (const caller of [clerk, other, clerk])
      for (const path of [`/service-orders/${order.id}`, `/service-orders/${order.id}/history`])
        expect((await caller.api('GET', path)).statusCode).toBe(200)
    expect(await written()).toHaveLength(2)
  })

  test('lists, and what nobody received, are not', async () => {
    await clerk.api('GET', '/service-orders')
    await clerk.api('GET', `/service-orders/${own.id}/dossier/9/download`)
    await clerk.api('GET', '/service-orders/999999999')
    expect(await kinds()).toEqual([])
  })
})

describe('refusals that may be an attempt are recorded', () => {
  const foreign = () => testApp.make.order().then(({ id }) => id)

  test.each([
    ['a read', 'GET', (id: number) => `/service-orders/${id}`],
    ['a change', 'DELETE', (id: number) => `/service-orders/${id}`],
    ['its files', 'GET', (id: number) => `/evidence/${id}/evidence`],
  ] as const)("%s of another company's order, which is 404 as an absent one", async (_, method, path) => {
    const id = await foreign()
    expect((await clerk.api(method, path(id))).statusCode).toBe(404)
    expect(await written()).toMatchObject([
      { kind: 'refused.foreign_order', order_id: id, user_id: technician.id },
    ])
  })

  test('a call without permission, by REST and tRPC', async () => {
    expect((await clerk.api('GET', '/security-log/export')).statusCode).toBe(403)
    await callProcedure(testApp, clerk.token, 'audit.security', {})
    expect(await written()).toMatchObject([
      { kind: 'refused.permission', details: { call: 'GET /security-log/export' } },
      { kind: 'refused.permission', details: { call: 'audit.security' } },
    ])
  })

  test('an API token beyond its scope, and from another address', async () => {
    const reader = await apiToken({ scope: 'read' })
    expect((await reader(`/service-orders/${own.id}`, 'DELETE')).statusCode).toBe(403)
    const elsewhere = await apiToken({ scope: 'read', networks: ['198.51.100.0/24'] })
    expect((await elsewhere('/service-orders')).statusCode).toBe(401)
    const account = { account_id: technician.id, account: 'Téo Técnico' }
    expect(await written()).toMatchObject([
      { kind: 'refused.token_scope', user_id: technician.id },
      { kind: 'refused.token_address', user_id: null, details: account, ip: '127.0.0.1' },
    ])
  })

  test('failed sign-ins with their number, and the limit that ends them', async () => {
    const { id, email, full_name } = await testApp.make.user({ full_name: 'Ana Lima' })
    const signIn = (username: string, password: string) =>
      testApp.anonymous.api('POST', '/login/access-token', { username, password })
    await signIn(email, 'errada')
    await signIn(email, 'errada')
    expect((await signIn(email, PASSWORD)).statusCode).toBe(429)
    await signIn('senha-no-campo-errado', 'errada')
    const entries = await written()
    expect(entries).toMatchObject([
      { kind: 'refused.sign_in', times: 2, details: { account_id: id, account: full_name }, user_id: null },
      { kind: 'refused.limit', times: 1, details: { call: 'POST /login/access-token' } },
      { kind: 'refused.sign_in', times: 1, details: {} },
    ])
    expect(JSON.stringify(entries)).not.toContain('senha-no-campo-errado')
  })

  test('a signed address that was forged or revoked, but not one that has expired', async () => {
    const leaver = await testApp.make.user({ company_id: company.id })
    const { original_url } = (await (await testApp.as(leaver)).api('GET', `/evidence/${file.id}`)).json()
    const open = (url: string) => testApp.app.inject({ url })
    expect((await open(original_url)).statusCode).toBe(200)
    const [head, mac] = [original_url.slice(0, -43), original_url.slice(-43)]
    await open(`${head}${mac.split('').reverse().join('')}`)
    await open(original_url.replace(/\/\w+\.(?=\w+\.[^/]+$)/, '/1.'))
    // Asked anew, since a person is kept for twenty seconds.
    const later = await testApp.make.user({ company_id: company.id, is_active: false })
    const { sign } = await import('../../server/src/kernel/signing.ts')
    const actor = { ...(clerk.ctx.actor as Extract<Caller['ctx']['actor'], { kind: 'user' }>), id: later.id }
    const signature = sign(ctx.config.SIGNING_KEY, `live/${own.id}`, actor, ctx.clock())
    expect((await open(`/live/${own.id}/${signature}`)).statusCode).toBe(404)
    expect((await written()).map(({ kind, details }) => [kind, details])).toEqual([
      ['refused.signature', { reason: 'forged' }],
      ['refused.signature', { reason: 'revoked', account_id: later.id }],
    ])
  })
})

test('a superuser reads it by pages and by group, and that is an entry too', async () => {
  const orders = await Promise.all(
    Array.from({ length: 3 }, () => testApp.make.order({ company_id: company.id })),
  )
  for (const { id } of orders) await clerk.api('GET', `/service-orders/${id}`)
  await clerk.api('GET', '/security-log/export')
  await ctx.securityLog.flush()
  const first = await read({ limit: 2 })
  expect(first.entries.map(({ kind, os_number }) => [kind, os_number])).toEqual([
    ['refused.permission', null],
    ['order.read', orders[2]?.os_number],
  ])
  const next = await read({ limit: 2, cursor: first.next_cursor })
  expect(next.entries.map(({ order_id }) => order_id)).toEqual([orders[1]?.id, orders[0]?.id])
  expect(next.next_cursor).toBeNull()
  expect((await read({ group: 'refusals' })).entries).toHaveLength(1)
  expect(await kinds()).toContain('security_log.read')
})

test('who looks for a person is in it, with what they looked by and not with the value', async () => {
  const looked = { by: 'email', value: 'maria@exemplo.com.br' }
  expect((await callProcedure(testApp, root.token, 'privacy.find', looked)).status).toBe(200)
  expect((await written()).map(({ kind, details }) => [kind, details])).toEqual([
    ['subject.searched', { by: 'email' }],
  ])
})

test('the export is JSON lines of everything, its own entry last; not for an API token', async () => {
  const person = { ...clerk.ctx.actor, name: 'Ana' } as Caller['ctx']['actor']
  // Each a read of its own: of another order, the last of one that exists.
  const read = await testApp.make.order()
  for (let n = 1_000; n >= 0; n--) {
    const order_id = n === 0 ? read.id : 1_000_000 + n
    ctx.securityLog.note({ actor: person, clock: ctx.clock }, { kind: 'order.read', order_id })
  }
  await ctx.securityLog.flush()
  const answer = await root.api('GET', '/security-log/export')
  expect(answer.headers['content-type']).toBe('application/x-ndjson')
  expect(answer.headers['content-disposition']).toMatch(/registro-de-seguranca-.*\.jsonl/)
  const lines = answer.body.trimEnd().split('\n')
  expect(lines).toHaveLength(1_002)
  const [first, last] = [lines[1_000], lines.at(-1)].map((line) => JSON.parse(line ?? ''))
  expect(first).toMatchObject({ kind: 'order.read', actor_name: 'Ana', os_number: read.os_number, times: 1 })
  expect(last).toMatchObject({ kind: 'security_log.exported', actor_name: 'Raiz' })

  const made = await root.api('POST', '/tokens', { name: 'ERP', expires_in_days: 30, scope: 'all' })
  const authorization = `Bearer ${made.json().token}`
  const byToken = await testApp.anonymous.api('GET', '/security-log/export', undefined, { authorization })
  expect(byToken.statusCode).toBe(403)
})

test('what its details refer to by id has its present name', async () => {
  const elsewhere = await apiToken({ scope: 'read', networks: ['198.51.100.0/24'] })
  await elsewhere('/service-orders')
  await clerk.api('GET', `/evidence/${file.id}/download`)
  await ctx.securityLog.flush()
  const [downloaded, refused] = (await read()).entries
  expect(downloaded?.names).toEqual({ evidence_id: file.original_filename })
  expect(refused?.names).toEqual({ account_id: 'Téo Técnico', token_id: 'ERP' })
})

test('entries end after their months', async () => {
  const now = ctx.clock()
  const monthsAgo = (months: number, days: number) => {
    const at = new Date(now)
    at.setUTCMonth(at.getUTCMonth() - months)
    return new Date(at.getTime() - days * 86_400_000)
  }
  for (const [n, at] of [monthsAgo(24, 1), monthsAgo(24, -1), now].entries()) {
    const order_id = 2_000_000 + n
    ctx.securityLog.note({ actor: clerk.ctx.actor, clock: () => at }, { kind: 'order.read', order_id })
    await ctx.securityLog.flush()
  }
  await forgetOldSecurityEntries(ctx)
  expect((await written()).map(({ order_id }) => order_id)).toEqual([2_000_001, 2_000_002])
})

describe('gathering', () => {
  const person = { kind: 'user', id: 7, name: 'Ana' } as unknown as Caller['ctx']['actor']
  const caller = { actor: person, clock: () => new Date(), origin: { ip: '203.0.113.9', user_agent: null } }
  const read = { kind: 'order.read', order_id: 1 } as const
  const refusal = { kind: 'refused.permission', details: { call: 'x' } } as const
  const total = async () =>
    (await ctx.db.selectFrom('security_log').selectAll().orderBy('id').execute()).map(({ times }) => times)

  test('what repeats within its time is one entry: reads as one, refusals with their number', async () => {
    let now = 0
    const log = openSecurityLog(ctx, () => now)
    const noteAll = () => {
      for (let n = 0; n < 5; n++) for (const one of [read, refusal]) log.note(caller, one)
    }
    noteAll()
    await log.flush()
    expect(await total()).toEqual([1, 5])
    noteAll()
    await log.flush()
    expect(await total()).toEqual([1, 5, 5])
    now += 10 * 60_000
    noteAll()
    await log.close()
    expect(await total()).toEqual([1, 5, 5, 1, 5])
  })

  test('every export counts', async () => {
    const log = openSecurityLog(ctx)
    const exported = { kind: 'security_log.exported' } as const
    for (const times of [1, 2]) {
      for (let n = 0; n < times; n++) log.note(caller, exported)
      await log.flush()
    }
    expect(await total()).toEqual([1, 2])
    await log.close()
  })

  test('it is written within seconds by itself, and what waits when the process stops', async () => {
    const log = openSecurityLog(ctx)
    log.note(caller, read)
    await expect.poll(total).toEqual([1])
    log.note(caller, { ...read, order_id: 2 })
    await log.close()
    expect(await total()).toEqual([1, 1])
  })

  test('a server that is stopped has written what it noted', async () => {
    const server = await spawnServer(testApp)
    const body = new URLSearchParams({ username: 'ninguem', password: 'errada' })
    await fetch(`${server.url}/api/v1/login/access-token`, { method: 'POST', body })
    await stopProcess(server.process, 'SIGTERM')
    expect(await kinds()).toEqual(['refused.sign_in'])
  })

  test('it waits for a database that is away', async () => {
    const log = openSecurityLog(ctx)
    log.note(caller, read)
    await sql`alter table security_log rename to elsewhere`.execute(testApp.owner.db)
    await log.flush()
    await sql`alter table elsewhere rename to security_log`.execute(testApp.owner.db)
    expect(await total()).toEqual([])
    await log.close()
    expect(await total()).toEqual([1])
  })

  test('the system itself is not noted', async () => {
    ctx.securityLog.note(ctx, read)
    expect(await kinds()).toEqual([])
  })
})
