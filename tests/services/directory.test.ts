import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { CLIENT, type DirectoryPerson, startDirectory } from '../support/directory.ts'
import { freePort } from '../support/product.ts'
import { PASSWORD, startTestApp, type TestApp } from '../support/test-app.ts'

const people: Record<string, DirectoryPerson> = {}
const port = await freePort()
const APP_URL = `http://127.0.0.1:${port}`
const directory = await startDirectory(people, { url: APP_URL })
const ENVIRONMENT = {
  ...CLIENT,
  APP_URL,
  OIDC_ISSUER: directory.issuer,
  OIDC_NAME: 'conta Exemplo',
  OIDC_ROLES: 'oficina=technician,pos-venda=manager,ti=admin',
}
const testApp = await startTestApp(ENVIRONMENT)
afterAll(async () => {
  await testApp[Symbol.asyncDispose]()
  await directory.stop()
})
const { db } = testApp.kernel.ctx

/** A browser's cookies, by the port that set them. */
class Browser {
  readonly #cookies = new Map<string, Map<string, string>>()
  #cookiesOf(host: string) {
    return [...(this.#cookies.get(host) ?? [])].map((pair) => pair.join('=')).join('; ')
  }
  /** The product's server is injected into, the directory is asked over HTTP. */
  async visit(app: TestApp, url: string, form?: Record<string, string>) {
    const { host, pathname, search } = new URL(url)
    const jar = this.#cookies.get(host) ?? new Map<string, string>()
    this.#cookies.set(host, jar)
    const cookie = this.#cookiesOf(host)
    const answer = url.startsWith(APP_URL)
      ? await app.app.inject({ url: pathname + search, headers: { cookie } })
      : await fetch(url, {
          redirect: 'manual',
          headers: { cookie },
          ...(form && { method: 'POST', body: new URLSearchParams(form) }),
        })
    const set =
      answer instanceof Response ? answer.headers.getSetCookie() : [answer.headers['set-cookie'] ?? []].flat()
    for (const line of set) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s)
      jar.set(name, value)
    }
    const location = answer instanceof Response ? answer.headers.get('location') : answer.headers.location
    return location ? new URL(String(location), url).href : url
  }

  /** Goes from the product to the directory, signs in there and comes back; the address at which it ends. */
  async signIn(app: TestApp, login: string, path = '/directory/start') {
    let at = await this.visit(app, APP_URL + path)
    for (let hops = 0; hops < 12 && !at.startsWith(`${APP_URL}/login`); hops++)
      at = await this.visit(
        app,
        at,
        /\/interaction\//.test(at) ? { prompt: 'login', login, password: 'x' } : undefined,
      )
    return new URL(at).hash
  }

  /** Opens the session of the address at which `signIn` ended, as the sign-in page does. */
  async redeem(app: TestApp, hash: string) {
    const answer = await app.app.inject({
      method: 'POST',
      url: '/trpc/directory.redeem',
      headers: { cookie: this.#cookiesOf(new URL(APP_URL).host) },
      payload: { token: hash.replace('#code=', '') },
    })
    return { status: answer.statusCode, data: answer.json().result?.data }
  }
}

async function enter(login: string, app = testApp) {
  const own = new Browser()
  const { data } = await own.redeem(app, await own.signIn(app, login))
  const { access_token } = data as { access_token: string }
  const me = await callProcedure(app, access_token, 'account.me')
  return me.data as { id: number; email: string; role: string; full_name: string }
}

/** A browser that has signed in too, and not yet opened its session. */
async function elsewhere(login: string) {
  const browser = new Browser()
  await browser.signIn(testApp, login)
  return browser
}

describe('who signs in at the directory', () => {
  test('has an account of the verified address and the highest role of their groups', async () => {
    people.bia = { email: 'bia@exemplo.com.br', name: 'Bia Reis', groups: ['oficina', 'pos-venda', 'outro'] }
    const first = await enter('bia')
    expect(first).toMatchObject({ email: 'bia@exemplo.com.br', full_name: 'Bia Reis', role: 'manager' })
    people.bia.groups = []
    expect(await enter('bia')).toMatchObject({ id: first.id, role: 'technician' })
    people.bia.email = 'bia.nova@exemplo.com.br'
    expect(await enter('bia')).toMatchObject({ id: first.id, email: 'bia@exemplo.com.br' })
  })

  test('gets the account that has the address, of which whoever opened it before keeps nothing', async () => {
    const user = await testApp.make.user({ email: 'Caio@exemplo.com.br', role: 'manager' })
    const other = await testApp.as(user)
    people.caio = { email: 'caio@exemplo.com.br', groups: ['pos-venda'] }
    expect(await enter('caio')).toMatchObject({ id: user.id, role: 'manager' })
    expect((await other.api('GET', '/users/me')).statusCode).toBe(401)
    const local = { username: user.email, password: PASSWORD }
    expect((await testApp.anonymous.api('POST', '/login/access-token', local)).statusCode).toBe(400)
  })

  test('gets it without what others of the directory, or of its former address, had of it', async () => {
    people.teo = { email: 'teo@exemplo.com.br', groups: ['oficina'] }
    const teo = await enter('teo')
    const session = await testApp.as(teo)
    const own = new Browser()
    const pending = await own.signIn(testApp, 'teo')
    const token = 'link-do-endereco-anterior'
    await db.updateTable('users').set({ email: 'chefe@exemplo.com.br' }).where('id', '=', teo.id).execute()
    await db
      .insertInto('login_undos')
      .values({
        token_hash: createHash('sha256').update(token).digest('hex'),
        user_id: teo.id,
        former_login: teo.email,
        changed_at: new Date(),
        expires_at: new Date(Date.now() + 86_400_000),
      })
      .execute()
    people.chefe = { email: 'chefe@exemplo.com.br', groups: ['ti'] }
    expect(await enter('chefe')).toMatchObject({ id: teo.id, role: 'admin' })
    expect((await session.api('GET', '/users/me')).statusCode).toBe(401)
    expect((await own.redeem(testApp, pending)).status).toBe(400)
    expect((await callProcedure(testApp, '', 'account.undoLogin', { token })).status).toBe(400)
    expect((await enter('teo')).id).not.toBe(teo.id)
    expect(await enter('chefe')).toMatchObject({ id: teo.id, role: 'admin' })
  })

  test("decides the address: nobody else's can be waited for by taking it as a login", async () => {
    const change = async (fields: object, email: string) => {
      const answer = await (await testApp.as(await testApp.make.user(fields))).api('PATCH', '/users/me', {
        email,
      })
      return [answer.statusCode, answer.json().detail]
    }
    const refused = 'O email de login é o da conta Exemplo. Fale com um administrador para trocá-lo.'
    expect(await change({}, 'diretora@exemplo.com.br')).toEqual([403, refused])
    expect(await change({}, 'ana.lima')).toEqual([200, undefined])
    expect(await change({ is_superuser: true }, 'plantao@exemplo.com.br')).toEqual([200, undefined])
  })

  test('is nobody when the directory has not verified the address', async () => {
    people.davi = { email: 'davi@exemplo.com.br', email_verified: false }
    expect(await new Browser().signIn(testApp, 'davi')).toBe('#problem=unverified')
    expect(await db.selectFrom('users').where('email', '=', 'davi@exemplo.com.br').execute()).toEqual([])
  })

  test('is refused when deactivated here', async () => {
    people.eva = { email: 'eva@exemplo.com.br' }
    const { id } = await enter('eva')
    await db.updateTable('users').set({ is_active: false }).where('id', '=', id).execute()
    expect(await new Browser().signIn(testApp, 'eva')).toBe('#problem=inactive')
  })

  test('waits where accounts are approved, and is unknown where none are opened', async () => {
    people.fabio = { email: 'fabio@exemplo.com.br' }
    await using waiting = await startTestApp({ ...ENVIRONMENT, SIGNUP_MODE: 'approval' })
    expect(await new Browser().signIn(waiting, 'fabio')).toBe('#problem=waiting')
    await waiting.kernel.ctx.db
      .updateTable('users')
      .set({ is_active: true })
      .where('email', '=', 'fabio@exemplo.com.br')
      .execute()
    expect(await enter('fabio', waiting)).toMatchObject({ email: 'fabio@exemplo.com.br' })

    await using closed = await startTestApp({ ...ENVIRONMENT, SIGNUP_MODE: 'off' })
    expect(await new Browser().signIn(closed, 'fabio')).toBe('#problem=unknown')
  })
})

describe('a sign-in under way', () => {
  test('opens one session, once, and leads where the person wanted to go', async () => {
    people.gil = { email: 'gil@exemplo.com.br' }
    const own = new Browser()
    const hash = await own.signIn(testApp, 'gil', '/directory/start?redirect=/lista-os')
    // The code alone is what a link to the sign-in page may contain.
    for (const other of [new Browser(), await elsewhere('gil')])
      expect((await other.redeem(testApp, hash)).status).toBe(400)
    expect((await own.redeem(testApp, hash)).data).toMatchObject({
      redirect: '/lista-os',
      token_type: 'bearer',
    })
    expect((await own.redeem(testApp, hash)).status).toBe(400)
  })

  test('begins whatever the address says about where to go', async () => {
    const start = await testApp.app.inject({ url: '/directory/start?redirect=%2Flista-os%00' })
    expect(start.headers.location).toContain(directory.issuer)
  })

  test('cannot be ended in another browser than it began in, nor twice', async () => {
    people.hugo = { email: 'hugo@exemplo.com.br' }
    const own = new Browser()
    let at = await own.visit(testApp, `${APP_URL}/directory/start`)
    while (!at.startsWith(`${APP_URL}/directory/callback`))
      at = await own.visit(
        testApp,
        at,
        at.includes('/interaction/') ? { prompt: 'login', login: 'hugo', password: 'x' } : undefined,
      )
    expect(await new Browser().visit(testApp, at)).toBe(`${APP_URL}/login#problem=expired`)
    expect(await own.visit(testApp, at)).toMatch(/\/login#code=[\w-]{43}$/)
    expect(await own.visit(testApp, at)).toBe(`${APP_URL}/login#problem=expired`)
  })

  test('confirms who is there only when the directory was told to ask, and has asked', async () => {
    people.ivo = { email: 'ivo@exemplo.com.br' }
    const own = new Browser()
    const makesToken = async (hash: string) => {
      const { data } = await own.redeem(testApp, hash)
      const { access_token } = data as { access_token: string }
      const token = { name: 'ERP', expires_in_days: 30, scope: 'read' }
      return (await callProcedure(testApp, access_token, 'tokens.open', token)).status
    }
    expect(await makesToken(await own.signIn(testApp, 'ivo'))).toBe(403)
    expect(await makesToken(await own.signIn(testApp, 'ivo', '/directory/start?again=1'))).toBe(200)
    // Whoever finds the browser open can change what it asks the directory.
    const asked = new URL(await own.visit(testApp, `${APP_URL}/directory/start?again=1`))
    for (const name of ['prompt', 'max_age']) asked.searchParams.delete(name)
    const back = await own.visit(testApp, asked.href)
    expect(back).toContain('/directory/callback?code=')
    expect(await own.visit(testApp, back)).toBe(`${APP_URL}/login#problem=refused`)
  })

  test('with an answer that the directory did not give opens nothing, which is recorded', async () => {
    const own = new Browser()
    const asked = new URL(await own.visit(testApp, `${APP_URL}/directory/start`))
    const state = asked.searchParams.get('state')
    const forged = `${APP_URL}/directory/callback?state=${state}&code=inventado&iss=${directory.issuer}`
    expect(await own.visit(testApp, forged)).toBe(`${APP_URL}/login#problem=refused`)
    const { db, securityLog } = testApp.kernel.ctx
    await securityLog.flush()
    const noted = await db.selectFrom('security_log').select('kind').execute()
    expect(noted).toContainEqual({ kind: 'refused.sign_in' })
  })
})

test('local sign-in can be left to superusers alone', async () => {
  await using only = await startTestApp({ ...ENVIRONMENT, LOCAL_SIGN_IN: 'superuser' })
  const signIn = (username: string) =>
    only.anonymous.api('POST', '/login/access-token', { username, password: PASSWORD })
  const answer = await signIn((await only.make.user()).email)
  expect([answer.statusCode, answer.json()]).toEqual([403, { detail: 'Aqui se entra com a conta Exemplo.' }])
  expect((await signIn((await only.make.user({ is_superuser: true })).email)).statusCode).toBe(200)
  const account = { full_name: 'Ana Maria', email: 'ana@exemplo.com.br', password: 'uma-senha-longa' }
  expect((await only.anonymous.api('POST', '/users/signup', account)).statusCode).toBe(403)
  const ways = await callProcedure(only, '', 'auth.ways')
  expect(ways.data).toEqual({ directory: 'conta Exemplo', local: 'superuser' })
})

test('over HTTPS the cookie of a sign-in belongs to this host alone', async () => {
  await using secure = await startTestApp({ ...ENVIRONMENT, APP_URL: 'https://garantia.exemplo.com.br' })
  const start = await secure.app.inject({ url: '/directory/start' })
  expect(String(start.headers['set-cookie'])).toMatch(
    /^__Host-garantia_directory=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  )
})

test('a directory that is away leads back to the sign-in page, and other addresses are 404 without one', async () => {
  await using away = await startTestApp({ ...ENVIRONMENT, OIDC_ISSUER: 'http://127.0.0.1:9' })
  const start = await away.app.inject({ url: '/directory/start' })
  expect(start.headers.location).toBe('/login#problem=away')
  await using none = await startTestApp()
  expect((await none.app.inject({ url: '/directory/start' })).statusCode).toBe(404)
})
