import { createHash } from 'node:crypto'
import { closeMySession, leaveAccount, listMySessions } from '@garantia/server/features/people/account'
import { changeUser } from '@garantia/server/features/people/users'
import { hashPassword } from '@garantia/server/kernel'
import { afterAll, describe, expect, test } from 'vitest'
import { PASSWORD, startTestApp, type TestApp } from '../support/test-app.ts'

const testApp = await startTestApp({ SIGNUP_LIMIT: '0', LOGIN_LIMIT: '0' })
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx

const account = { full_name: 'Ana Maria', email: 'ana@exemplo.com.br', password: 'uma-senha-longa' }
const signUp = (body: object, at: TestApp = testApp) => at.anonymous.api('POST', '/users/signup', body)
const signIn = (username: string, password: string) =>
  testApp.anonymous.api('POST', '/login/access-token', { username, password })
const me = (token: string) =>
  testApp.anonymous.api('GET', '/users/me', undefined, { authorization: `Bearer ${token}` })
const eventsOf = (id: number) =>
  db
    .selectFrom('events')
    .where('subject', '=', 'user')
    .where('subject_id', '=', id)
    .orderBy('id')
    .selectAll()
    .execute()

test('who asks without end for their own password to be checked keeps nobody else waiting', async () => {
  // The real hash: the test depends on a check taking its time.
  const password_hash = await hashPassword(PASSWORD, 'teste')
  const [busy, other] = [
    await testApp.as(await testApp.make.user({ password_hash })),
    await testApp.as(await testApp.make.user({ password_hash })),
  ]
  const confirm = ({ api }: typeof busy) => api('POST', '/users/me/confirm', { password: PASSWORD })
  const many = Array.from({ length: 40 }, () => confirm(busy))
  expect((await confirm(other)).statusCode).toBe(200)
  await Promise.all(many)
})

describe('signing up', () => {
  test('makes an active technician without company or manager, who sees nothing yet (API-6, D-34)', async () => {
    const made = (await signUp({ ...account, role: 'admin', is_superuser: true, company_id: 1 })).json()
    expect(made).toMatchObject({
      full_name: account.full_name,
      email: account.email,
      role: 'technician',
      company_id: null,
      manager_id: null,
      is_superuser: false,
      is_active: true,
      last_login_at: null,
    })
    expect(Object.keys(made)).not.toContain('password_hash')
    const { access_token } = (await signIn(account.email, account.password)).json()
    expect((await me(access_token)).json().scope).toEqual([])
    expect((await eventsOf(made.id)).map(({ kind }) => kind)).toEqual(['signed_up', 'signed_in'])
  })

  test('with an e-mail in use is a 409, whatever its case (D-35)', async () => {
    const { email } = await testApp.make.user()
    const answer = await signUp({ ...account, email: email.toUpperCase() })
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { detail: 'Já existe um usuário com este email.' },
    ])
  })

  test('12 times concurrently with one e-mail: one wins', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        signUp({ ...account, email: n % 2 ? 'junto@exemplo.com.br' : 'JUNTO@Exemplo.com.br' }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(11).fill(409)])
  })

  test('waits for approval, or is disabled, as configured (D-34)', async () => {
    await using waiting = await startTestApp({ SIGNUP_MODE: 'approval' })
    expect((await signUp(account, waiting)).json()).toMatchObject({ is_active: false })
    const refused = await waiting.anonymous.api('POST', '/token', {
      username: account.email,
      password: account.password,
    })
    expect([refused.statusCode, refused.json()]).toEqual([400, { detail: 'Inactive user' }])
    await using off = await startTestApp({ SIGNUP_MODE: 'off' })
    expect((await signUp(account, off)).statusCode).toBe(403)
  })
})

test('the profile accepts an e-mail or a user name, and the user signs in with it (API-11, D-35)', async () => {
  const { api } = await testApp.as(await testApp.make.user())
  for (const email of ['joao.silva-2', 'joao@exemplo.com.br']) {
    expect((await api('PATCH', '/users/me', { email })).json()).toMatchObject({ email })
    expect((await signIn(email.toUpperCase(), PASSWORD)).statusCode).toBe(200)
  }
  for (const email of ['jo', 'joão', 'joao silva', 'joao@', 'a'.repeat(61)])
    expect([email, (await api('PATCH', '/users/me', { email })).statusCode]).toEqual([email, 422])
  const taken = await testApp.make.user({ email: 'Tomado' })
  expect((await api('PATCH', '/users/me', { email: 'tomado' })).json()).toEqual({
    detail: 'Já existe um usuário com este email.',
  })
  expect(taken.email).toBe('Tomado')
})

test('a profile changes only the given fields; the audit trail keeps both values (SET-4, D-41)', async () => {
  const user = await testApp.make.user({ full_name: 'x'.repeat(200) })
  const { api } = await testApp.as(user)
  const email = `longo${user.id}@exemplo.com.br`
  expect((await api('PATCH', '/users/me', { email })).json()).toMatchObject({ full_name: 'x'.repeat(200) })
  const long = await api('PATCH', '/users/me', { full_name: 'y'.repeat(31) })
  expect([long.statusCode, long.json().detail[0].msg]).toEqual([422, 'Máximo de 30 caracteres'])
  const risen = await api('PATCH', '/users/me', { role: 'admin', is_superuser: true, company_id: null })
  expect(risen.json()).toMatchObject({ role: 'technician', is_superuser: false, company_id: user.company_id })
  expect(await eventsOf(user.id)).toMatchObject([
    { kind: 'changed', actor_user_id: user.id, changes: { email: [user.email, email] } },
  ])
})

describe('a new password (API-13, D-36)', () => {
  const change = (token: string, body: object) =>
    testApp.anonymous.api('PATCH', '/users/me/password', body, { authorization: `Bearer ${token}` })

  test('ends every other session immediately and keeps the own one', async () => {
    const user = await testApp.make.user()
    const [mine, other] = [(await testApp.as(user)).token, (await testApp.as(user)).token]
    const answer = await change(mine, { current_password: PASSWORD, new_password: 'uma-senha-nova' })
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Password updated successfully' }])
    expect([(await me(mine)).statusCode, (await me(other)).statusCode]).toEqual([200, 401])
    expect((await signIn(user.email, PASSWORD)).statusCode).toBe(400)
    expect((await signIn(user.email, 'uma-senha-nova')).statusCode).toBe(200)
    const events = await eventsOf(user.id)
    expect(events.map(({ kind }) => kind)).toContain('password.changed')
    expect(JSON.stringify(events)).not.toMatch(/senha-(nova|de-teste)|argon2/)
  })

  test('is refused with a wrong current one, an equal one or a short one, and never with a 401 (D-03)', async () => {
    const { token } = await testApp.as(await testApp.make.user())
    for (const [body, status, detail] of [
      [{ current_password: 'errada-errada', new_password: 'uma-senha-nova' }, 400, 'Senha atual incorreta'],
      [
        { current_password: PASSWORD, new_password: PASSWORD },
        400,
        'A nova senha não pode ser igual à atual',
      ],
    ] as const) {
      const answer = await change(token, body)
      expect([answer.statusCode, answer.json()]).toEqual([status, { detail }])
    }
    const short = await change(token, { current_password: PASSWORD, new_password: 'curta' })
    expect([short.statusCode, short.json().detail]).toMatchObject([
      422,
      [{ loc: ['body', 'new_password'], msg: 'Senha deve ter pelo menos 8 caracteres' }],
    ])
  })
})

test('sessions are listed without their tokens and closed one by one, only by their owner (D-36)', async () => {
  const user = await testApp.make.user()
  const [mine, other] = [await testApp.as(user), await testApp.as(user)]
  const { data } = await listMySessions(mine.ctx, mine.token)
  expect(data.map(({ is_current }) => is_current).sort()).toEqual([false, true])
  expect(JSON.stringify(data)).not.toContain(other.token)
  const id = createHash('sha256').update(other.token).digest('hex')
  const otherCompanyUser = await testApp.as(await testApp.make.user())
  await expect(closeMySession(otherCompanyUser.ctx, id)).rejects.toMatchObject({ code: 'not_found' })
  expect((await me(other.token)).statusCode).toBe(200)
  await closeMySession(mine.ctx, id)
  expect([(await me(other.token)).statusCode, (await me(mine.token)).statusCode]).toEqual([401, 200])
})

describe('deleting the own account (API-12, D-40)', () => {
  test('removes the name and every session, and keeps the id in the history', async () => {
    const user = await testApp.make.user({ cpf: '52998224725', phone: '(11) 98765-4321' })
    const order = await testApp.make.order({ created_by: user.id })
    const [one, two] = [await testApp.as(user), await testApp.as(user)]
    expect((await one.api('DELETE', '/users/me')).json()).toEqual({ message: 'User deleted successfully' })
    expect([(await me(one.token)).statusCode, (await me(two.token)).statusCode]).toEqual([401, 401])
    expect((await signIn(user.email, PASSWORD)).json()).toEqual({ detail: 'Incorrect email or password' })
    const row = await db.selectFrom('users').where('id', '=', user.id).selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ full_name: 'Usuário removido', cpf: null, phone: null, is_active: false })
    const kept = await db
      .selectFrom('service_orders')
      .where('id', '=', order.id)
      .select('created_by')
      .executeTakeFirst()
    expect(kept?.created_by).toBe(user.id)
    expect((await signUp({ ...account, email: user.email })).statusCode).toBe(200)
  })

  test('cannot be blocked by a user who took the login name it is renamed to', async () => {
    const user = await testApp.make.user()
    await testApp.make.user({ email: `removido-${user.id}` })
    expect((await (await testApp.as(user)).api('DELETE', '/users/me')).statusCode).toBe(200)
  })

  test('is refused to a superuser, also to a user who has just become one', async () => {
    const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
    expect((await boss.api('DELETE', '/users/me')).statusCode).toBe(403)
    const user = await testApp.make.user()
    const { ctx: stale } = await testApp.as(user)
    await changeUser(boss.ctx, user.id, { is_superuser: true })
    await expect(leaveAccount(stale)).rejects.toMatchObject({ code: 'forbidden' })
  })
})

test('a sign-in is recorded with its address and its browser, a failed one too (audit)', async () => {
  const user = await testApp.make.user()
  const at = { remoteAddress: '203.0.113.9', headers: { 'user-agent': 'Navegador/1.0' } }
  const enter = (password: string) =>
    testApp.app.inject({
      method: 'POST',
      url: '/api/v1/token',
      payload: { username: user.email, password },
      ...at,
    })
  await enter('errada-errada')
  const { access_token } = (await enter(PASSWORD)).json()
  const origin = { ip: '203.0.113.9', user_agent: 'Navegador/1.0' }
  const events = await eventsOf(user.id)
  expect(events).toMatchObject([
    { kind: 'sign_in.failed', ...origin },
    { kind: 'signed_in', ...origin },
  ])
  expect(JSON.stringify(events)).not.toMatch(/errada|senha-de-teste/)
  expect((await listMySessions((await testApp.as(user)).ctx, access_token)).data).toContainEqual(
    expect.objectContaining({ ...origin, is_current: true }),
  )
})
