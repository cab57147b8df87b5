import { createHash, randomBytes } from 'node:crypto'
import { newCalendar } from '@garantia/server/features/claims/deadlines'
import { undoLoginChange } from '@garantia/server/features/people/account'
import { openPasswordReset, resetPassword } from '@garantia/server/features/people/auth'
import { redeemDirectorySignIn } from '@garantia/server/features/people/directory'
import { createToken } from '@garantia/server/features/people/tokens'
import { endAccess } from '@garantia/server/features/people/users'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { captureOf } from '../../server/src/features/evidence/files/capture.ts'
import { closeAccount, SECRETS } from '../../server/src/features/people/users/access.ts'
import { signedOrder } from '../../server/src/features/system/live/service.ts'
import { callProcedure } from '../api/procedures.ts'
import { guestOf } from '../support/guest-link.ts'
import { type Caller, PASSWORD, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
afterEach(() => vi.useRealTimers())
const { ctx } = testApp.kernel
const { db } = ctx
const system = { ...ctx, actor: { kind: 'system' as const } }
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const leader = await testApp.make.user({ role: 'admin' })
const company = await testApp.make.company()

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
const soon = () => new Date(Date.now() + 3_600_000)
const secret = () => randomBytes(24).toString('base64url')
const data = async <T>({ token }: Caller, path: string, input?: object) =>
  (await callProcedure(testApp, token, path, input)).data as T
const got = async (url: string) => (await testApp.app.inject({ method: 'GET', url })).statusCode === 200
const works = (call: Promise<unknown>) =>
  call.then(
    () => true,
    () => false,
  )
const left = async (table: 'passkey_challenges' | 'totp_secrets', user_id: number) =>
  (await db.selectFrom(table).where('user_id', '=', user_id).select('user_id').execute()).length > 0

/** A person with each kind of secret, and whether each still opens. What is used up by opening is tried last. */
async function personWithAll(fields: object = {}) {
  const user = await testApp.make.user({ role: 'manager', company_id: company.id, ...fields })
  const { id: user_id } = user
  const as = await testApp.as(user)
  const { order_id, id: file } = await testApp.make.converted({
    order_id: (await testApp.make.order({ company_id: company.id })).id,
  })
  const api = (await as.api('POST', '/tokens', { name: 'ERP', expires_in_days: 9, scope: 'all' })).json()
    .token
  const calendar = await data<{ address: string }>(as, 'deadlines.newCalendar')
  const { guest } = await guestOf(testApp, as, order_id)
  const reset = await openPasswordReset(ctx, user_id)
  const [code, browser, undo] = [secret(), secret(), secret()]
  await db
    .insertInto('directory_sign_ins')
    .values({
      state_hash: hashOf(`${code}.${browser}`),
      ...{ nonce: secret(), code_verifier: secret(), user_id, expires_at: soon() },
    })
    .execute()
  await db
    .insertInto('login_undos')
    .values({
      token_hash: hashOf(undo),
      ...{ user_id, former_login: `antes${user_id}`, changed_at: new Date(), expires_at: soon() },
    })
    .execute()
  await data(as, 'passkeys.begin')
  await data(as, 'account.beginTotp')
  const { url: live } = await data<{ url: string }>(as, 'live.address', { order_id })
  const files = (await as.api('GET', `/evidence/${order_id}/evidence`)).json().evidence_files
  const picture: string = files.find(({ id }: { id: number }) => id === file).original_url
  const { nonces } = (await as.api('POST', `/evidence/${order_id}/capture-nonces`, { count: 1 })).json()
  const stored = await db
    .selectFrom('evidence_files')
    .where('id', '=', file)
    .selectAll()
    .executeTakeFirstOrThrow()
  const { original_key: key, file_size: size, sha256 } = stored
  await db
    .insertInto('package_archives')
    .values({
      user_id,
      status: 'ready',
      key,
      size,
      sha256,
      bytes: size,
      expires_at: soon(),
      orders: JSON.stringify([{ id: order_id }]),
    })
    .execute()
  const [archive] = (await as.api('GET', '/service-orders/packages')).json().data
  const opens: Record<string, () => Promise<boolean>> = {
    session: async () => (await as.api('GET', '/users/me')).statusCode === 200,
    'API token': async () =>
      (await testApp.anonymous.api('GET', '/users/me', undefined, { authorization: `Bearer ${api}` }))
        .statusCode === 200,
    calendar: () => got(new URL(calendar.address).pathname),
    'link for photos': async () => (await guest.api('GET', '/guest')).statusCode === 200,
    picture: () => got(picture),
    packages: () => got(archive.url),
    notifications: () => works(signedOrder(ctx, String(order_id), live.split('/').at(-1) ?? '')),
    'code of the camera': async () =>
      (await captureOf(as.ctx, order_id, { capture_nonce: nonces[0] })).capture_nonce !== null,
    'passkey in progress': () => left('passkey_challenges', user_id),
    'authenticator in progress': () => left('totp_secrets', user_id),
    'directory sign-in': () =>
      works(redeemDirectorySignIn(ctx, { code, browser }, { ip: null, user_agent: null })),
    'reset link': () => works(resetPassword(ctx, { token: reset, new_password: 'mais-uma-senha-longa' })),
    'undo link': () => works(undoLoginChange(ctx, { token: undo })),
  }
  return { user, opens }
}

type Opens = Awaited<ReturnType<typeof personWithAll>>['opens']
async function stillOpen(opens: Opens) {
  const open: string[] = []
  for (const [name, isOpen] of Object.entries(opens)) if (await isOpen()) open.push(name)
  return open
}

interface Cause {
  fields?: object
  act(user: { id: number; email: string }): Promise<unknown>
  survive?: string[]
}
const ok = async (call: Promise<{ statusCode: number; body: string }>) => {
  const { statusCode, body } = await call
  expect(statusCode, body).toBe(200)
}
const changed = (id: number, change: object) => ok(boss.api('PATCH', `/users/${id}`, change))
const byOwner = async (user: { id: number }, ...call: Parameters<Caller['api']>) =>
  ok((await testApp.as(user)).api(...call))
const PASSWORDS = { current_password: PASSWORD, new_password: 'outra-senha-longa' }
const STANDING = ['API token', 'calendar', 'link for photos']

/** A thief with a session is the owner to the product: what former addresses have got stays then. */
const CAUSES: Record<string, Cause> = {
  'the own new password': {
    act: (user) => byOwner(user, 'PATCH', '/users/me/password', PASSWORDS),
    survive: ['undo link'],
  },
  'the own new password, keeping what others hold': {
    act: (user) => byOwner(user, 'PATCH', '/users/me/password', { ...PASSWORDS, revoke_tokens: false }),
    survive: [...STANDING, 'undo link'],
  },
  'the end of all own access': {
    act: (user) => byOwner(user, 'POST', '/users/me/end-sessions', {}),
    survive: ['undo link'],
  },
  'a new password by a link': {
    act: async ({ id }) =>
      resetPassword(ctx, { token: await openPasswordReset(ctx, id), new_password: 'outra-senha-longa' }),
    survive: ['undo link'],
  },
  'a login that was changed back': {
    async act({ id: user_id }) {
      const token = secret()
      const times = { changed_at: new Date(Date.now() - 3_600_000), expires_at: soon() }
      await db
        .insertInto('login_undos')
        .values({ token_hash: hashOf(token), user_id, former_login: `dono${user_id}`, ...times })
        .execute()
      await undoLoginChange(ctx, { token })
    },
  },
  'a new password by an administrator': { act: ({ id }) => changed(id, { password: 'outra-senha-longa' }) },
  'the end of all access by the operator': { act: ({ id }) => endAccess(system, id) },
  'the loss of the second factor': {
    act: ({ id }) => ok(boss.api('DELETE', `/users/${id}/second-factor`)),
  },
  deactivation: { act: ({ id }) => changed(id, { is_active: false }) },
  'deactivation and reactivation': {
    async act({ id }) {
      await changed(id, { is_active: false })
      await changed(id, { is_active: true })
    },
  },
  'reactivation of who was deactivated before there was this list': {
    async act({ id }) {
      await db.updateTable('users').set({ is_active: false }).where('id', '=', id).execute()
      await changed(id, { is_active: true })
    },
  },
  'a lower role': { act: ({ id }) => changed(id, { role: 'technician', manager_id: leader.id }) },
  'the loss of the rights of a superuser': {
    fields: { is_superuser: true },
    act: ({ id }) => changed(id, { is_superuser: false }),
  },
  removal: { act: ({ id }) => ok(boss.api('DELETE', `/users/${id}`)) },
  'the end of the own account': { act: (user) => byOwner(user, 'DELETE', '/users/me') },
  'an account that is given to another': { act: ({ id }) => closeAccount(system, id) },
}

describe('nothing opens with a secret of before', () => {
  test('all of them open before', async () => {
    const { opens } = await personWithAll()
    expect(await stillOpen(opens)).toEqual(Object.keys(opens))
  })

  test.each(Object.entries(CAUSES))('after %s', async (_, { fields, act, survive = [] }) => {
    const { user, opens } = await personWithAll(fields)
    expect(await opens.picture?.()).toBe(true)
    await act(user)
    // What a server knows of a person is twenty seconds old at most.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 21_000 })
    expect(await stillOpen(opens)).toEqual(survive)
  })
})

test('what was signed after a revocation opens at once', async () => {
  const user = await testApp.make.user({ is_superuser: true })
  const { order_id } = await testApp.make.converted()
  const pictureOf = async () =>
    (await (await testApp.as(user)).api('GET', `/evidence/${order_id}/evidence`)).json().evidence_files[0]
      .original_url
  const before = await pictureOf()
  expect(await got(before)).toBe(true)
  await endAccess(system, user.id)
  expect(await got(await pictureOf())).toBe(true)
  expect(await got(before)).toBe(false)
})

test('who is locked out while a call is under way makes nothing that outlives it', async () => {
  const user = await testApp.make.user({ role: 'manager', company_id: company.id })
  const late = await testApp.as(user)
  const { id } = await testApp.make.order({ company_id: company.id })
  await endAccess(system, user.id)
  const input = { name: 'ERP', expires_in_days: 30, scope: 'read' as const }
  const unauthenticated = { code: 'unauthenticated' }
  await expect(createToken(late.ctx, input)).rejects.toMatchObject(unauthenticated)
  await expect(newCalendar(late.ctx)).rejects.toMatchObject(unauthenticated)
  await expect(guestOf(testApp, late, id)).rejects.toMatchObject(unauthenticated)
})

/** Columns with such a name may be a secret, and texts that identify a row which belongs to a person. */
const SUSPICIOUS =
  'hash|token|secret|nonce|challenge|verifier|credential|passw|signature|salt|otp|epoch|encrypted|(^|_)key(_|$)'
const OPENS = `api_tokens.token_hash calendar_feeds.token_hash directory_accounts.issuer directory_accounts.subject
  directory_sign_ins.code_verifier directory_sign_ins.nonce directory_sign_ins.state_hash guest_links.token_hash
  login_undos.token_hash passkey_challenges.challenge passkeys.credential_id passkeys.public_key
  password_resets.token_hash recovery_codes.code_hash sessions.id totp_secrets.encrypted_secret users.access_epoch
  users.password_hash`
/** What opens nothing, by what it is. */
const HARMLESS = {
  'hash of a content': `dossiers.chain_hash events.content_hash events.hash events.id_hash events.previous_hash
    evidence_files.hash_bands evidence_files.perceptual_hash opening_keys.input_hash security_batches.hash
    security_batches.ids_hash security_batches.previous_hash security_batches.row_hashes`,
  'place in the storage': `company_logos.key dossier_files.key evidence_files.converted_key
    evidence_files.original_key evidence_files.preview_key package_archives.key privacy_requests.key
    unmarked_copies.key`,
  'name of a key': `dossiers.key_id events.mac_key security_batches.forgotten_key security_batches.mac_key
    worker_processes.lock_key`,
  'part of a record': 'dossiers.signature events.salts part_returns.invoice_key',
  'number in a record, used once': `evidence_files.capture_nonce evidence_files.nonce_issued_at
    uploads.capture_nonce uploads.nonce_issued_at`,
  'asked for beside a session': 'opening_keys.key uploads.id',
  'data of a customer': 'privacy_requests.encrypted_forms privacy_requests.encrypted_subject',
  'secret of the house': 'webhooks.encrypted_secret',
}

test('whatever may be a secret in the database is in the list, or is named here', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select t.relname as table, c.attname as column from pg_class t
    join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
    where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace
      and (c.attname ~ ${SUSPICIOUS} or c.atttypid in ('text'::regtype, 'uuid'::regtype)
        and exists (select from pg_constraint k
          where k.conrelid = t.oid and k.contype = 'p' and c.attnum = any (k.conkey))
        and exists (select from pg_constraint f where f.conrelid = t.oid and f.confrelid = 'users'::regclass))`.execute(
    db,
  )
  const names = (text: string) => text.split(/\s+/)
  const found = rows.map(({ table, column }) => `${table}.${column}`)
  expect(found.sort()).toEqual([...names(OPENS), ...Object.values(HARMLESS).flatMap(names)].sort())
  expect(new Set(names(OPENS).map((name) => name.split('.')[0]))).toEqual(new Set(Object.keys(SECRETS)))
})
