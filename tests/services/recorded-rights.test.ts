import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removePasskey } from '@garantia/server/features/people/passkeys'
import { verifyAccounts } from '@garantia/server/features/people/recorded-accounts'
import { createFirstSuperuser } from '@garantia/server/features/people/users'
import { recordPresent, requestRecording, verifyChains } from '@garantia/server/features/records/chain'
import { anonymise, requestAnonymisation } from '@garantia/server/features/records/privacy'
import { inTransaction, recordEvent } from '@garantia/server/kernel'
import type { Role } from '@garantia/shared/users/role'
import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { afterAll, describe, expect, test } from 'vitest'
import { accountOf } from '../../server/src/features/people/directory/accounts.ts'
import { callProcedure } from '../api/procedures.ts'
import { resetToken } from '../support/reset-token.ts'
import { type Caller, filesUnder, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp({ SIGNUP_MODE: 'open', RECOVERY_LIMIT: '0' })
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { db } = ctx

const PASSWORD = 'uma senha bem longa'
const codeOf = (url: string) => new TOTP({ secret: new URL(url).searchParams.get('secret') ?? '' }).generate()
const call = async ({ token }: Pick<Caller, 'token'>, path: string, input?: object) => {
  const { status, data } = await callProcedure(testApp, token, path, input)
  expect([path, status]).toEqual([path, 200])
  return data as Record<string, unknown>
}
const found = async () =>
  (await verifyChains(ctx)).faults.map(
    ({ subject, subject_id, problem }) => `${subject} ${subject_id}: ${problem}`,
  )

await createFirstSuperuser(ctx)
const { id: boss_id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
const boss = await testApp.as({ id: boss_id })
const company = await testApp.make.company()
const brand = await testApp.make.brand()
await db.insertInto('brand_companies').values({ brand_id: brand.id, company_id: company.id }).execute()

let count = 0
async function open(fields: object = {}) {
  const made = await call(boss, 'users.open', {
    ...{ email: `gente${++count}@exemplo.com.br`, full_name: `Pessoa ${count}`, role: 'admin' },
    ...{ company_id: company.id, password: PASSWORD, confirm_password: PASSWORD, ...fields },
  })
  return made as { id: number; email: string }
}
const change = (id: number, fields: object) => call(boss, 'users.change', { id, change: fields })

describe('every way to change rights, credentials and values is recorded, and the verification stays silent', () => {
  test('accounts: forms, sign-up, recovery, own changes, factors, tokens and leaving', async () => {
    const ana = await open()
    await change(ana.id, { is_superuser: true, full_name: 'Ana' })
    await change(ana.id, { is_superuser: false, role: 'manager', phone: '11987654321' })
    await change(ana.id, { is_active: false })
    await change(ana.id, { is_active: true, password: `${PASSWORD}!`, confirm_password: `${PASSWORD}!` })
    const own = await testApp.as(ana)
    await call(own, 'account.change', { email: 'ana.nova@exemplo.com.br' })
    const signed = { email: 'nova@exemplo.com.br', full_name: 'Nova', password: PASSWORD }
    expect((await testApp.anonymous.api('POST', '/users/signup', signed)).statusCode).toBeLessThan(300)
    const reset = { token: await resetToken(testApp, ana.id), new_password: `${PASSWORD}?` }
    expect((await testApp.anonymous.api('POST', '/reset-password', reset)).statusCode).toBe(200)
    const again = await testApp.as(ana)
    await call(again, 'account.changePassword', { current_password: `${PASSWORD}?`, new_password: PASSWORD })
    const { url } = await call(again, 'account.beginTotp')
    const { recovery_codes } = await call(again, 'account.confirmTotp', { code: codeOf(String(url)) })
    await call(again, 'account.renewRecoveryCodes')
    expect(recovery_codes).toHaveLength(10)
    expect(
      (await again.api('POST', '/tokens', { name: 'Um', expires_in_days: 30, scope: 'read' })).statusCode,
    ).toBeLessThan(300)
    const entered = await testApp.anonymous.api('POST', '/login/access-token', {
      ...{ username: 'ana.nova@exemplo.com.br', password: PASSWORD },
      code: ((await call(again, 'account.renewRecoveryCodes')).recovery_codes as string[])[0],
    })
    expect(entered.statusCode).toBe(200)
    expect(await found()).toEqual([])
    const { body } = await db
      .selectFrom('mails')
      .where('recipient', '=', ana.email)
      .where('body', 'like', '%undo-login%')
      .select('body')
      .executeTakeFirstOrThrow()
    const [, token = ''] = /undo-login\?token=([\w-]+)/.exec(body) ?? []
    expect((await callProcedure(testApp, '', 'account.undoLogin', { token })).status).toBe(200)
    expect(await found()).toEqual([])
    const bia = await open()
    const locked = await testApp.as(bia)
    const begun = await call(locked, 'account.beginTotp')
    await call(locked, 'account.confirmTotp', { code: codeOf(String(begun.url)) })
    await call(boss, 'users.removeFactors', { id: bia.id })
    expect(await found()).toEqual([])
    const leaving = await testApp.as(await open())
    await call(leaving, 'account.leave')
    const gone = await open()
    await call(boss, 'users.remove', { id: gone.id })
    expect(await found()).toEqual([])
  })

  test('accounts of the directory: opened, linked and with another role', async () => {
    const { email } = await open({ full_name: 'Do Diretório' })
    const own = { ...ctx, config: { ...ctx.config, OIDC_ROLES: [['ti', 'admin']] as [string, Role][] } }
    for (const [subject, address, groups] of [
      ['um', email, ['ti']],
      ['dois', 'ninguem@exemplo.com.br', []],
      ['um', email, []],
      ['um', email, ['ti']],
    ] as const)
      await inTransaction(own, (ctx) =>
        accountOf(
          ctx,
          {
            ...{ issuer: 'https://diretorio.exemplo.com.br', subject, email: { address } },
            ...{ name: 'Pessoa', groups: [...groups], authenticated_at: null },
          },
          { ip: null, user_agent: null },
        ),
      )
    expect(await found()).toEqual([])
  })

  test('orders: opening, editing, assignment, status, hold and deletion', async () => {
    const responsible = await open()
    const order = await call(boss, 'orders.open', {
      ...{
        os_number: '000777',
        brand_id: brand.id,
        company_id: company.id,
        customer_name: 'Ana',
        vehicle_value: 10.5,
      },
      ...{
        customer_document: '52998224725',
        problem_description: 'Ruído',
        vehicle_mileage: 10,
        parts_value: 0.1,
      },
    })
    const id = Number(order.id)
    await call(boss, 'orders.change', {
      id,
      change: { parts_value: 99.99, diagnosis: 'Eixo', customer_name: null },
    })
    await call(boss, 'orders.change', { id, change: { opened_at: '2026-01-02T03:04:05.678Z' } })
    await call(boss, 'orderList.assign', { ids: [id], responsible_user_id: responsible.id })
    await call(boss, 'orders.setStatus', { id, status: 'pending' })
    await call(boss, 'retention.hold', { id, reason: 'Processo' })
    await call(boss, 'retention.release', { id })
    await call(boss, 'users.remove', { id: responsible.id })
    expect(await found()).toEqual([])
    const subject = { by: 'document', value: '52998224725' } as const
    const wish = { ...subject, confirmation: 'ANONIMIZAR', reason: 'Pedido' } as const
    await anonymise(ctx, (await requestAnonymisation(boss.ctx, wish)).id)
    expect(await found()).toEqual([])
    await call(boss, 'orders.remove', { id })
    expect(await found()).toEqual([])
  })

  test('nothing else writes the tables that are compared', async () => {
    const src = fileURLToPath(new URL('../../', import.meta.url))
    const paths = [join(src, 'server/src'), join(src, 'worker/src')]
    const files = (await Promise.all(paths.map(filesUnder))).flat().filter((path) => /\.ts$/.test(path))
    const writes =
      /(insertInto|updateTable|deleteFrom)\('(users|totp_secrets|recovery_codes|passkeys|directory_accounts|service_orders)'\)|(insert into|update|delete from) (users|service_orders)\b/
    const writing: string[] = []
    for (const path of files)
      if (writes.test(await readFile(path, 'utf8'))) writing.push(path.slice(src.length))
    // Each of them records what it changes, or changes nothing that is compared.
    expect(writing.sort()).toEqual([
      'server/src/features/orders/import/running.ts',
      'server/src/features/orders/list/assignment.ts',
      'server/src/features/orders/order/pipeline.ts',
      'server/src/features/orders/order/service.ts',
      'server/src/features/orders/order/status-transition.ts',
      'server/src/features/people/account/login-undo.ts',
      'server/src/features/people/account/service.ts',
      'server/src/features/people/auth/service.ts',
      'server/src/features/people/auth/start-session.ts',
      'server/src/features/people/directory/accounts.ts',
      'server/src/features/people/notifications/digest.ts',
      'server/src/features/people/notifications/service.ts',
      'server/src/features/people/passkeys/service.ts',
      'server/src/features/people/second-factor/service.ts',
      'server/src/features/people/users/access.ts',
      'server/src/features/people/users/first-superuser.ts',
      'server/src/features/people/users/service.ts',
      'server/src/features/records/privacy/anonymise-order.ts',
      'server/src/features/records/retention/service.ts',
      'server/src/features/system/demo/service.ts',
    ])
  })
})

test('what there was before an update is recorded once, and is compared from then on', async () => {
  const { id } = await testApp.make.user({ full_name: 'Dona Antiga', role: 'technician' })
  await recordEvent(ctx, { subject: 'user', subject_id: id, kind: 'signed_in' })
  await requestRecording(ctx)
  const { rows } = await sql`select from graphile_worker.jobs where key = 'record-present'`.execute(db)
  expect(rows).toHaveLength(1)
  expect(await verifyAccounts(ctx)).toEqual([])
  expect(await recordPresent(ctx)).toMatchObject({ people: 1 })
  expect(await recordPresent(ctx)).toEqual({ people: 0, orders: 0 })
  expect(await verifyAccounts(ctx)).toEqual([])
  await db.updateTable('users').set({ is_superuser: true }).where('id', '=', id).execute()
  expect(await verifyAccounts(ctx)).toMatchObject([
    {
      user_id: id,
      problem: 'Dona Antiga: depois deste evento mudou o superusuário de não para sim, sem evento que o diga',
    },
  ])
  // What is recorded of something else does not make it right.
  await change(id, { phone: '11987654321' })
  expect(await verifyAccounts(ctx)).toHaveLength(1)
  await db.updateTable('users').set({ is_superuser: false }).where('id', '=', id).execute()
})

test('a credential that was put beside those of its owner is named, also when the owner adds one later', async () => {
  const { id } = await open({ full_name: 'Bia' })
  const put = (credential_id: string) =>
    db
      .insertInto('passkeys')
      .values({ credential_id, user_id: id, name: 'Telefone', public_key: Buffer.from('x'), counter: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
  const { id: own } = await put('dela')
  await recordEvent(ctx, { subject: 'user', subject_id: id, kind: 'passkey.added' })
  expect(await verifyAccounts(ctx)).toEqual([])
  await put('de outro')
  await removePasskey((await testApp.as({ id })).ctx, own)
  expect(await verifyAccounts(ctx)).toMatchObject([
    { user_id: id, problem: expect.stringContaining('antes deste evento') },
  ])
  expect(await verifyAccounts(ctx)).toHaveLength(1)
})
