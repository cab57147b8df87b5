import { setTimeout as wait } from 'node:timers/promises'
import { startWorker } from '@garantia/worker'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import { jobs } from './order-fixture.ts'
import { operatorCommand } from './process.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const [DONE, FAILED, USAGE, NOTHING] = [0, 1, 2, 3]
const run = (...args: string[]) => operatorCommand(testApp, args)
const { db } = testApp.kernel.ctx

test('usuarios: an account is made, signs in by its generated password, loses sessions, password and rights by command', async () => {
  const company = await testApp.make.company({ trading_name: 'Norte' })
  const made = await run(
    'usuarios',
    'criar',
    '--email',
    'chefe@exemplo.com.br',
    '--nome',
    'Ana Chefe',
    '--papel',
    'admin',
    '--superusuario',
    '--empresa',
    String(company.id),
    '--json',
  )
  expect([made.code, made.err]).toEqual([DONE, ''])
  const { id, password } = JSON.parse(made.out)
  const signIn = (given: string) =>
    testApp.app.inject({
      method: 'POST',
      url: '/api/v1/login/access-token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ username: 'chefe@exemplo.com.br', password: given }).toString(),
    })
  expect((await signIn(password)).statusCode).toBe(200)
  expect((await run('usuarios', 'listar')).out).toMatch(
    new RegExp(
      `^ *${id}  chefe@exemplo.com.br  admin \\(superusuário\\)  ativa  Norte  último acesso \\d`,
      'm',
    ),
  )
  expect(await run('usuarios', 'encerrar-sessoes', 'chefe@exemplo.com.br')).toMatchObject({
    code: DONE,
    out: 'Sessões encerradas de chefe@exemplo.com.br: 1\n',
  })
  expect(await db.selectFrom('sessions').where('user_id', '=', id).selectAll().execute()).toEqual([])
  const reset = JSON.parse((await run('usuarios', 'redefinir-senha', 'CHEFE@exemplo.com.br', '--json')).out)
  expect([(await signIn(password)).statusCode, (await signIn(reset.password)).statusCode]).toEqual([400, 200])
  // There is no other one who could give it back.
  expect(await run('usuarios', 'superusuario', 'chefe@exemplo.com.br', '--retirar')).toMatchObject({
    code: FAILED,
  })
  const other = await testApp.make.user({ email: 'outra@exemplo.com.br' })
  expect((await run('usuarios', 'superusuario', 'outra@exemplo.com.br')).code).toBe(DONE)
  expect((await run('usuarios', 'desativar', 'chefe@exemplo.com.br')).code).toBe(DONE)
  expect(
    await db
      .selectFrom('users')
      .where('id', 'in', [id, other.id])
      .select(['id', 'is_active', 'is_superuser'])
      .orderBy('id')
      .execute(),
  ).toEqual([
    { id, is_active: false, is_superuser: true },
    { id: other.id, is_active: true, is_superuser: true },
  ])
  expect(await run('usuarios', 'desativar', 'ninguem@exemplo.com.br')).toMatchObject({ code: NOTHING })
  const wrong = await run(
    'usuarios',
    'criar',
    '--email',
    'x@exemplo.com.br',
    '--nome',
    'Técnico Sem',
    '--papel',
    'technician',
    '--empresa',
    String(company.id),
  )
  expect([wrong.code, wrong.out]).toEqual([USAGE, expect.stringContaining('manager_id: ')])
  const missing = await run('usuarios', 'desativar')
  expect([missing.code, missing.err]).toEqual([USAGE, 'falta <email>\n'])
})

test('fila: nothing is taken while it is paused, one job is repeated, and all goes on', async () => {
  await testApp.kernel.ctx.db.deleteFrom('queue_pause').execute()
  const worker = await startWorker(testApp.kernel)
  expect((await run('fila', 'pausar')).code).toBe(DONE)
  expect(await run('fila', 'pausar')).toMatchObject({ code: NOTHING, out: 'A fila já está pausada.\n' })
  // The worker looks every three seconds.
  await wait(4_000)
  const order = await testApp.make.order({ os_number: '000777' })
  const file = await testApp.make.evidence({ order_id: order.id })
  await run('converter', '--os', '000777')
  await wait(1_500)
  const [job] = await jobs(testApp)
  expect(job).toMatchObject({ key: `convert:${file.id}`, attempts: 0, locked_by: null })
  const [listed] = JSON.parse((await run('fila', '--json')).out)
  expect(await run('fila', 'repetir', String(listed.job_id))).toMatchObject({ code: DONE })
  expect(await run('fila', 'repetir', '99999999')).toMatchObject({ code: NOTHING })
  expect(await run('fila', 'repetir', 'x')).toMatchObject({ code: USAGE })
  expect(await run('fila', 'retomar')).toMatchObject({ code: DONE, out: 'Fila retomada.\n' })
  await expect
    .poll(
      async () =>
        (
          await db
            .selectFrom('evidence_files')
            .where('id', '=', file.id)
            .select('attempt')
            .executeTakeFirstOrThrow()
        ).attempt,
    )
    .toBeGreaterThan(0)
  await worker.stop()
})
