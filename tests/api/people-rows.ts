import { message } from '@garantia/shared/auth/schema'
import { companyDetail, companyList, companyPage } from '@garantia/shared/companies/schema'
import { meView, userList, userView } from '@garantia/shared/users/schema'
import type { z } from 'zod'
import { cnpj } from '../support/make.ts'
import { resetToken } from '../support/reset-token.ts'
import { type Caller, PASSWORD, type TestApp } from '../support/test-app.ts'

export interface Row {
  id: string
  call: `${'HEAD' | 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
  path: string
  body?: unknown
  headers?: Record<string, string>
  status?: number
  reply: z.ZodType | 'file' | 'page' | 'nothing'
  /** The caller, when it is not the superuser. */
  as?: Caller
}

/** Rows for the calls of accounts, users and companies (API-6 to API-27). */
export async function peopleRows(testApp: TestApp): Promise<Row[]> {
  const { make } = testApp
  const company = await make.company()
  const filial = await make.company({ parent_id: company.id })
  const manager = await make.user({ role: 'manager', company_id: company.id })
  const user = await make.user({ company_id: company.id })
  const [gone, emptied] = [await make.user(), await make.company()]
  const [self, leaver] = [await make.user({ company_id: company.id }), await make.user()]
  const as = await testApp.as(self)
  const [me, u, c] = ['/users/me', `/users/${user.id}`, `/companies/${filial.id}`]
  const account = { full_name: 'Ana Maria', email: 'ana.maria@exemplo.com.br', password: 'uma-senha-longa' }
  const person = {
    ...account,
    email: 'tecnico@exemplo.com.br',
    cpf: '52998224725',
    role: 'technician',
    company_id: company.id,
    manager_id: manager.id,
  }
  const enterprise = { trading_name: 'Nova', legal_name: 'Nova Ltda', tax_id: cnpj(), parent_id: company.id }
  const change = { current_password: PASSWORD, new_password: 'uma-senha-longa' }
  const again = { current_password: 'uma-senha-longa', new_password: 'mais-uma-senha' }
  const mail = encodeURIComponent(user.email)
  return [
    { id: 'API-6', call: 'POST /users/signup', path: '/users/signup', body: account, reply: userView },
    {
      id: 'API-7',
      call: 'POST /password-recovery/{email}',
      path: `/password-recovery/${mail}`,
      reply: message,
    },
    {
      id: 'API-8',
      call: 'POST /password-recovery-html-content/{email}',
      path: `/password-recovery-html-content/${mail}`,
      reply: 'page',
    },
    {
      id: 'API-9',
      call: 'POST /reset-password',
      path: '/reset-password/',
      body: { token: await resetToken(testApp, user.id), new_password: 'uma-senha-longa' },
      reply: message,
    },
    { id: 'API-10', call: 'GET /users/me', path: me, reply: meView },
    { id: 'API-11', call: 'PATCH /users/me', path: me, body: { full_name: 'Ana' }, reply: meView, as },
    { id: 'D-04', call: 'PUT /users/me', path: me, body: { email: 'ana-2' }, reply: meView, as },
    { id: 'API-12', call: 'DELETE /users/me', path: me, reply: message, as: await testApp.as(leaver) },
    {
      id: 'API-13',
      call: 'PATCH /users/me/password',
      path: `${me}/password`,
      body: change,
      reply: message,
      as,
    },
    { id: 'D-04', call: 'PUT /users/me/password', path: `${me}/password`, body: again, reply: message, as },
    {
      id: 'D-36',
      call: 'POST /users/me/confirm',
      path: `${me}/confirm`,
      body: { password: PASSWORD },
      reply: message,
    },
    {
      id: 'D-36',
      call: 'POST /users/me/end-sessions',
      path: `${me}/end-sessions`,
      body: { revoke_tokens: true },
      reply: message,
      as: await testApp.as(await make.user()),
    },
    {
      id: 'D-36',
      call: 'POST /logout',
      path: '/logout',
      reply: message,
      as: await testApp.as(await make.user()),
    },
    {
      id: 'D-38',
      call: 'DELETE /users/{id}/second-factor',
      path: `${u}/second-factor`,
      reply: message,
    },
    { id: 'API-14', call: 'GET /users', path: '/users/?skip=0&limit=100', reply: userList },
    { id: 'API-15', call: 'POST /users', path: '/users/', body: person, reply: userView },
    { id: 'API-16', call: 'GET /users/{id}', path: u, reply: userView },
    { id: 'API-17', call: 'PATCH /users/{id}', path: u, body: { cpf: null, password: '' }, reply: userView },
    { id: 'API-18', call: 'PUT /users/{id}', path: u, body: { department: 'Oficina' }, reply: userView },
    { id: 'API-19', call: 'DELETE /users/{id}', path: `/users/${gone.id}`, reply: message },
    {
      id: 'API-20',
      call: 'GET /companies',
      path: '/companies/?skip=0&limit=100&search=&type=filial&is_active=true',
      reply: companyList,
    },
    { id: 'API-21', call: 'GET /companies/paginated', path: '/companies/paginated', reply: companyPage },
    {
      id: 'API-22',
      call: 'GET /companies/active',
      path: '/companies/active?skip=0&limit=100',
      reply: companyList,
    },
    {
      id: 'API-23',
      call: 'POST /companies',
      path: '/companies/',
      body: { ...enterprise, type: 'filial' },
      reply: companyDetail,
    },
    { id: 'API-24', call: 'GET /companies/{id}', path: c, reply: companyDetail },
    {
      id: 'API-25',
      call: 'PATCH /companies/{id}',
      path: c,
      body: { city: 'Santos' },
      reply: companyDetail,
    },
    { id: 'API-26', call: 'PUT /companies/{id}', path: c, body: { state: 'sp' }, reply: companyDetail },
    { id: 'API-27', call: 'DELETE /companies/{id}', path: `/companies/${emptied.id}`, reply: message },
    { id: 'D-38', call: 'GET /security-log/export', path: '/security-log/export', reply: 'file' },
  ]
}
