import { exportOrders } from '@garantia/server/features/orders/list'
import { NEW_BRAND_RULES } from '@garantia/shared/brands/schema'
import type { TokenScope } from '@garantia/shared/tokens/scope'
import { cnpj } from '../support/make.ts'
import { type Caller, multipart, type TestApp } from '../support/test-app.ts'
import { archiveRefusals } from './archive-rows.ts'
import { claimMoneyRefusals } from './claim-money-contract.ts'
import { claimRefusals } from './claim-rows.ts'
import { deadlineRefusals } from './deadline-rows.ts'
import { guestRefusals } from './guest-rows.ts'
import { importRefusals } from './import-rows.ts'
import { logoRefusals } from './logo-rows.ts'
import { type Attempt, uploadRefusals } from './upload-rows.ts'

/** Rule violations, conflicts and rate limits: one row per call and status, «POST /token 400». */
export async function refusalRows(
  { testApp, strict, closed }: Record<'testApp' | 'strict' | 'closed', TestApp>,
  boss: Caller,
): Promise<Record<string, () => Promise<Attempt>>> {
  const { make } = testApp
  const wrong = { username: 'ninguem', password: 'errada-errada' }
  const account = (email: string) => ({ full_name: 'Ana Maria', email, password: 'uma-senha-longa' })
  const change = { current_password: 'errada-errada', new_password: 'uma-senha-longa' }

  /** The second of two calls exceeds the limit. */
  const twice = async (as: Caller, path: string, body?: unknown): Promise<Attempt> => {
    await as.api('POST', path, body)
    return { as, path, body }
  }
  /** A caller with an API token. */
  const byToken = async (fields = {}, scope: TokenScope = 'all'): Promise<Caller> => {
    const user = await make.user(fields)
    const { token } = await make.apiToken({ user_id: user.id, scope })
    const authorization = `Bearer ${token}`
    return {
      ...testApp.anonymous,
      api: (method, path, body, headers) =>
        testApp.anonymous.api(method, path, body, { authorization, ...headers }),
    }
  }
  const turned = { rotation: 90 }
  const marked = { marks: [] }
  const nonces = { count: 1 }
  const taken = async () => (await make.user()).email
  const waiting = async () => (await make.evidence()).id
  const closedFile = async () =>
    (await make.evidence({ order_id: (await make.order({ status: 'completed' })).id })).id
  const closedOrder = async () => (await make.order({ status: 'completed' })).id
  const busy = async () => make.user({ company_id: (await make.company()).id })
  const password = async (): Promise<Attempt> => ({
    as: await testApp.as(await make.user()),
    path: '/users/me/password',
    body: change,
  })
  const guesses = async (): Promise<Attempt> => {
    const as = await strict.as(await strict.make.user())
    await as.api('PATCH', '/users/me/password', change)
    return { as, path: '/users/me/password', body: change }
  }
  const inToken = async (path: string, body?: unknown): Promise<Attempt> => ({
    as: await byToken(),
    path,
    body,
  })
  /** A technician and an order of their company that is assigned to a colleague (D-16). */
  const notTheirs =
    (path: (order_id: number, evidence_id: number) => string, body?: unknown) =>
    async (): Promise<Attempt> => {
      const colleague = await busy()
      const { company_id } = colleague
      const order = await make.order({
        company_id: company_id ?? 0,
        technician_user_id: colleague.id,
        created_by: colleague.id,
      })
      const { id } = await make.evidence({ order_id: order.id, uploaded_by: colleague.id })
      return { as: await testApp.as(await make.user({ company_id })), path: path(order.id, id), body }
    }
  const sameNumber = async (): Promise<Attempt> => {
    const { os_number, brand_id, company_id } = await make.order()
    return { path: '/service-orders', body: { os_number, brand_id, company_id } }
  }
  const changedClosed = async (): Promise<Attempt> => ({
    path: `/service-orders/${await closedOrder()}`,
    body: { diagnosis: 'x' },
  })

  const rows: Record<string, () => Promise<Attempt>> = {
    'POST /login/access-token 400': async () => ({ path: '/login/access-token', body: wrong }),
    'POST /login/access-token 429': () => twice(strict.anonymous, '/login/access-token', wrong),
    'POST /token 400': async () => ({ path: '/token', body: wrong }),
    'POST /token 429': () => twice(strict.anonymous, '/token', { ...wrong, username: 'outro' }),
    'POST /users/signup 403': async () => ({
      as: closed.anonymous,
      path: '/users/signup',
      body: account('a@b.co'),
    }),
    'POST /users/signup 409': async () => ({ path: '/users/signup', body: account(await taken()) }),
    'POST /users/signup 429': () => twice(strict.anonymous, '/users/signup', account('b@b.co')),
    'POST /password-recovery/{email} 404': async () => ({ path: '/password-recovery/nao@ha.co' }),
    'POST /password-recovery/{email} 429': () => twice(strict.anonymous, '/password-recovery/c@b.co'),
    'POST /password-recovery-html-content/{email} 404': async () => ({
      path: '/password-recovery-html-content/nao@ha.co',
    }),
    'POST /reset-password 400': async () => ({
      path: '/reset-password',
      body: { token: 'nenhum', new_password: 'uma-senha-longa' },
    }),
    'PATCH /users/me 403': () => inToken('/users/me', { email: 'outro@b.co' }),
    'PUT /users/me 403': () => inToken('/users/me', { email: 'outro@b.co' }),
    'PATCH /users/me 409': async () => ({ path: '/users/me', body: { email: await taken() } }),
    'PUT /users/me 409': async () => ({ path: '/users/me', body: { email: await taken() } }),
    'PATCH /users/me/password 400': password,
    'PUT /users/me/password 400': password,
    'PATCH /users/me/password 403': () => inToken('/users/me/password', change),
    'PUT /users/me/password 403': () => inToken('/users/me/password', change),
    'PATCH /users/me/password 429': guesses,
    'PUT /users/me/password 429': guesses,
    'POST /users/me/confirm 400': async () => ({ path: '/users/me/confirm', body: { password: 'x' } }),
    'POST /users/me/confirm 403': () => inToken('/users/me/confirm', { password: 'x' }),
    'POST /users/me/confirm 429': async () => {
      const { as } = await guesses()
      return { as, path: '/users/me/confirm', body: { password: 'x' } }
    },
    'POST /users/me/end-sessions 403': () => inToken('/users/me/end-sessions', {}),
    'DELETE /users/{id}/second-factor 403': () => inToken('/users/1/second-factor'),
    'GET /tokens 403': () => inToken('/tokens'),
    'GET /service-orders/export 403': async () => ({
      as: await byToken({ role: 'manager' }),
      path: '/service-orders/export?format=csv',
    }),
    'POST /tokens 403': () => inToken('/tokens', { name: 'Outro', expires_in_days: 1, scope: 'read' }),
    'DELETE /tokens/{id} 403': () => inToken('/tokens/1'),
    'POST /tokens 409': async () => {
      const user = await make.user()
      await Promise.all(Array.from({ length: 20 }, () => make.apiToken({ user_id: user.id })))
      return {
        as: await testApp.as(user),
        path: '/tokens',
        body: { name: 'A mais', expires_in_days: 1, scope: 'read' },
      }
    },
    'POST /tokens 429': async () => {
      const user = await make.user()
      await testApp.kernel.ctx.db
        .insertInto('attempts')
        .values({ bucket: `tokens|${user.id}`, hits: 60, first_at: new Date() })
        .execute()
      return {
        as: await testApp.as(user),
        path: '/tokens',
        body: { name: 'A mais', expires_in_days: 1, scope: 'read' },
      }
    },
    'POST /users 409': async () => {
      const { id: company_id } = await make.company()
      return {
        path: '/users',
        body: { ...account(await taken()), role: 'admin', company_id },
      }
    },
    'PATCH /users/{id} 409': async () => ({
      path: `/users/${(await busy()).id}`,
      body: { email: await taken() },
    }),
    'PUT /users/{id} 409': async () => ({
      path: `/users/${(await busy()).id}`,
      body: { email: await taken() },
    }),
    'DELETE /users/{id} 409': async () => {
      const { id } = await busy()
      await make.order({ created_by: id })
      return { path: `/users/${id}` }
    },
    'POST /companies 409': async () => {
      const { tax_id } = await make.company()
      return {
        path: '/companies',
        body: { trading_name: 'Nova', legal_name: 'Nova Ltda', tax_id, type: 'matriz' },
      }
    },
    'PATCH /companies/{id} 409': async () => ({
      path: `/companies/${(await make.company()).id}`,
      body: { tax_id: (await make.company({ tax_id: cnpj() })).tax_id },
    }),
    'PUT /companies/{id} 409': async () => ({
      path: `/companies/${(await make.company()).id}`,
      body: { tax_id: (await make.company()).tax_id },
    }),
    'DELETE /companies/{id} 409': async () => ({ path: `/companies/${(await busy()).company_id}` }),
    'GET /service-orders/export 429': async () => {
      const as = await testApp.as(await make.user({ is_superuser: true }))
      const read = () => exportOrders(as.ctx, { format: 'csv' }, { ip: null, user_agent: null })
      const slow = await Promise.all([read(), read()])
      // Their clients disconnect shortly after this one was refused.
      setTimeout(() => slow.map(({ body }) => body.destroy()), 1_000)
      return { as, path: '/service-orders/export?format=csv' }
    },
    'GET /claims/export 429': async () => {
      const as = await testApp.as(await make.user({ is_superuser: true }))
      const read = () => exportOrders(as.ctx, { format: 'csv' }, { ip: null, user_agent: null })
      const slow = await Promise.all([read(), read()])
      setTimeout(() => slow.map(({ body }) => body.destroy()), 1_000)
      return { as, path: '/claims/export?format=csv' }
    },
    'GET /service-orders/reports/monthly/export 429': async () => {
      const as = await testApp.as(await make.user({ is_superuser: true }))
      const read = () => exportOrders(as.ctx, { format: 'csv' }, { ip: null, user_agent: null })
      const slow = await Promise.all([read(), read()])
      setTimeout(() => slow.map(({ body }) => body.destroy()), 1_000)
      return { as, path: '/service-orders/reports/monthly/export?from=2026-01&until=2026-01' }
    },
    'POST /service-orders 403': async () => {
      const { id: company_id } = await make.company()
      const { id: brand_id } = await make.brand()
      const body = { os_number: '000777', brand_id, company_id }
      return { as: await byToken({ is_superuser: true }, 'evidence'), path: '/service-orders', body }
    },
    'POST /service-orders/{id}/dossier 403': async () => ({
      as: await byToken({ is_superuser: true }, 'read'),
      path: `/service-orders/${(await make.order()).id}/dossier`,
    }),
    'POST /service-orders 409': sameNumber,
    'PUT /service-orders/{id} 403': notTheirs((order) => `/service-orders/${order}`, { diagnosis: 'x' }),
    'PATCH /service-orders/{id} 403': notTheirs((order) => `/service-orders/${order}`, { diagnosis: 'x' }),
    'PUT /service-orders/{id} 409': changedClosed,
    'PATCH /service-orders/{id} 409': changedClosed,
    'DELETE /service-orders/{id} 409': async () => {
      const hold = { legal_hold_at: new Date(), legal_hold_reason: 'Processo 123' }
      return { path: `/service-orders/${(await make.order(hold)).id}` }
    },
    'POST /service-orders/{id}/dossier 409': async () => ({
      path: `/service-orders/${(await make.order()).id}/dossier`,
    }),
    'POST /service-orders/{id}/dossier 429': async () => {
      const { order_id } = await make.converted()
      const { id } = await make.user({ is_superuser: true })
      const requested = { bucket: `dossier/person/${id}`, hits: 60, first_at: new Date() }
      await testApp.kernel.ctx.db.insertInto('attempts').values(requested).execute()
      return { as: await testApp.as({ id }), path: `/service-orders/${order_id}/dossier` }
    },
    'GET /service-orders/{id}/dossier/{id}/download 409': async () => {
      const { id: order_id } = await make.order()
      await testApp.kernel.ctx.db
        .insertInto('dossiers')
        .values({ order_id, n: 1, actor_name: 'Ana' })
        .execute()
      return { path: `/service-orders/${order_id}/dossier/1/download` }
    },
    'GET /service-orders/{id}/dossier/{id}/download 416': async () => {
      const { id } = await make.order()
      await make.dossier(id)
      return {
        path: `/service-orders/${id}/dossier/1/download`,
        headers: { range: 'bytes=999999-' },
      }
    },
    'POST /service-orders/{id}/status/{status} 409': async () => ({
      path: `/service-orders/${(await make.order()).id}/status/ready`,
    }),
    'GET /dossier-confirmations/{id} 404': async () => ({
      path: `/dossier-confirmations/${'0'.repeat(64)}`,
    }),
    'GET /dossier-confirmations/{id} 429': async () => {
      const asked = { bucket: 'confirmation|127.0.0', hits: 60, first_at: new Date() }
      await strict.kernel.ctx.db.insertInto('attempts').values(asked).execute()
      return { as: strict.anonymous, path: `/dossier-confirmations/${'0'.repeat(64)}` }
    },
    'POST /evidence/{id}/upload 400': async () => ({
      path: `/evidence/${(await make.order()).id}/upload`,
      body: 'nada disso é multipart',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    }),
    'POST /evidence/{id}/upload 409': async () => ({
      path: `/evidence/${await closedOrder()}/upload`,
      ...multipart([{ name: 'files', filename: 'a.jpg', content: 'x' }]),
    }),
    'POST /evidence/{id}/upload 403': notTheirs((order) => `/evidence/${order}/upload`),
    'POST /evidence/{id}/validate 403': notTheirs((order) => `/evidence/${order}/validate`),
    'PATCH /evidence/{id} 403': notTheirs((_, file) => `/evidence/${file}`, { description: 'x' }),
    'PATCH /evidence/{id} 409': async () => ({
      path: `/evidence/${await closedFile()}`,
      body: { description: 'x' },
    }),
    'PATCH /evidence/{id}/evidence 403': notTheirs((order) => `/evidence/${order}/evidence`, {
      changes: [{ id: 1, description: 'x' }],
    }),
    'PATCH /evidence/{id}/evidence 409': async () => ({
      path: `/evidence/${await closedOrder()}/evidence`,
      body: { changes: [{ id: 1, description: 'x' }] },
    }),
    'DELETE /evidence/{id} 403': notTheirs((_, file) => `/evidence/${file}`),
    'POST /evidence-conversion/{id}/convert 403': notTheirs(
      (_, file) => `/evidence-conversion/${file}/convert`,
    ),
    'POST /evidence-conversion/{id}/convert-all 403': notTheirs(
      (order) => `/evidence-conversion/${order}/convert-all`,
    ),
    'PUT /evidence/{id}/rotation 400': async () => ({
      path: `/evidence/${(await make.evidence({ file_type: 'video', format: 'mp4' })).id}/rotation`,
      body: turned,
    }),
    'PUT /evidence/{id}/rotation 403': notTheirs((_, file) => `/evidence/${file}/rotation`, turned),
    'PUT /evidence/{id}/rotation 409': async () => ({
      path: `/evidence/${await closedFile()}/rotation`,
      body: turned,
    }),
    'POST /evidence/{id}/capture-nonces 403': notTheirs(
      (order) => `/evidence/${order}/capture-nonces`,
      nonces,
    ),
    'POST /evidence/{id}/capture-nonces 409': async () => ({
      path: `/evidence/${await closedOrder()}/capture-nonces`,
      body: nonces,
    }),
    'PUT /evidence/{id}/marks 400': async () => ({
      path: `/evidence/${(await make.evidence({ file_type: 'video', format: 'mp4' })).id}/marks`,
      body: marked,
    }),
    'PUT /evidence/{id}/marks 403': notTheirs((_, file) => `/evidence/${file}/marks`, marked),
    'PUT /evidence/{id}/marks 409': async () => ({
      path: `/evidence/${await closedFile()}/marks`,
      body: marked,
    }),
    'POST /evidence/{id}/restore 403': notTheirs((_, file) => `/evidence/${file}/restore`),
    'POST /evidence/{id}/restore 409': async () => ({ path: `/evidence/${await closedFile()}/restore` }),
    'DELETE /evidence/{id} 409': async () => ({ path: `/evidence/${await closedFile()}` }),
    'GET /evidence/{id}/download 409': async () => ({ path: `/evidence/${await waiting()}/download` }),
    'GET /evidence/{id}/download 416': async () => ({
      path: `/evidence/${(await make.converted()).id}/download`,
      headers: { range: 'bytes=999999-' },
    }),
    'GET /evidence/{id}/download-all 409': async () => ({
      path: `/evidence/${(await make.order()).id}/download-all`,
    }),
    'GET /evidence/{id}/download-all 416': async () => ({
      path: `/evidence/${(await make.converted()).order_id}/download-all`,
      headers: { range: 'bytes=9999999-' },
    }),
    'POST /brands 409': async () => ({
      path: '/brands',
      body: { display_name: 'Outra', slug: (await make.brand()).slug },
    }),
    'POST /brands/import 409': async () => {
      const { slug } = await make.brand({ version: 2 })
      const brands = [{ ...NEW_BRAND_RULES, code: slug, display_name: 'Outra', is_sample: true }]
      const file = { format: 'garantia-marcas', version: 1, brands }
      return { path: '/brands/import', body: { dry_run: true, file, versions: { [slug]: 1 } } }
    },
    'PATCH /brands/{id} 409': async () => ({
      path: `/brands/${(await make.brand({ version: 2 })).id}`,
      body: { version: 1, max_video_count: 3 },
    }),
    'POST /evidence-conversion/{id}/convert 400': async () => ({
      path: `/evidence-conversion/${(await make.converted()).id}/convert`,
    }),
    'POST /evidence-conversion/{id}/convert 409': async () => ({
      path: `/evidence-conversion/${await closedFile()}/convert`,
    }),
    'POST /evidence-conversion/{id}/convert-all 409': async () => ({
      path: `/evidence-conversion/${await closedOrder()}/convert-all`,
    }),
  }
  return {
    ...rows,
    ...uploadRefusals(testApp, boss),
    ...guestRefusals(testApp),
    ...importRefusals(testApp),
    ...logoRefusals(testApp),
    ...archiveRefusals(testApp),
    ...claimRefusals(testApp),
    ...deadlineRefusals(testApp, strict),
    ...claimMoneyRefusals(testApp),
  }
}
