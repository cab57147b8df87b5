import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp({ APP_URL: 'https://garantia.exemplo.com.br' })
afterAll(() => testApp[Symbol.asyncDispose]())
const { db } = testApp.kernel.ctx

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const PRESENT_AND_VERIFIED = 0x05

/** A key of a person in the database, and what an authenticator answers with it. */
async function passkeyOf(user_id: number) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (value: string) => Buffer.from(value, 'base64url')
  // COSE_Key (RFC 9053, section 7.1.1): kty EC2, alg ES256, the curve of 256 bits, x, y.
  const public_key = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    coordinate(x),
    Buffer.from('225820', 'hex'),
    coordinate(y),
  ])
  const credential_id = randomBytes(16).toString('base64url')
  await db
    .insertInto('passkeys')
    .values({ credential_id, user_id, name: 'Telefone', public_key, counter: 0 })
    .execute()
  let counter = 0
  return (
    challenge: string,
    {
      origin = 'https://garantia.exemplo.com.br',
      site = 'garantia.exemplo.com.br',
      flags = PRESENT_AND_VERIFIED,
      count = ++counter,
    } = {},
  ) => {
    const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin }))
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(count)
    const data = Buffer.concat([sha256(site), Buffer.from([flags]), counted])
    return {
      response: {
        id: credential_id,
        rawId: credential_id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
        },
      },
    }
  }
}
const ask = async () =>
  (await callProcedure(testApp, '', 'passkeys.ask')).data as { challenge: string; rpId: string }
const refusals = async () => {
  await testApp.kernel.ctx.securityLog.flush()
  return db.selectFrom('security_log').where('kind', '=', 'refused.sign_in').select('details').execute()
}
const signIn = (answer: object) => callProcedure(testApp, '', 'passkeys.signIn', answer)

describe('a passkey (WebAuthn level 3)', () => {
  test('opens a session that knows it, once for each challenge', async () => {
    const user = await testApp.make.user()
    const answer = await passkeyOf(user.id)
    const { challenge, rpId } = await ask()
    expect(rpId).toBe('garantia.exemplo.com.br')
    const given = answer(challenge)
    const { data } = await signIn(given)
    const { access_token } = data as { access_token: string }
    const sessions = await callProcedure(testApp, access_token, 'account.sessions')
    expect(sessions.data).toMatchObject({ data: [{ method: 'passkey', is_current: true }] })
    expect((await signIn(given)).status).toBe(400)
  })

  test.each([
    ['at another address', { origin: 'https://garantia.exemplo.com' }],
    ['made for another site', { site: 'exemplo.com.br' }],
    ['without a verified person', { flags: 0x01 }],
    ['with a counter that went back, as of a copied key', { count: 3 }],
  ])('%s opens nothing', async (_, wrong) => {
    const answer = await passkeyOf((await testApp.make.user()).id)
    expect((await signIn(answer((await ask()).challenge, { count: 7 }))).status).toBe(200)
    const refused = await signIn(answer((await ask()).challenge, { count: 8, ...wrong }))
    expect([refused.status, refused.error?.data.detail]).toEqual([
      400,
      'A chave de acesso não foi aceita. Tente de novo.',
    ])
  })

  test('with a challenge that is not ours, or too old, opens nothing, which is recorded', async () => {
    const user = await testApp.make.user()
    const answer = await passkeyOf(user.id)
    expect((await signIn(answer(randomBytes(32).toString('base64url')))).status).toBe(400)
    const { challenge } = await ask()
    await db.updateTable('passkey_challenges').set({ expires_at: new Date() }).execute()
    expect((await signIn(answer(challenge))).status).toBe(400)
    expect(await refusals()).toContainEqual({ details: { account_id: user.id } })
    await db.deleteFrom('passkeys').where('user_id', '=', user.id).execute()
    expect((await signIn(answer((await ask()).challenge))).status).toBe(400)
    expect(await refusals()).toContainEqual({ details: {} })
  })

  test('is begun a hundred times in a quarter of an hour', async () => {
    const user = await testApp.make.user()
    const { token } = await testApp.as(user)
    expect((await callProcedure(testApp, token, 'passkeys.begin')).status).toBe(200)
    await db
      .updateTable('attempts')
      .set({ hits: 100 })
      .where('bucket', '=', `passkey|person ${user.id}`)
      .execute()
    expect((await callProcedure(testApp, token, 'passkeys.begin')).status).toBe(429)
  })

  test('of somebody deactivated opens nothing, and of somebody else confirms nothing', async () => {
    const [user, other] = [await testApp.make.user(), await testApp.make.user()]
    const answer = await passkeyOf(user.id)
    const { token } = await testApp.as(other)
    const foreign = await callProcedure(testApp, token, 'passkeys.confirm', answer((await ask()).challenge))
    expect(foreign.status).toBe(400)
    const own = (await testApp.as(user)).token
    expect(
      (await callProcedure(testApp, own, 'passkeys.confirm', answer((await ask()).challenge))).status,
    ).toBe(200)
    await db.updateTable('users').set({ is_active: false }).where('id', '=', user.id).execute()
    expect((await signIn(answer((await ask()).challenge))).error?.data.detail).toBe('Inactive user')
  })
})
