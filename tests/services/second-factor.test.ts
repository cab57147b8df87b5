import { signIn as signInCase } from '@garantia/server/features/people/auth'
import { reencryptSecrets } from '@garantia/server/features/people/second-factor'
import { TOTP } from 'otpauth'
import { afterAll, describe, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { eventKinds } from '../support/event-kinds.ts'
import { type Caller, PASSWORD, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx

const CODE_NEEDED = { detail: 'Informe o código de verificação.' }
const CODE_WRONG = { detail: 'Código de verificação incorreto.' }
const CONFIRM_NEEDED = 'Confirme a sua senha para continuar.'

/** What an authenticator shows that many steps from now. */
const codeOf = (url: string, steps = 0) =>
  new TOTP({ secret: new URL(url).searchParams.get('secret') ?? '' }).generate({
    timestamp: Date.now() + steps * 30_000,
  })
const signIn = (username: string, code?: string) =>
  testApp.anonymous.api('POST', '/login/access-token', { username, password: PASSWORD, code })
const mailsTo = (recipient: string) =>
  db.selectFrom('mails').where('recipient', '=', recipient).orderBy('id').selectAll().execute()
/** As if the session had been opened or confirmed a quarter of an hour ago. */
const age = (user_id: number) =>
  db
    .updateTable('sessions')
    .set({ confirmed_at: new Date(Date.now() - 15 * 60_000) })
    .where('user_id', '=', user_id)
    .execute()

async function person(fields: object = {}) {
  const user = await testApp.make.user({ email: `ana${Math.random()}@exemplo.com.br`, ...fields })
  return { user, as: await testApp.as(user) }
}
const call = ({ token }: Pick<Caller, 'token'>, path: string, input?: object) =>
  callProcedure(testApp, token, path, input)

/** Somebody whose sign-in asks for codes from now on. */
async function withCodes() {
  const { user, as } = await person()
  const { data: begun } = await call(as, 'account.beginTotp')
  const { url, secret } = begun as { url: string; secret: string }
  const { data: done } = await call(as, 'account.confirmTotp', { code: codeOf(url, -1) })
  return { user, as, url, secret, recovery: (done as { recovery_codes: string[] }).recovery_codes }
}

describe('codes of an authenticator (RFC 6238)', () => {
  test('are asked for once they have been confirmed, and each counts once', async () => {
    const { user, url, secret } = await withCodes()
    expect(url).toContain(`secret=${secret}`)
    expect((await signIn(user.email)).json()).toEqual(CODE_NEEDED)
    expect((await signIn(user.email, '000000')).json()).toEqual(CODE_WRONG)
    const events = db.selectFrom('events').where('subject_id', '=', user.id).select(['kind', 'changes'])
    expect(await events.orderBy('id', 'desc').executeTakeFirstOrThrow()).toEqual({
      kind: 'sign_in.failed',
      changes: { method: 'code' },
    })
    const code = codeOf(url)
    const open = await signIn(user.email, code)
    expect(open.statusCode).toBe(200)
    expect((await signIn(user.email, code)).json()).toEqual(CODE_WRONG)
    const { access_token } = open.json()
    const { data } = await call({ token: access_token }, 'account.sessions')
    expect((data as { data: object[] }).data[0]).toMatchObject({ method: 'code', is_current: true })
  })

  test('of two sign-ins with one code at the same moment only one succeeds', async () => {
    const { user, url } = await withCodes()
    const code = codeOf(url)
    const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(user.email, code)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400, 400])
  })

  test('are not asked for before they were confirmed, and a wrong one confirms nothing', async () => {
    const { user, as } = await person()
    await call(as, 'account.beginTotp')
    expect((await call(as, 'account.confirmTotp', { code: '000000' })).status).toBe(400)
    expect((await signIn(user.email)).statusCode).toBe(200)
  })

  test('a wrong password says the same whether there is a second factor or not', async () => {
    const { user } = await withCodes()
    const answer = await testApp.anonymous.api('POST', '/login/access-token', {
      username: user.email,
      password: 'outra-senha',
      code: '123456',
    })
    expect([answer.statusCode, answer.json()]).toEqual([400, { detail: 'Incorrect email or password' }])
  })

  test('guessed ten times they are refused for a while, from any address', async () => {
    const { user, url } = await withCodes()
    const from = (n: number) =>
      testApp.anonymous.api(
        'POST',
        '/login/access-token',
        { username: user.email, password: PASSWORD, code: '000000' },
        { 'x-forwarded-for': `198.51.${n}.1` },
      )
    for (let n = 0; n < 9; n++) expect((await from(n)).statusCode).toBe(400)
    await from(10)
    expect((await signIn(user.email, codeOf(url))).statusCode).toBe(429)
  })

  test('a recovery code opens once, in capitals and without hyphens too, and its owner is told', async () => {
    const { user, recovery } = await withCodes()
    expect(new Set(recovery).size).toBe(10)
    const code = (recovery[0] ?? '').replaceAll('-', '').toUpperCase()
    expect((await signIn(user.email, code)).statusCode).toBe(200)
    expect((await signIn(user.email, code)).json()).toEqual(CODE_WRONG)
    expect((await mailsTo(user.email)).at(-1)?.body).toContain('Um código de recuperação foi usado')
    const renewed = await call(await testApp.as(user), 'account.renewRecoveryCodes')
    expect((renewed.data as { recovery_codes: string[] }).recovery_codes).toHaveLength(10)
    expect((await signIn(user.email, recovery[1])).json()).toEqual(CODE_WRONG)
  })

  test('nobody signs in with a copy of the database: neither secret nor codes are in it', async () => {
    const { user, secret, recovery } = await withCodes()
    const rows = await Promise.all([
      db.selectFrom('totp_secrets').where('user_id', '=', user.id).selectAll().execute(),
      db.selectFrom('recovery_codes').where('user_id', '=', user.id).selectAll().execute(),
      db.selectFrom('events').where('subject_id', '=', user.id).selectAll().execute(),
      mailsTo(user.email),
    ])
    const text = JSON.stringify(rows)
    for (const hidden of [secret, ...recovery, ...recovery.map((code) => code.replaceAll('-', ''))])
      expect(text).not.toContain(hidden)
  })

  test('turned on, all other sessions end and the person is told; turned off, the password is enough', async () => {
    const { user, as } = await person()
    const other = await testApp.as(user)
    const { data } = await call(as, 'account.beginTotp')
    await call(as, 'account.confirmTotp', { code: codeOf((data as { url: string }).url) })
    expect((await other.api('GET', '/users/me')).statusCode).toBe(401)
    expect((await call(as, 'account.beginTotp')).status).toBe(409)
    expect((await call(as, 'account.removeTotp')).status).toBe(200)
    expect((await signIn(user.email)).statusCode).toBe(200)
    expect((await mailsTo(user.email)).map(({ body }) => /foi (\w+) na/.exec(body)?.[1])).toEqual([
      'ativada',
      'desativada',
    ])
  })
})

describe('what opens or closes an account', () => {
  const asked = async (attempt: Promise<{ statusCode: number; json(): unknown }>) => {
    const answer = await attempt
    expect([answer.statusCode, answer.json()]).toEqual([403, { detail: CONFIRM_NEEDED }])
  }

  test('asks for the password again after ten minutes, and is allowed after it (API-11, D-35)', async () => {
    const { user, as } = await person()
    const email = `nova${user.id}@exemplo.com.br`
    await age(user.id)
    await asked(as.api('PATCH', '/users/me', { email }))
    expect((await as.api('PATCH', '/users/me', { full_name: 'Ana Lima' })).statusCode).toBe(200)
    expect((await as.api('POST', '/users/me/confirm', { password: 'outra' })).statusCode).toBe(400)
    await asked(as.api('PATCH', '/users/me', { email }))
    expect((await as.api('POST', '/users/me/confirm', { password: PASSWORD })).statusCode).toBe(200)
    expect((await as.api('PATCH', '/users/me', { email })).json()).toMatchObject({ email })
  })

  test('asks for the code too where there is one', async () => {
    const { user, as, url } = await withCodes()
    await age(user.id)
    const without = await as.api('POST', '/users/me/confirm', { password: PASSWORD })
    expect(without.json()).toEqual(CODE_NEEDED)
    expect((await call(as, 'passkeys.begin')).status).toBe(403)
    const code = codeOf(url)
    expect((await as.api('POST', '/users/me/confirm', { password: PASSWORD, code })).statusCode).toBe(200)
    expect((await call(as, 'passkeys.begin')).status).toBe(200)
  })

  test("is also a token, another person's password or login, and a new administrator", async () => {
    const boss = await person({ is_superuser: true })
    const { user } = await person()
    await age(boss.user.id)
    await asked(boss.as.api('POST', '/tokens', { name: 'ERP', expires_in_days: 30, scope: 'read' }))
    for (const change of [
      { password: 'outra-senha-longa' },
      { email: 'outro@exemplo.com.br' },
      { role: 'admin' },
      { is_superuser: true },
    ])
      await asked(boss.as.api('PATCH', `/users/${user.id}`, change))
    expect((await boss.as.api('PATCH', `/users/${user.id}`, { department: 'Oficina' })).statusCode).toBe(200)
    await asked(boss.as.api('DELETE', `/users/${user.id}/second-factor`))
  })

  test('is also the text of a mail, whose link does it, and the end of the own account', async () => {
    const boss = await person({ is_superuser: true })
    const { user, as } = await person()
    await testApp.anonymous.api('POST', `/password-recovery/${user.email}`)
    const [mail] = await mailsTo(user.email)
    for (const { id } of [boss.user, user]) await age(id)
    await asked(boss.as.api('POST', `/password-recovery-html-content/${user.email}`))
    const one = await call(boss.as, 'mail.one', { id: mail?.id })
    expect([one.status, one.error?.data.detail]).toEqual([403, CONFIRM_NEEDED])
    expect((await call(boss.as, 'mail.list')).status).toBe(200)
    await asked(as.api('DELETE', '/users/me'))
    expect((await boss.as.api('POST', '/users/me/confirm', { password: PASSWORD })).statusCode).toBe(200)
    expect((await call(boss.as, 'mail.one', { id: mail?.id })).status).toBe(200)
  })
})

test('codes go on with another signing key, also when the former one is forgotten', async () => {
  const { user, url } = await withCodes()
  const next = { ...ctx, config: { ...ctx.config, SIGNING_KEY: 'c'.repeat(64) } }
  const { SIGNING_KEY } = ctx.config
  await reencryptSecrets({ ...next, config: { ...next.config, SIGNING_KEY_PREVIOUS: [SIGNING_KEY] } })
  const credentials = { username: user.email, password: PASSWORD, code: codeOf(url) }
  const from = { ip: null, user_agent: null }
  await expect(signInCase(ctx, credentials, from)).rejects.toThrow('Código de verificação incorreto.')
  expect(await signInCase(next, credentials, from)).toMatchObject({ token_type: 'bearer' })
})

test('every session and every token end with one call (D-36)', async () => {
  const { user, as } = await person()
  const other = await testApp.as(user)
  await as.api('POST', '/tokens', { name: 'ERP', expires_in_days: 30, scope: 'read' })
  const count = async () =>
    (await db.selectFrom('api_tokens').where('user_id', '=', user.id).selectAll().execute()).length
  expect((await as.api('POST', '/users/me/end-sessions', { revoke_tokens: false })).statusCode).toBe(200)
  expect(await count()).toBe(1)
  for (const one of [as, other]) expect((await one.api('GET', '/users/me')).statusCode).toBe(401)
  const next = await testApp.as(user)
  expect((await next.api('POST', '/users/me/end-sessions', {})).statusCode).toBe(200)
  expect(await count()).toBe(0)
  expect((await eventKinds(db, 'user', user.id)).filter((kind) => kind === 'sessions.ended')).toHaveLength(2)
})

test('a new password ends the tokens unless told otherwise, and its owner is told', async () => {
  const { user, as } = await person()
  await as.api('POST', '/tokens', { name: 'ERP', expires_in_days: 30, scope: 'read' })
  const change = { current_password: PASSWORD, new_password: 'outra-senha-longa' }
  expect((await as.api('PATCH', '/users/me/password', change)).statusCode).toBe(200)
  expect(await db.selectFrom('api_tokens').where('user_id', '=', user.id).selectAll().execute()).toEqual([])
  expect((await mailsTo(user.email)).at(-1)?.body).toContain('A senha da sua conta foi trocada.')
})

test('signing out over REST ends the session of the call', async () => {
  const { as } = await person()
  expect((await as.api('POST', '/logout')).json()).toEqual({ message: 'Sessão encerrada' })
  expect((await as.api('GET', '/users/me')).statusCode).toBe(401)
})

describe('where a role needs a second factor', () => {
  test('its people can do nothing else before they have one, and others are not asked', async () => {
    await using strict = await startTestApp({ SECOND_FACTOR_REQUIRED: 'admin, superuser' })
    const admin = await strict.make.user({ role: 'admin', email: 'admin@exemplo.com.br' })
    const as = await strict.as(admin)
    expect((await as.api('GET', '/users/me')).json()).toMatchObject({ must_add_factor: true, scope: [] })
    for (const path of ['/service-orders', '/users', '/brands', '/companies'])
      expect((await as.api('GET', path)).statusCode, path).toBe(403)
    expect(await callProcedure(strict, as.token, 'tokens.open', TOKEN)).toMatchObject({ status: 403 })
    const { data } = await callProcedure(strict, as.token, 'account.beginTotp')
    const code = codeOf((data as { url: string }).url)
    await callProcedure(strict, as.token, 'account.confirmTotp', { code })
    expect((await as.api('GET', '/users')).statusCode).toBe(200)

    const technician = await strict.as(await strict.make.user())
    expect((await technician.api('GET', '/users/me')).json().must_add_factor).toBe(false)
    const superuser = await strict.as(await strict.make.user({ is_superuser: true }))
    expect((await superuser.api('GET', '/users')).statusCode).toBe(403)
  })
})
const TOKEN = { name: 'ERP', expires_in_days: 30, scope: 'read' }

test('a role that needs a second factor gives its passkey: a password adds nothing beside it', async () => {
  await using strict = await startTestApp({ SECOND_FACTOR_REQUIRED: 'admin' })
  const { db, sessions } = strict.kernel.ctx
  const admin = await strict.make.user({ role: 'admin' })
  await db
    .insertInto('passkeys')
    .values({
      credential_id: 'a',
      user_id: admin.id,
      name: 'Telefone',
      public_key: Buffer.from('a'),
      counter: 0,
    })
    .execute()
  const as = await strict.as(admin)
  expect((await as.api('GET', '/users/me')).json()).toMatchObject({ must_add_factor: true })
  for (const path of ['account.beginTotp', 'passkeys.begin']) {
    const answer = await callProcedure(strict, as.token, path)
    expect([path, answer.status, answer.error?.data.detail]).toEqual([
      path,
      403,
      'A sua função exige mais do que a senha. Use a sua chave de acesso para continuar.',
    ])
  }
  expect((await as.api('POST', '/users/me/confirm', { password: PASSWORD })).statusCode).toBe(200)
  expect((await callProcedure(strict, as.token, 'account.beginTotp')).status).toBe(403)
  // As passkeys.confirm does with the right answer.
  await sessions.confirm(as.token, 'passkey')
  expect((await callProcedure(strict, as.token, 'account.beginTotp')).status).toBe(200)
})

test('an administrator lets somebody in again who has lost the telephone', async () => {
  const { user, as } = await withCodes()
  const boss = await person({ role: 'admin' })
  const { data } = (await boss.as.api('GET', `/users?search=${user.email}`)).json()
  expect(data[0]).toMatchObject({ id: user.id, has_factor: true })
  expect((await boss.as.api('DELETE', `/users/${user.id}/second-factor`)).statusCode).toBe(200)
  expect((await as.api('GET', '/users/me')).statusCode).toBe(401)
  expect((await signIn(user.email)).statusCode).toBe(200)
})
