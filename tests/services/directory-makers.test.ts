import { afterAll, expect, test } from 'vitest'
import { CLIENT } from '../support/directory.ts'
import { type PlayedAnswer, playDirectory } from '../support/played-directory.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let answer: PlayedAnswer = { id_token: {} }
const directory = await playDirectory(() => answer)
const ENVIRONMENT = {
  ...CLIENT,
  APP_URL: 'http://127.0.0.1:9999',
  OIDC_ISSUER: directory.issuer,
  OIDC_VERIFIED_DOMAINS: 'filial.com.br, LISTADO.com.br',
  OIDC_ROLES: 'oficina=technician,pos-venda=manager,ti=admin',
}
const testApp = await startTestApp(ENVIRONMENT)
afterAll(async () => {
  await testApp[Symbol.asyncDispose]()
  await directory[Symbol.asyncDispose]()
})

/** Signs in with what the directory says now: the row of who got an account, or the reason of the sign-in page. */
async function signIn(said: PlayedAnswer, { app, kernel }: TestApp = testApp) {
  answer = said
  const start = await app.inject({ url: '/directory/start' })
  const cookie = String(start.headers['set-cookie']).split(';')[0] ?? ''
  const asked = await fetch(String(start.headers.location), { redirect: 'manual' })
  const { pathname, search } = new URL(asked.headers.get('location') ?? '')
  const back = await app.inject({ url: pathname + search, headers: { cookie } })
  const problem = /#problem=(.*)/.exec(String(back.headers.location))?.[1]
  if (problem) return problem
  return kernel.ctx.db
    .selectFrom('directory_accounts')
    .innerJoin('users', 'users.id', 'directory_accounts.user_id')
    .where('subject', '=', String(said.id_token.sub))
    .select(['users.email', 'users.role'])
    .executeTakeFirstOrThrow()
}
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

test.each<[maker: string, email: string, said: PlayedAnswer]>([
  [
    'Keycloak, with paths of groups in userinfo',
    'k@exemplo.com.br',
    {
      id_token: {},
      userinfo: { email: 'k@exemplo.com.br', email_verified: true, groups: ['/oficina', '/pos-venda'] },
    },
  ],
  [
    'Google, with everything in the ID token',
    'g@exemplo.com.br',
    { id_token: { email: 'g@exemplo.com.br', email_verified: true, groups: ['pos-venda'] } },
  ],
  [
    'Cognito, with a boolean as text',
    'c@exemplo.com.br',
    { id_token: { email: 'c@exemplo.com.br', email_verified: 'true', groups: ['pos-venda'] } },
  ],
  [
    'Entra ID, without email_verified, for a listed domain',
    'e@listado.com.br',
    { id_token: { email: 'e@listado.com.br', groups: ['pos-venda'] } },
  ],
  [
    'AD FS, with one group as text, for a listed domain',
    'a@Filial.com.br',
    { id_token: { email: 'a@Filial.com.br', groups: 'pos-venda' } },
  ],
  [
    'a clock that is 90 s ahead',
    'h@listado.com.br',
    {
      id_token: { email: 'h@listado.com.br', groups: ['pos-venda'], iat: inSeconds(90), nbf: inSeconds(90) },
    },
  ],
])('sign-in works with %s', async (maker, email, { id_token, userinfo }) => {
  const said = { id_token: { sub: maker, ...id_token }, ...(userinfo && { userinfo }) }
  expect(await signIn(said)).toEqual({ email, role: 'manager' })
})

test('the claim with the groups can have another name', async () => {
  await using other = await startTestApp({ ...ENVIRONMENT, OIDC_ROLE_CLAIM: 'cognito:groups' })
  const id_token = { sub: 'o', email: 'o@listado.com.br', 'cognito:groups': ['ti'] }
  expect(await signIn({ id_token }, other)).toMatchObject({ role: 'admin' })
})

const VICTIM = 'diretora@exemplo.com.br'
test.each<[what: string, said: PlayedAnswer, problem: string]>([
  ['no email_verified, and no listed domain', { id_token: { email: VICTIM } }, 'unstated'],
  [
    'no email_verified, and a domain that only ends like a listed one',
    { id_token: { email: 'ana@mau-listado.com.br' } },
    'unstated',
  ],
  [
    'an unverified address of a listed domain',
    { id_token: { email: 'ana@listado.com.br', email_verified: false } },
    'unverified',
  ],
  [
    "an address of the ID token with userinfo's verification of another",
    { id_token: { email: VICTIM }, userinfo: { email: 'atacante@exemplo.net', email_verified: true } },
    'unstated',
  ],
  [
    'an ID token that somebody else has signed',
    { id_token: { email: VICTIM, email_verified: true }, isForged: true },
    'refused',
  ],
])('nobody is signed in with %s', async (what, said, problem) => {
  const people = () => testApp.kernel.ctx.db.selectFrom('users').select('id').execute()
  const before = await people()
  expect(await signIn({ ...said, id_token: { sub: what, ...said.id_token } })).toBe(problem)
  expect(await people()).toEqual(before)
})

test('a superuser is never linked by an address', async () => {
  const { email } = await testApp.make.user({ is_superuser: true })
  expect(await signIn({ id_token: { sub: 's', email, email_verified: true } })).toBe('superuser')
})

test('a role stays when the directory leaves the groups out because they are too many', async () => {
  const person = { sub: 'm', email: 'm@listado.com.br' }
  expect(await signIn({ id_token: { ...person, groups: ['pos-venda'] } })).toMatchObject({ role: 'manager' })
  const leftOut = { ...person, _claim_names: { groups: 'src1' } }
  expect(await signIn({ id_token: leftOut })).toMatchObject({ role: 'manager' })
  expect(await signIn({ id_token: person })).toMatchObject({ role: 'technician' })
})
