import { changeMyPassword, leaveAccount } from '@garantia/server/features/people/account'
import { resetPassword } from '@garantia/server/features/people/auth'
import { createToken, listTokens, revokeToken } from '@garantia/server/features/people/tokens'
import { changeUser } from '@garantia/server/features/people/users'
import type { Ctx } from '@garantia/server/kernel'
import { TOKENS_MAX } from '@garantia/shared/tokens/schema'
import { afterAll, describe, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { resetToken } from '../support/reset-token.ts'
import { PASSWORD, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { db } = testApp.kernel.ctx
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const erp = { name: 'ERP', expires_in_days: 90, scope: 'all' as const }

const bearing = (token: string) => ({ authorization: `Bearer ${token}` })
const statusOf = async (token: string, path = '/users/me') =>
  (await testApp.anonymous.api('GET', path, undefined, bearing(token))).statusCode

describe('a personal API token', () => {
  test('is accepted wherever a bearer token is, with its owner’s rights and no more', async () => {
    const company = await testApp.make.company()
    const user = await testApp.make.user({ company_id: company.id })
    const { token } = await createToken((await testApp.as(user)).ctx, erp)
    const own = await testApp.make.order({ company_id: company.id })
    const foreign = await testApp.make.order()
    expect(await statusOf(token)).toBe(200)
    expect(await statusOf(token, `/service-orders/${own.id}`)).toBe(200)
    expect(await statusOf(token, `/service-orders/${foreign.id}`)).toBe(404)
    expect(await statusOf(token, '/users')).toBe(403)
    expect((await callProcedure(testApp, token, 'account.me')).data).toMatchObject({
      id: user.id,
      scope: [company.id],
    })
  })

  test('is shown once, and stored as a hash with a short identifying prefix', async () => {
    const { ctx } = await testApp.as(await testApp.make.user())
    const { token, ...view } = await createToken(ctx, erp)
    expect(token).toMatch(/^garantia_[\w-]{43}$/)
    expect(token.startsWith(view.prefix)).toBe(true)
    const { data, count } = await listTokens(ctx)
    expect([data, count]).toEqual([[view], 1])
    const row = await db
      .selectFrom('api_tokens')
      .where('id', '=', view.id)
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(token)
    expect(row.token_hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('records its last use, to the minute', async () => {
    const { ctx } = await testApp.as(await testApp.make.user())
    const { token, id } = await createToken(ctx, erp)
    const used = async () => (await listTokens(ctx)).data[0]?.last_used_at
    expect(await used()).toBeNull()
    await statusOf(token)
    const first = await used()
    expect(Date.parse(first ?? '')).toBeGreaterThan(Date.now() - 10_000)
    await statusOf(token)
    expect(await used()).toBe(first)
    await db
      .updateTable('api_tokens')
      .set({ last_used_at: new Date(Date.now() - 61_000) })
      .where('id', '=', id)
      .execute()
    await statusOf(token)
    expect(Date.parse((await used()) ?? '')).toBeGreaterThan(Date.now() - 10_000)
  })

  test('ends when it expires', async () => {
    const { ctx } = await testApp.as(await testApp.make.user())
    const { token, expires_at } = await createToken(ctx, { ...erp, expires_in_days: 1 })
    expect(Math.round((Date.parse(expires_at) - Date.now()) / 3_600_000)).toBe(24)
    await db
      .updateTable('api_tokens')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute()
    expect(await statusOf(token)).toBe(401)
  })

  test('ends when it is revoked, by its owner alone', async () => {
    const { ctx } = await testApp.as(await testApp.make.user())
    const { token, id } = await createToken(ctx, erp)
    await expect(revokeToken(boss.ctx, id)).rejects.toMatchObject({ code: 'not_found' })
    expect(await statusOf(token)).toBe(200)
    await revokeToken(ctx, id)
    expect(await statusOf(token)).toBe(401)
    await expect(revokeToken(ctx, id)).rejects.toMatchObject({ detail: 'Token não encontrado' })
  })

  test('ends permanently when its owner is deactivated, deletes the account or resets the password', async () => {
    const ended: string[] = []
    const opened = async () => {
      const user = await testApp.make.user()
      const { ctx } = await testApp.as(user)
      ended.push((await createToken(ctx, erp)).token)
      return { user, ctx }
    }
    const { user: inactive } = await opened()
    await changeUser(boss.ctx, inactive.id, { is_active: false })
    await changeUser(boss.ctx, inactive.id, { is_active: true, role: 'admin' })
    const { user: renewed } = await opened()
    await changeUser(boss.ctx, renewed.id, { password: 'uma-senha-longa', role: 'admin' })
    const { ctx: leaver } = await opened()
    await leaveAccount(leaver)
    const { user: forgetful } = await opened()
    await resetPassword(testApp.kernel.ctx, {
      token: await resetToken(testApp, forgetful.id),
      new_password: 'uma-senha-longa',
    })
    for (const token of ended) expect(await statusOf(token)).toBe(401)
  })

  test('ends when its owner changes the password, unless they say that it stays', async () => {
    const { ctx, token: session } = await testApp.as(await testApp.make.user())
    const { token } = await createToken(ctx, erp)
    const change = { current_password: PASSWORD, new_password: 'uma-senha-longa' }
    await changeMyPassword(ctx, { ...change, revoke_tokens: false }, session)
    expect(await statusOf(token)).toBe(200)
    const again = { current_password: change.new_password, new_password: 'outra-senha-longa' }
    await changeMyPassword(ctx, again, session)
    expect(await statusOf(token)).toBe(401)
  })

  test.each(['garantia_', 'garantia_x', `garantia_${'a'.repeat(43)}`, 'garantia_\u0000'])(
    '%j is not accepted',
    async (token) => expect(await statusOf(encodeURIComponent(token))).toBe(401),
  )
})

describe('operations that grant new access require a session, not a token', () => {
  const byToken = async (fields: object) => {
    const { token } = await testApp.make.apiToken({ user_id: (await testApp.make.user(fields)).id })
    return (path: string, input?: unknown) => callProcedure(testApp, token, path, input)
  }

  test.each([
    ['tokens.open', erp],
    ['tokens.list', undefined],
    ['tokens.revoke', { id: 1 }],
    ['account.changePassword', { current_password: PASSWORD, new_password: 'uma-senha-longa' }],
    ['account.change', { email: 'outro@exemplo.com.br' }],
    ['account.sessions', undefined],
    ['account.closeSession', { id: 'a'.repeat(64) }],
    ['account.leave', undefined],
  ])('%s is 403', async (path, input) => {
    const call = await byToken({ role: 'admin' })
    const { status, error } = await call(path, input)
    expect([status, error?.data.detail]).toEqual([403, 'Este token de API não permite esta ação.'])
  })

  test.each([{ is_superuser: true }, { role: 'admin' as const }, { role: 'manager' as const }])(
    'of %j too: neither mails with links, nor people made, changed or deleted',
    async (fields) => {
      const boss = await testApp.make.user({ ...fields, company_id: (await testApp.make.company()).id })
      const { token } = await testApp.make.apiToken({ user_id: boss.id })
      const someone = await testApp.make.user({ company_id: boss.company_id, manager_id: boss.id })
      const api = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
        (await testApp.anonymous.api(method, path, body, bearing(token))).json()
      const refused = { detail: 'Este token de API não permite esta ação.' }
      const made = {
        ...{
          email: 'novo@exemplo.com.br',
          full_name: 'Novo',
          password: PASSWORD,
          confirm_password: PASSWORD,
        },
        ...{ role: 'technician', company_id: boss.company_id, manager_id: boss.id },
      }
      expect(await api('POST', '/users', made)).toEqual(refused)
      for (const change of [
        { password: 'uma-senha-longa' },
        { email: 'outro@b.co' },
        { department: 'Pós-venda' },
      ])
        expect(await api('PATCH', `/users/${someone.id}`, change)).toEqual(refused)
      expect(await api('DELETE', `/users/${someone.id}`)).toEqual(refused)
      expect((await callProcedure(testApp, token, 'mail.list')).status).toBe(403)
      expect((await callProcedure(testApp, token, 'users.list', {})).status).toBe(200)
    },
  )

  test('but the name on the profile may change', async () => {
    const call = await byToken({})
    expect((await call('account.change', { full_name: 'Ana' })).status).toBe(200)
  })
})

describe('its addresses', () => {
  const from = async (networks: string[], remoteAddress: string) => {
    const { ctx } = await testApp.as(await testApp.make.user())
    const { token } = await createToken(ctx, { ...erp, networks })
    const answer = await testApp.app.inject({
      url: '/api/v1/users/me',
      headers: bearing(token),
      remoteAddress,
    })
    return answer.statusCode
  }
  test.each([
    [['203.0.113.7'], '203.0.113.7', 200],
    [['203.0.113.7'], '203.0.113.8', 401],
    [['203.0.113.7/24'], '203.0.113.200', 200],
    [['203.0.113.0/24'], '::ffff:203.0.113.200', 200],
    [['203.0.113.0/24', '2001:db8::/32'], '2001:db8::1', 200],
    [['203.0.113.0/24'], '2001:db8::1', 401],
    [[], '198.51.100.1', 200],
  ])('made for %j, from %s: %i', async (networks, address, status) =>
    expect(await from(networks, address)).toBe(status),
  )
})

describe('limits', () => {
  const countTokens = (ctx: Ctx) => listTokens(ctx).then(({ count }) => count)

  test(`a user has ${TOKENS_MAX} at most, also when many are requested at once`, async () => {
    const { ctx } = await testApp.as(await testApp.make.user())
    const asked = await Promise.allSettled(Array.from({ length: 30 }, () => createToken(ctx, erp)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(TOKENS_MAX)
    expect(await countTokens(ctx)).toBe(TOKENS_MAX)
    await expect(createToken(ctx, erp)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('a user makes 60 an hour at most', async () => {
    const { ctx } = await testApp.as(await testApp.make.user())
    for (let made = 0; made < 60; made++) await revokeToken(ctx, (await createToken(ctx, erp)).id)
    await expect(createToken(ctx, erp)).rejects.toMatchObject({
      code: 'too_many',
      retryAfter: expect.any(Number),
    })
  })
})

test('making and revoking is in the audit trail, without the token', async () => {
  const user = await testApp.make.user()
  const { ctx } = await testApp.as(user)
  const { token, id, prefix } = await createToken(ctx, erp)
  await revokeToken(ctx, id)
  const events = await db
    .selectFrom('events')
    .where('subject', '=', 'user')
    .where('subject_id', '=', user.id)
    .selectAll()
    .orderBy('id')
    .execute()
  expect(events.map(({ kind, changes }) => [kind, changes])).toEqual([
    ['token.created', expect.objectContaining({ name: 'ERP', prefix })],
    ['token.revoked', expect.objectContaining({ name: 'ERP', prefix })],
  ])
  expect(JSON.stringify(events)).not.toContain(token)
})
