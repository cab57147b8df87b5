import { COMMON_PASSWORD, PASSWORD_OF_NAMES } from '@garantia/shared/auth/weak-password'
import { afterAll, expect, test } from 'vitest'
import { PASSWORD, startTestApp } from '../support/test-app.ts'

/* Wherever a password is chosen, the commonest and the own names are refused at its field. */

const testApp = await startTestApp({ SIGNUP_LIMIT: '0', LOGIN_LIMIT: '0' })
afterAll(() => testApp[Symbol.asyncDispose]())
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const { id: company_id } = await testApp.make.company()

const WEAK = [
  ['qwertyuiop', COMMON_PASSWORD],
  ['Password1', COMMON_PASSWORD],
  ['joaquina.1990', PASSWORD_OF_NAMES],
  ['Garantia@2026', PASSWORD_OF_NAMES],
] as const
const issueAt = (field: string, msg: string) => [{ loc: ['body', field], msg, type: 'value_error' }]
const JOAQUINA = { full_name: 'Joaquina Prado', email: 'joaquina.prado@exemplo.com.br' }

test.each(WEAK)('%s is refused where an account is made or a password changed', async (password, why) => {
  const person = await testApp.make.user({ ...JOAQUINA, email: `${Math.random()}@exemplo.com.br` })
  const own = await testApp.as(person)
  const answers = {
    signup: await testApp.anonymous.api('POST', '/users/signup', { ...JOAQUINA, password }),
    opened: await boss.api('POST', '/users', { ...JOAQUINA, password, role: 'admin', company_id }),
    changed: await boss.api('PATCH', `/users/${person.id}`, { password }),
  }
  for (const [where, answer] of Object.entries(answers))
    expect([where, answer.statusCode, answer.json().detail]).toEqual([where, 422, issueAt('password', why)])
  const mine = await own.api('PATCH', '/users/me/password', {
    current_password: PASSWORD,
    new_password: password,
  })
  expect([mine.statusCode, mine.json().detail]).toEqual([422, issueAt('new_password', why)])
})

test('a phrase of 100 characters is welcome', async () => {
  const password = 'uma frase comprida que só eu sei, com joaquina no meio e tudo mais que couber '.padEnd(
    100,
    'x',
  )
  const made = await testApp.anonymous.api('POST', '/users/signup', { ...JOAQUINA, password })
  expect(made.statusCode).toBe(200)
})

test('who may not set a password is told so before it is looked at', async () => {
  const other = await testApp.make.user({})
  const technician = await testApp.as(
    await testApp.make.user({ role: 'technician', company_id: other.company_id }),
  )
  const answer = await technician.api('PATCH', `/users/${other.id}`, { password: 'qwertyuiop' })
  expect([403, 404]).toContain(answer.statusCode)
})
