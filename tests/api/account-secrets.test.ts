import { openLog } from '@garantia/server/kernel'
import { startWorker } from '@garantia/worker'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { resetToken } from '../support/reset-token.ts'
import { PASSWORD, startTestApp } from '../support/test-app.ts'
import { callProcedure } from './procedures.ts'

const lines: string[] = []
/** Nothing listens on this port: every attempt to send a mail fails and is logged. */
const testApp = await startTestApp(
  { SMTP_URL: 'smtp://correio:Senha-Do-Correio@127.0.0.1:1', SIGNUP_LIMIT: '0', RECOVERY_LIMIT: '0' },
  openLog('trace', 'teste', { write: (line) => void lines.push(line) }),
)
afterAll(() => testApp[Symbol.asyncDispose]())

test('no password, token, reset link or CPF is in a log line, a refusal or an audit event', async () => {
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const user = await testApp.make.user()
  const own = await testApp.as(user)
  const secrets = {
    cpf: '52998224725',
    masked: '529.982.247-25',
    password: 'Segredo-Muito-Longo-1',
    next: 'Segredo-Muito-Longo-2',
    wrong: 'Segredo-Errado-77',
    short: 'Curta-7',
    token: own.token,
    boss: boss.token,
    reset: await resetToken(testApp, user.id),
    unused: await resetToken(testApp, user.id),
    smtp: 'Senha-Do-Correio',
  }
  const { cpf, masked, password, next, wrong, short, reset } = secrets
  const refusals: string[] = []
  const api = async (caller: typeof boss, method: 'POST' | 'PATCH', path: string, body: unknown) => {
    const answer = await caller.api(method, path, body)
    if (answer.statusCode >= 400) refusals.push(answer.body)
    return answer
  }
  const call = async (path: string, input: unknown) => {
    const answer = await callProcedure(testApp, boss.token, path, input)
    if (answer.error) refusals.push(JSON.stringify(answer.error))
  }

  const account = { full_name: 'Ana Maria', email: 'ana@exemplo.com.br', password }
  await api(testApp.anonymous, 'POST', '/users/signup', account)
  await api(testApp.anonymous, 'POST', '/users/signup', account)
  await api(testApp.anonymous, 'POST', '/users/signup', { ...account, password: short })
  await api(testApp.anonymous, 'POST', '/users/signup', { ...account, password: [password], email: 7 })
  await call('auth.signUp', { ...account, password: short })
  for (const attempt of [password, wrong])
    await api(testApp.anonymous, 'POST', '/token', { username: account.email, password: attempt })

  const person = { ...account, cpf: masked, role: 'manager', company_id: user.company_id, email: 'gestora' }
  await api(boss, 'POST', '/users', person)
  await api(boss, 'POST', '/users', person)
  await api(boss, 'POST', '/users', { ...person, cpf: `${cpf}0`, password: short })
  await api(boss, 'PATCH', `/users/${user.id}`, { password: next, cpf })
  await call('users.change', { id: user.id, change: { password: short, cpf: `${cpf}0` } })
  await boss.api('GET', `/users?search=${masked}`)
  await call('users.list', { search: cpf })

  const again = await testApp.as(user)
  await api(again, 'PATCH', '/users/me/password', { current_password: wrong, new_password: password })
  await api(again, 'PATCH', '/users/me/password', { current_password: next, new_password: short })
  await api(again, 'PATCH', '/users/me/password', { current_password: next, new_password: password })
  await api(testApp.anonymous, 'POST', '/reset-password', { token: reset, new_password: short })
  await api(testApp.anonymous, 'POST', '/reset-password', { token: `${reset}x`, new_password: password })
  await boss.api('POST', `/password-recovery-html-content/${encodeURIComponent(user.email)}`)
  await testApp.anonymous.api('GET', `/reset-password?token=${reset}`)
  await testApp.app.inject({ method: 'GET', url: `/reset-password?token=${reset}` })

  // A server fault while secrets are being written: PostgreSQL repeats the row in its error.
  await sql`alter table users add constraint falha check (department <> 'Falha')`.execute(testApp.owner.db)
  const broken = await testApp.app.inject({
    method: 'PATCH',
    url: `/api/v1/users/${user.id}`,
    headers: { authorization: `Bearer ${boss.token}` },
    payload: { department: 'Falha', cpf: masked, password },
  })
  expect([broken.statusCode, broken.json()]).toEqual([500, { detail: 'Internal Server Error' }])

  const worker = await startWorker(testApp.kernel)
  const failed = () =>
    testApp.kernel.ctx.db.selectFrom('mails').where('error', 'is not', null).select('error').execute()
  await expect.poll(async () => (await failed()).length, { timeout: 20_000 }).toBeGreaterThan(0)
  await worker.stop()

  const trail = await testApp.kernel.ctx.db.selectFrom('events').selectAll().execute()
  const places = {
    log: lines.join(''),
    refusals: refusals.join('\n'),
    errors: JSON.stringify(await failed()),
  }
  expect(refusals.length).toBeGreaterThanOrEqual(12)
  for (const [place, text] of Object.entries(places))
    for (const [name, secret] of Object.entries({ ...secrets, made: PASSWORD }))
      expect([place, name, text.includes(secret)]).toEqual([place, name, false])
  expect(places.log).not.toMatch(/token=|\$argon2/)
  // Only the audit trail keeps a CPF, as the changed value; it never keeps credentials.
  const { cpf: _, masked: __, ...signing } = secrets
  for (const [name, secret] of Object.entries(signing))
    expect([name, JSON.stringify(trail).includes(secret)]).toEqual([name, false])
  expect(JSON.stringify(trail)).not.toContain('$argon2')
})
