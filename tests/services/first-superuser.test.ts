import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { signIn } from '@garantia/server/features/people/auth'
import { createFirstSuperuser } from '@garantia/server/features/people/users'
import { readConfig } from '@garantia/server/kernel'
import { programFile } from '@garantia/server/programs'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { processEnvironment } from '../jobs/process.ts'
import { DOSSIER_KEY, SIGNING_KEY, startTestApp, type TestApp } from '../support/test-app.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const origin = { ip: null, user_agent: null }
const users = (testApp: TestApp) => testApp.kernel.ctx.db.selectFrom('users').selectAll().execute()

test('an empty installation gets one superuser with a generated password, shown once (reliability 22)', async () => {
  await using testApp = await startTestApp()
  const { ctx } = testApp.kernel
  const made = await createFirstSuperuser(ctx)
  expect(made).toMatchObject({ email: 'admin', password: expect.stringMatching(/^[\w-]{20}$/) })
  expect(await users(testApp)).toMatchObject([
    { email: 'admin', is_superuser: true, is_active: true, role: 'admin', full_name: 'Administrador' },
  ])
  await signIn(ctx, { username: 'admin', password: made?.password ?? '' }, origin)
  expect(await createFirstSuperuser(ctx)).toBeNull()
  expect(await users(testApp)).toHaveLength(1)
})

test('two installations never share a generated password, and no common one works in any (reliability 22)', async () => {
  await using one = await startTestApp()
  await using two = await startTestApp()
  const [first, second] = [
    await createFirstSuperuser(one.kernel.ctx),
    await createFirstSuperuser(two.kernel.ctx),
  ]
  expect(first?.password).not.toBe(second?.password)
  for (const password of ['admin', 'changethis', 'password', 'garantia', 'senha', '12345678', ''])
    await expect(signIn(one.kernel.ctx, { username: 'admin', password }, origin)).rejects.toMatchObject({
      detail: 'Incorrect email or password',
    })
})

test('name and password may come from the environment, and are then not printed (D-54)', async () => {
  await using testApp = await startTestApp({
    FIRST_SUPERUSER: 'chefe@exemplo.com.br',
    FIRST_SUPERUSER_PASSWORD: 'uma senha de ambiente',
  })
  expect(await createFirstSuperuser(testApp.kernel.ctx)).toEqual({
    email: 'chefe@exemplo.com.br',
    password: null,
  })
  await signIn(
    testApp.kernel.ctx,
    { username: 'chefe@exemplo.com.br', password: 'uma senha de ambiente' },
    origin,
  )
})

test('a generated password is not in the log of a server', async () => {
  await using testApp = await startTestApp()
  const server = spawn(process.execPath, [programFile(ROOT, 'server', process.env)], {
    env: { ...processEnvironment(testApp), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void server.kill())
  for await (const line of createInterface({ input: server.stdout }))
    if (line.startsWith('Primeiro acesso')) {
      expect(line).toMatch(/^Primeiro acesso: admin, a senha gerada não vai para o registro; outra: npm run/)
      expect(await users(testApp)).toMatchObject([{ email: 'admin' }])
      return
    }
  expect.fail('the server has not named the first superuser')
})

test('a password that is too short in the environment stops the start', () => {
  const keys = { SIGNING_KEY, DOSSIER_KEY }
  const environment = { DATABASE_URL: 'postgres://x', ...keys, FIRST_SUPERUSER_PASSWORD: 'curta' }
  expect(() => readConfig(environment)).toThrow('FIRST_SUPERUSER_PASSWORD')
})

test('six servers that start concurrently make one superuser', async () => {
  await using testApp = await startTestApp()
  const made = await Promise.all(Array.from({ length: 6 }, () => createFirstSuperuser(testApp.kernel.ctx)))
  expect(made.filter(Boolean)).toHaveLength(1)
  expect(await users(testApp)).toHaveLength(1)
})

test('an installation with any user gets no superuser', async () => {
  await using testApp = await startTestApp()
  await testApp.make.user()
  expect(await createFirstSuperuser(testApp.kernel.ctx)).toBeNull()
  const { rows } = await sql`select 1 from users where is_superuser`.execute(testApp.kernel.ctx.db)
  expect(rows).toEqual([])
})
