import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { eventKinds } from '../support/event-kinds.ts'
import { resetToken } from '../support/reset-token.ts'
import { PASSWORD, startTestApp, type TestApp } from '../support/test-app.ts'

const testApp = await startTestApp({ RECOVERY_LIMIT: '0' })
afterAll(() => testApp[Symbol.asyncDispose]())
const { db } = testApp.kernel.ctx

const recover = (email: string, at: TestApp = testApp) =>
  at.anonymous.api('POST', `/password-recovery/${encodeURIComponent(email)}`)
const reset = (token: string, new_password = 'uma-senha-nova') =>
  testApp.anonymous.api('POST', '/reset-password/', { token, new_password })
const signIn = async (email: string, password: string) =>
  (await testApp.anonymous.api('POST', '/token', { username: email, password })).statusCode
const authorized = (token: string) => ({ authorization: `Bearer ${token}` })
const mails = () => db.selectFrom('mails').selectAll().orderBy('id').execute()
const INVALID = [400, { detail: 'Invalid token' }]

test('a made-up token is refused before a password is hashed: a hundred at once are all 400', async () => {
  const asked = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      testApp.anonymous.api('POST', '/reset-password', {
        token: `inventado${n}`,
        new_password: 'uma-senha-longa',
      }),
    ),
  )
  expect([...new Set(asked.map(({ statusCode }) => statusCode))]).toEqual([400])
})

test('a link of 256 bits is mailed to the address, and only its hash is stored (D-37, API-7)', async () => {
  const user = await testApp.make.user({ email: 'Ana@Exemplo.com.br', full_name: 'Ana <b>' })
  const answer = await recover('ANA@exemplo.com.br')
  expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Password recovery email sent' }])
  const [mail] = await mails()
  expect(mail).toMatchObject({ recipient: user.email, subject: 'Garantia: recuperação de senha' })
  const [, token = ''] = /\/reset-password\?token=([\w-]+)\n/.exec(mail?.body ?? '') ?? []
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  expect(mail?.html).toContain(`token=${token}`)
  expect(mail?.html).not.toContain('<b>')
  const kept = await db.selectFrom('password_resets').selectAll().execute()
  expect(kept).toMatchObject([
    { user_id: user.id, token_hash: createHash('sha256').update(token).digest('hex') },
  ])
  const hours = ((kept[0]?.expires_at.getTime() ?? 0) - Date.now()) / 3_600_000
  expect(hours).toBeCloseTo(2, 1)
  expect(JSON.stringify(await db.selectFrom('events').selectAll().execute())).not.toContain(token)
})

test('an unknown address, a user name and an inactive user are Not Found (REC-4, D-35)', async () => {
  const inactive = await testApp.make.user({ is_active: false })
  for (const email of ['ninguem@exemplo.com.br', inactive.email]) {
    const answer = await recover(email)
    expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Not Found' }])
  }
  for (const email of ['joao', 'x@', '%00', 'a\u0000@b.co', `${'a'.repeat(300)}@b.co`])
    expect([email, (await recover(email)).statusCode]).toEqual([email, 422])
})

test('an installation that hides who has an account gives everybody the same answer (D-37)', async () => {
  await using hiding = await startTestApp({ AUTH_HIDE_UNKNOWN_EMAIL: 'true' })
  const { email } = await hiding.make.user()
  const [known, unknown] = [await recover(email, hiding), await recover('ninguem@exemplo.com.br', hiding)]
  expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body])
  expect(await hiding.kernel.ctx.db.selectFrom('mails').select('recipient').execute()).toEqual([
    { recipient: email },
  ])
})

describe('a reset token (API-9, ENT-24)', () => {
  test('sets the new password once, and ends every session', async () => {
    const user = await testApp.make.user()
    const { token: session } = await testApp.as(user)
    const [first, second] = [await resetToken(testApp, user.id), await resetToken(testApp, user.id)]
    const answer = await reset(first)
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Password updated successfully' }])
    expect(await eventKinds(db, 'user', user.id)).toContain('password.reset')
    expect(await signIn(user.email, PASSWORD)).toBe(400)
    expect(await signIn(user.email, 'uma-senha-nova')).toBe(200)
    const me = await testApp.anonymous.api('GET', '/users/me', undefined, authorized(session))
    expect(me.statusCode).toBe(401)
    for (const spent of [first, second]) {
      const again = await reset(spent, 'mais-uma-senha')
      expect([again.statusCode, again.json()]).toEqual(INVALID)
    }
  })

  test('used 12 times concurrently works once', async () => {
    const token = await resetToken(testApp, (await testApp.make.user()).id)
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => reset(token, `senha-numero-${n}`)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(11).fill(400)])
  })

  test('is no access token, and an access token is no reset token', async () => {
    const user = await testApp.make.user()
    const token = await resetToken(testApp, user.id)
    const used = await testApp.anonymous.api('GET', '/users/me', undefined, authorized(token))
    expect([used.statusCode, used.json()]).toEqual([401, { detail: 'Not authenticated' }])
    expect((await callProcedure(testApp, token, 'account.me')).status).toBe(401)
    const { token: session } = await testApp.as(user)
    const answer = await reset(session)
    expect([answer.statusCode, answer.json()]).toEqual(INVALID)
    expect(await signIn(user.email, PASSWORD)).toBe(200)
  })

  test('that was forged, truncated or expired, or whose hash was stolen, is refused', async () => {
    const user = await testApp.make.user()
    const token = await resetToken(testApp, user.id)
    const stolen = createHash('sha256').update(token).digest('hex')
    for (const bad of [
      'x',
      token.slice(1),
      `${token}x`,
      stolen,
      'a\u0000b',
      "' or 1=1 --",
      '💥'.repeat(40),
    ]) {
      const answer = await reset(bad)
      expect([bad, answer.statusCode, answer.json()]).toEqual([bad, ...INVALID])
    }
    for (const bad of ['', 'x'.repeat(201)]) expect((await reset(bad)).statusCode).toBe(422)
    await db
      .updateTable('password_resets')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('user_id', '=', user.id)
      .execute()
    expect((await reset(token)).json()).toEqual(INVALID[1])
  })

  test('ends with a password change, a change of address and a deactivation', async () => {
    const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
    const [changer, mover, leaver, reset_by_admin] = [
      await testApp.make.user(),
      await testApp.make.user(),
      await testApp.make.user(),
      await testApp.make.user(),
    ]
    const people = [changer, mover, leaver, reset_by_admin]
    const tokens = await Promise.all(people.map(({ id }) => resetToken(testApp, id)))
    const change = { current_password: PASSWORD, new_password: 'outra-senha-longa' }
    await (await testApp.as(changer)).api('PATCH', '/users/me/password', change)
    await (await testApp.as(mover)).api('PATCH', '/users/me', { email: `novo${mover.id}@exemplo.com.br` })
    await boss.api('PATCH', `/users/${leaver.id}`, { is_active: false })
    await boss.api('PATCH', `/users/${reset_by_admin.id}`, { password: 'outra-senha-longa' })
    for (const token of tokens) expect((await reset(token)).json()).toEqual(INVALID[1])
  })

  test('of a user deactivated meanwhile says so', async () => {
    const user = await testApp.make.user()
    const token = await resetToken(testApp, user.id)
    await db.updateTable('users').set({ is_active: false }).where('id', '=', user.id).execute()
    const answer = await reset(token)
    expect([answer.statusCode, answer.json()]).toEqual([400, { detail: 'Inactive user' }])
  })
})

test('without a mail server a superuser reads the mail of a user, and its link works (API-8, D-46)', async () => {
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const user = await testApp.make.user()
  const answer = await boss.api('POST', `/password-recovery-html-content/${user.email}`)
  expect(answer.headers['content-security-policy']).toBe(
    "default-src 'none'; sandbox; frame-ancestors 'none'",
  )
  const [, token = ''] = /token=([\w-]+)/.exec(answer.body) ?? []
  expect((await reset(token)).statusCode).toBe(200)
  const unknown = await boss.api('POST', '/password-recovery-html-content/ninguem@exemplo.com.br')
  expect([unknown.statusCode, unknown.json()]).toEqual([404, { detail: 'Not Found' }])
})
