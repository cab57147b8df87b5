import { createHash } from 'node:crypto'
import { signIn, signOut } from '@garantia/server/features/people/auth'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { PASSWORD, startTestApp } from '../support/test-app.ts'
import { waitsForLock } from '../support/waits-for-lock.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db, sessions } = ctx
const origin = { ip: '10.0.0.1', user_agent: 'teste' }
const person = (fields: object = {}) =>
  testApp.make.user({ email: `Ana.${Math.random()}@Exemplo.com.br`, ...fields })
const enter = async (user: { email: string }, password = PASSWORD) =>
  (await signIn(ctx, { username: user.email, password }, origin)).access_token

test('a token carries 256 random bits and differs every time (D-36)', async () => {
  const user = await person()
  const tokens = await Promise.all([enter(user), enter(user), enter(user)])
  expect(new Set(tokens).size).toBe(3)
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
})

test('only the SHA-256 of a token is in the database (D-36)', async () => {
  const token = await enter(await person())
  const row = await db
    .selectFrom('sessions')
    .where('id', '=', createHash('sha256').update(token).digest('hex'))
    .selectAll()
    .executeTakeFirst()
  expect(row).toMatchObject(origin)
  const { rows } = await sql<{ text: string }>`
    select row_to_json(s)::text as text from sessions s
    union all select row_to_json(u)::text from users u
    union all select row_to_json(e)::text from events e`.execute(db)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter(({ text }) => text.includes(token))).toEqual([])
  // The stored value does not sign anybody in.
  expect(await sessions.personOf(row?.id ?? '')).toBeNull()
})

test('the login name ignores case, and the sign-in is recorded (D-35)', async () => {
  const user = await person({ email: 'maria@exemplo.com.br' })
  const token = await enter({ email: 'MARIA@exemplo.com.br' })
  expect(await sessions.personOf(token)).toMatchObject({ id: user.id })
  const { last_login_at } = await db
    .selectFrom('users')
    .where('id', '=', user.id)
    .select('last_login_at')
    .executeTakeFirstOrThrow()
  expect(Date.now() - (last_login_at?.getTime() ?? 0)).toBeLessThan(60_000)
})

test('a wrong password and an unknown user are refused with the same message (LOGIN-9, D-03)', async () => {
  const user = await person()
  for (const attempt of [
    () => enter(user, 'errada-errada'),
    () => enter({ email: 'ninguem@exemplo.com.br' }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: 'rule', detail: 'Incorrect email or password' })
})

test('an inactive user is reported only after the right password (LOGIN-10)', async () => {
  const user = await person({ is_active: false })
  await expect(enter(user)).rejects.toMatchObject({ code: 'rule', detail: 'Inactive user' })
  await expect(enter(user, 'errada-errada')).rejects.toMatchObject({ detail: 'Incorrect email or password' })
})

test('a token ends with sign-out, with deactivation and with all sessions of its user (D-36)', async () => {
  const user = await person()
  const [out, swept, kept] = [await enter(user), await enter(user), await enter(await person())]
  await signOut(ctx, out)
  expect(await sessions.personOf(out)).toBeNull()
  expect(await sessions.personOf(swept)).not.toBeNull()
  await sessions.closeAllOf(user.id)
  expect(await sessions.personOf(swept)).toBeNull()

  const again = await enter(user)
  await db.updateTable('users').set({ is_active: false }).where('id', '=', user.id).execute()
  expect(await sessions.personOf(again)).toBeNull()
  expect(await sessions.personOf(kept)).not.toBeNull()
})

test('what a page asks that nobody touches does not extend its session (D-36)', async () => {
  const token = await enter(await person())
  const own = db.selectFrom('sessions').where('id', '=', createHash('sha256').update(token).digest('hex'))
  const expiry = async () => (await own.select('expires_at').executeTakeFirstOrThrow()).expires_at.getTime()
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000)
  const set = (expires_at: Date) =>
    db
      .updateTable('sessions')
      .set({ expires_at })
      .where('id', '=', createHash('sha256').update(token).digest('hex'))
      .execute()
  await set(inTwoDays)
  const read = async (headers: object) =>
    (
      await testApp.app.inject({
        url: '/api/v1/users/me',
        headers: { authorization: `Bearer ${token}`, ...headers },
      })
    ).statusCode
  expect(await read({ 'x-idle': '1' })).toBe(200)
  expect(await expiry()).toBe(inTwoDays.getTime())
  expect(await read({})).toBe(200)
  expect(await expiry()).toBeGreaterThan(Date.now() + 6 * 86_400_000)
  await set(new Date(Date.now() - 1000))
  expect(await read({ 'x-idle': '1' })).toBe(401)
})

test('a session expires, and is extended while it is used in its second half (D-36)', async () => {
  const token = await enter(await person())
  const id = createHash('sha256').update(token).digest('hex')
  const expiresIn = (days: number) =>
    sql`update sessions set expires_at = now() + ${sql.lit(`${days} days`)}::interval where id = ${id}`.execute(
      db,
    )
  const daysLeft = async () => {
    const row = await db.selectFrom('sessions').where('id', '=', id).select('expires_at').executeTakeFirst()
    return row && (row.expires_at.getTime() - Date.now()) / 86_400_000
  }
  expect(await daysLeft()).toBeCloseTo(7, 1)
  await expiresIn(5)
  await sessions.personOf(token)
  expect(await daysLeft()).toBeCloseTo(5, 1)
  await expiresIn(3)
  await sessions.personOf(token)
  expect(await daysLeft()).toBeCloseTo(7, 1)
  await expiresIn(-0.01)
  expect(await sessions.personOf(token)).toBeNull()
})

test('a session that is used every day ends after thirty days', async () => {
  const token = await enter(await person())
  const id = createHash('sha256').update(token).digest('hex')
  await sql`update sessions set created_at = now() - interval '28 days', expires_at = now() + interval '1 day'
    where id = ${id}`.execute(db)
  expect(await sessions.personOf(token)).not.toBeNull()
  const { expires_at } = await db
    .selectFrom('sessions')
    .where('id', '=', id)
    .select('expires_at')
    .executeTakeFirstOrThrow()
  expect((expires_at.getTime() - Date.now()) / 86_400_000).toBeCloseTo(2, 1)
})

test('a person has fifty live sessions; the oldest ends with the next', async () => {
  const user = await person()
  const first = await enter(user)
  for (let n = 0; n < 49; n++) await sessions.open(user.id, origin)
  expect(await sessions.personOf(first)).not.toBeNull()
  await sessions.open(user.id, origin)
  expect(await sessions.personOf(first)).toBeNull()
  expect(await sessions.listOf(user.id, first)).toHaveLength(50)
})

test('a sign-in with the old password that races its change opens nothing', async () => {
  const user = await person()
  const [written, changed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const changing = db.transaction().execute(async (db) => {
    await db.updateTable('users').set({ password_hash: 'outra' }).where('id', '=', user.id).execute()
    written.resolve()
    await changed.promise
    await db.deleteFrom('sessions').where('user_id', '=', user.id).execute()
  })
  await written.promise
  const entering = enter(user)
  entering.catch(() => undefined)
  // It has compared the old password and waits for the row.
  await expect.poll(() => waitsForLock(db)).toBe(true)
  changed.resolve()
  await changing
  await expect(entering).rejects.toMatchObject({ detail: 'Incorrect email or password' })
  const open = await db.selectFrom('sessions').where('user_id', '=', user.id).selectAll().execute()
  expect(open).toEqual([])
})

test('a change of the password that races its reset changes nothing', async () => {
  const user = await person()
  const { api } = await testApp.as(user)
  const [written, set] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const resetting = db.transaction().execute(async (db) => {
    await db.updateTable('users').set({ password_hash: 'outra' }).where('id', '=', user.id).execute()
    written.resolve()
    await set.promise
  })
  await written.promise
  const change = { current_password: PASSWORD, new_password: 'uma-senha-longa' }
  const changing = api('PATCH', '/users/me/password', change)
  await expect.poll(() => waitsForLock(db)).toBe(true)
  set.resolve()
  await resetting
  const answer = await changing
  expect([answer.statusCode, answer.json()]).toEqual([400, { detail: 'Senha atual incorreta' }])
  const kept = db.selectFrom('users').where('id', '=', user.id).select('password_hash')
  expect(await kept.executeTakeFirstOrThrow()).toEqual({ password_hash: 'outra' })
})

test('the sweep removes expired sessions and no others', async () => {
  const [old, live] = [await enter(await person()), await enter(await person())]
  await db
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', createHash('sha256').update(old).digest('hex'))
    .execute()
  await sessions.sweep()
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from sessions where expires_at <= now()`.execute(db)
  expect(rows[0]?.n).toBe(0)
  expect(await sessions.personOf(live)).not.toBeNull()
})
