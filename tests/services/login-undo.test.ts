import { TOTP } from 'otpauth'
import { afterAll, describe, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { type Caller, PASSWORD, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { db } = testApp.kernel.ctx

async function person(fields: object = {}) {
  const user = await testApp.make.user({ email: `ana${Math.random()}@exemplo.com.br`, ...fields })
  return { user, as: await testApp.as(user) }
}
const call = ({ token }: Pick<Caller, 'token'>, path: string, input?: object) =>
  callProcedure(testApp, token, path, input)
const signIn = (username: string, password = PASSWORD) =>
  testApp.anonymous.api('POST', '/login/access-token', { username, password })
/** What an authenticator shows now. */
const codeOf = (url: string) => new TOTP({ secret: new URL(url).searchParams.get('secret') ?? '' }).generate()
const mailsTo = (recipient: string) =>
  db.selectFrom('mails').where('recipient', '=', recipient).orderBy('id').selectAll().execute()

describe('a changed login', () => {
  const undoLink = async (email: string) =>
    /undo-login\?token=([\w-]+)/.exec((await mailsTo(email)).at(-1)?.body ?? '')?.[1] ?? ''

  test('ends all other sessions, and the former address can take the account back', async () => {
    const { user, as } = await person()
    const owner = await testApp.as(user)
    const stolen = 'ladrao@exemplo.com.br'
    expect((await as.api('PATCH', '/users/me', { email: stolen })).statusCode).toBe(200)
    expect((await owner.api('GET', '/users/me')).statusCode).toBe(401)
    await call(as, 'account.beginTotp').then(({ data }) =>
      call(as, 'account.confirmTotp', { code: codeOf((data as { url: string }).url) }),
    )
    await as.api('POST', '/tokens', { name: 'Fica', expires_in_days: 30, scope: 'read' })

    const token = await undoLink(user.email)
    const { data } = await callProcedure(testApp, '', 'account.undoLogin', { token })
    expect((await as.api('GET', '/users/me')).statusCode).toBe(401)
    const tokens = await db.selectFrom('api_tokens').where('user_id', '=', user.id).selectAll().execute()
    expect(tokens).toEqual([])
    // The attacker knows the password and the former login.
    expect((await signIn(user.email)).statusCode).toBe(400)
    const { reset_token } = data as { reset_token: string }
    const reset = { token: reset_token, new_password: 'minha-de-novo' }
    expect((await testApp.anonymous.api('POST', '/reset-password', reset)).statusCode).toBe(200)
    expect((await signIn(user.email, 'minha-de-novo')).statusCode).toBe(200)
    const twice = await callProcedure(testApp, '', 'account.undoLogin', { token })
    expect(twice.status).toBe(400)
  })

  test('taken back, ends what the directory opened since, and not what it opened before', async () => {
    const [stolen, own] = [await person(), await person()]
    const link = ({ user: { id } }: typeof own, created_at: Date) =>
      db
        .insertInto('directory_accounts')
        .values({ issuer: 'https://diretorio.exemplo.com.br', subject: String(id), user_id: id, created_at })
        .execute()
    await link(own, new Date(Date.now() - 86_400_000))
    for (const one of [stolen, own]) {
      await one.as.api('PATCH', '/users/me', { email: `outro${one.user.id}` })
      if (one === stolen) await link(stolen, new Date())
      await callProcedure(testApp, '', 'account.undoLogin', { token: await undoLink(one.user.email) })
    }
    const left = await db.selectFrom('directory_accounts').select('user_id').execute()
    expect(left).toEqual([{ user_id: own.user.id }])
  })

  test.each([
    ['password', { password: 'outra-senha-longa', confirm_password: 'outra-senha-longa' }],
    ['login', { email: 'do.administrador' }],
    ['deactivation', { is_active: false }],
  ])("cannot be taken back after an administrator's new %s", async (_, change) => {
    const { user, as } = await person()
    await as.api('PATCH', '/users/me', { email: `outro${user.id}` })
    const boss = await person({ role: 'admin' })
    expect((await boss.as.api('PATCH', `/users/${user.id}`, change)).statusCode).toBe(200)
    await boss.as.api('PATCH', `/users/${user.id}`, { is_active: true })
    const answer = await callProcedure(testApp, '', 'account.undoLogin', {
      token: await undoLink(user.email),
    })
    expect(answer.status).toBe(400)
  })

  test('changed twice by a thief, only the first owner wins', async () => {
    const { user, as } = await person()
    const [second, third] = ['segundo@exemplo.com.br', 'terceiro@exemplo.com.br']
    await as.api('PATCH', '/users/me', { email: second })
    await as.api('PATCH', '/users/me', { email: third })
    const [ours, theirs] = [await undoLink(user.email), await undoLink(second)]
    expect((await callProcedure(testApp, '', 'account.undoLogin', { token: ours })).status).toBe(200)
    expect((await callProcedure(testApp, '', 'account.undoLogin', { token: theirs })).status).toBe(400)
  })

  test('to a login that somebody else has taken meanwhile is a 409, and changes nothing', async () => {
    const { user, as } = await person()
    await as.api('PATCH', '/users/me', { email: `longe${user.id}@exemplo.com.br` })
    await testApp.make.user({ email: user.email })
    const answer = await callProcedure(testApp, '', 'account.undoLogin', {
      token: await undoLink(user.email),
    })
    expect(answer.status).toBe(409)
    expect((await as.api('GET', '/users/me')).statusCode).toBe(200)
  })
})
