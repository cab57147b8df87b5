import type { OrderStatus } from '@garantia/shared/orders/status'
import { cnpj, picture } from '../support/make.ts'
import { type Caller, multipart, PASSWORD, type World } from '../support/world.ts'
import { LIST_MATRIX } from './list-rows.ts'

export const PLACES = ['own', 'filial', 'foreign'] as const
export type Place = (typeof PLACES)[number]
export const ROLES = ['technician', 'manager', 'admin', 'superuser', 'lost'] as const
export type Role = (typeof ROLES)[number]
export type Who = Caller & { id: number; email: string }

export interface Scene {
  w: World
  companies: Record<Place, { id: number }>
  brand: { id: number }
}
interface Attempt {
  path?: string
  query?: string
  body?: unknown
  headers?: Record<string, string>
  input?: unknown
}
/** What each caller gets at an own, a filial's and a foreign row; one number where no row is meant. */
export type Expected = Record<Role, number | readonly [number, number, number]>
export interface Row {
  /** The REST calls and the procedure of one use case. */
  rest: string[]
  procedure?: string
  expected: Expected
  anonymous?: number
  /** What both doors read, where one REST call stands for several use cases. */
  alike?: string[]
  attempt(scene: Scene, place: Place, who: Who): Promise<Attempt> | Attempt
}

const same = (status: number): Expected => ({
  technician: status,
  manager: status,
  admin: status,
  superuser: status,
  lost: status,
})
const ALL = [200, 200, 200] as const
const ABSENT = [404, 404, 404] as const
/** D-38's «S»: what lies in one's companies; «all» for those above. */
const READ: Expected = {
  technician: [200, 404, 404],
  manager: [200, 200, 404],
  admin: ALL,
  superuser: ALL,
  lost: ABSENT,
}
/** Written by nobody below a manager; the row of another company is absent, not forbidden. */
const written = (manager: Expected['manager'], admin: Expected['admin'] = ALL): Expected => ({
  technician: [403, 404, 404],
  manager,
  admin,
  superuser: admin,
  lost: ABSENT,
})
const ADMINS: Expected = { technician: 403, manager: 403, admin: 200, superuser: 200, lost: 403 }
const SUPERUSERS: Expected = { ...ADMINS, admin: 403 }

let serial = 0
const next = () => ++serial
const onPath = (id: number, body?: object) => ({
  path: String(id),
  ...(body && { body }),
  input: { id, ...(body && { change: body }) },
})
const person = (company_id: number, manager_id: number) => ({
  full_name: 'Nova Pessoa',
  email: `nova${next()}@exemplo.com.br`,
  role: 'technician',
  company_id,
  manager_id,
  password: 'uma-senha-longa',
})
const enterprise = () => ({ trading_name: 'Nova', legal_name: 'Nova Ltda', tax_id: cnpj(), type: 'matriz' })

/** A technician there. In the caller's own company it is one who reports to them. */
const technicianAt = ({ w, companies }: Scene, place: Place, who: Who) =>
  w.make.user({ company_id: companies[place].id, ...(place === 'own' && { manager_id: who.id }) })
const orderAt = async ({ w, companies, brand }: Scene, place: Place, status?: OrderStatus) =>
  (await w.make.order({ company_id: companies[place].id, brand_id: brand.id, ...(status && { status }) })).id
/** One move of the status machine, by the specified call and by the procedure. */
const moved = (from: OrderStatus, to: OrderStatus, expected: Expected): Row => ({
  rest: ['POST /service-orders/{id}/status/{status}'],
  procedure: 'orders.setStatus',
  expected,
  async attempt(scene, place) {
    const id = await orderAt(scene, place, from)
    const input = { id, status: to, reason: 'motivo', accepts_problems: true }
    return { path: `${id}/status/${to}?reason=motivo`, input }
  },
})
const ofOrder = async (scene: Scene, place: Place) => {
  const order_id = await orderAt(scene, place)
  await scene.w.make.converted({ order_id })
  const { id } = await scene.w.make.evidence({ order_id })
  return { path: String(order_id), input: { id: order_id, order_id }, evidence_id: id }
}
const ofFile = async (scene: Scene, place: Place, who: Who, state: 'evidence' | 'converted' = 'evidence') => {
  const order_id = await orderAt(scene, place)
  const { id } = await scene.w.make[state]({ order_id, uploaded_by: who.id })
  return { path: String(id), input: { id, evidence_id: id } }
}

/** Every use case of the product once, with D-38's answer; a test fails for a call that is missing here. */
export const MATRIX: Row[] = [
  { rest: ['GET /utils/health-check'], anonymous: 200, expected: same(200), attempt: () => ({}) },
  { rest: ['GET /openapi.json'], anonymous: 200, expected: same(200), attempt: () => ({}) },
  {
    rest: ['POST /login/access-token', 'POST /token'],
    procedure: 'auth.login',
    anonymous: 200,
    expected: same(200),
    async attempt({ w }) {
      const body = { username: (await w.make.user()).email, password: PASSWORD }
      return { body, input: body }
    },
  },
  { rest: [], procedure: 'auth.logout', expected: same(200), attempt: () => ({}) },
  {
    rest: ['POST /users/signup'],
    procedure: 'auth.signUp',
    anonymous: 200,
    expected: same(200),
    attempt() {
      const body = {
        full_name: 'Ana Maria',
        email: `ana${next()}@exemplo.com.br`,
        password: 'uma-senha-longa',
      }
      return { body, input: body }
    },
  },
  {
    rest: ['POST /password-recovery/{email}'],
    procedure: 'auth.recover',
    anonymous: 200,
    expected: same(200),
    async attempt({ w }) {
      const { email } = await w.make.user()
      return { path: email, input: { email } }
    },
  },
  {
    rest: ['POST /reset-password'],
    procedure: 'auth.reset',
    anonymous: 400,
    expected: same(400),
    attempt() {
      const body = { new_password: 'uma-senha-longa', token: 'nenhuma' }
      return { body, input: body }
    },
  },
  {
    rest: ['POST /password-recovery-html-content/{email}'],
    expected: SUPERUSERS,
    attempt: async ({ w }) => ({ path: (await w.make.user()).email }),
  },
  { rest: [], procedure: 'mail.list', expected: SUPERUSERS, attempt: () => ({}) },
  { rest: [], procedure: 'audit.list', expected: SUPERUSERS, attempt: () => ({ input: {} }) },
  {
    rest: [],
    procedure: 'mail.one',
    expected: SUPERUSERS,
    async attempt({ w }) {
      const letter = { recipient: 'a@b.co', subject: 'x', html: 'x', body: 'x' }
      const { db } = w.kernel.ctx
      return { input: await db.insertInto('mails').values(letter).returning('id').executeTakeFirstOrThrow() }
    },
  },

  { rest: ['GET /users/me'], procedure: 'users.me', expected: same(200), attempt: () => ({}) },
  {
    rest: ['PATCH /users/me', 'PUT /users/me'],
    procedure: 'account.change',
    expected: same(200),
    attempt: () => ({ body: { full_name: 'Outro Nome' }, input: { full_name: 'Outro Nome' } }),
  },
  {
    rest: ['PATCH /users/me/password', 'PUT /users/me/password'],
    procedure: 'account.changePassword',
    expected: same(200),
    attempt() {
      const body = { current_password: PASSWORD, new_password: 'outra-senha-longa' }
      return { body, input: body }
    },
  },
  {
    rest: ['DELETE /users/me'],
    procedure: 'account.leave',
    expected: { ...same(200), superuser: 403 },
    attempt: () => ({}),
  },
  { rest: [], procedure: 'account.sessions', expected: same(200), attempt: () => ({}) },
  { rest: ['GET /tokens'], procedure: 'tokens.list', expected: same(200), attempt: () => ({}) },
  {
    rest: ['POST /tokens'],
    procedure: 'tokens.open',
    expected: same(200),
    attempt() {
      const body = { name: `Integração ${next()}`, expires_in_days: 30 }
      return { body, input: body }
    },
  },
  {
    rest: ['DELETE /tokens/{id}'],
    procedure: 'tokens.revoke',
    expected: same(200),
    attempt: async ({ w }, _, { id }) => onPath((await w.make.apiToken({ user_id: id })).id),
  },
  {
    rest: [],
    procedure: 'account.closeSession',
    expected: same(200),
    async attempt({ w }, _, { id, token }) {
      const [session] = await w.kernel.ctx.sessions.listOf(id, token)
      return { input: { id: session?.id ?? 'a'.repeat(64) } }
    },
  },

  {
    rest: ['GET /users'],
    procedure: 'users.list',
    expected: { ...same(200), technician: 403, lost: 403 },
    attempt: () => ({ input: {} }),
  },
  {
    rest: [],
    procedure: 'users.managers',
    expected: { ...same(200), technician: 403, lost: 403 },
    attempt: () => ({ input: {} }),
  },
  {
    rest: ['GET /users/{id}'],
    procedure: 'users.one',
    expected: written([200, 200, 404]),
    attempt: async (scene, place, who) => onPath((await technicianAt(scene, place, who)).id),
  },
  {
    rest: ['POST /users'],
    procedure: 'users.open',
    expected: { ...ADMINS, manager: [200, 200, 403] },
    async attempt({ companies, w }, place) {
      const boss = await w.make.user({ role: 'admin', company_id: companies[place].id })
      const body = person(companies[place].id, boss.id)
      return { body, input: body }
    },
  },
  {
    rest: ['PATCH /users/{id}', 'PUT /users/{id}'],
    procedure: 'users.change',
    expected: written([200, 403, 404]),
    attempt: async (scene, place, who) =>
      onPath((await technicianAt(scene, place, who)).id, { department: 'Oficina' }),
  },
  {
    rest: ['DELETE /users/{id}'],
    procedure: 'users.remove',
    expected: written([403, 403, 404]),
    attempt: async (scene, place, who) => onPath((await technicianAt(scene, place, who)).id),
  },

  {
    rest: ['GET /companies'],
    procedure: 'companies.list',
    expected: same(200),
    attempt: () => ({ input: {} }),
  },
  { rest: ['GET /companies/paginated'], expected: same(200), attempt: () => ({}) },
  {
    rest: ['GET /companies/active'],
    procedure: 'companies.active',
    expected: same(200),
    attempt: () => ({ input: {} }),
  },
  {
    rest: ['GET /companies/{id}'],
    procedure: 'companies.one',
    expected: READ,
    attempt: ({ companies }, place) => onPath(companies[place].id),
  },
  {
    rest: ['POST /companies'],
    procedure: 'companies.open',
    expected: ADMINS,
    attempt() {
      const body = enterprise()
      return { body, input: body }
    },
  },
  {
    rest: ['PATCH /companies/{id}', 'PUT /companies/{id}'],
    procedure: 'companies.change',
    expected: written([200, 200, 404]),
    attempt: ({ companies }, place) => onPath(companies[place].id, { city: `Santos ${next()}` }),
  },
  {
    // The own company cannot be empty: somebody works there.
    rest: ['DELETE /companies/{id}'],
    procedure: 'companies.remove',
    expected: written([403, 403, 404], [409, 200, 200]),
    async attempt({ companies, w }, place) {
      if (place === 'own') return onPath(companies.own.id)
      const parent = place === 'filial' && { parent_id: companies.own.id }
      return onPath((await w.make.company({ ...parent })).id)
    },
  },

  { rest: ['GET /brands'], procedure: 'brands.list', expected: same(200), attempt: () => ({}) },
  {
    rest: ['GET /brands/{id}'],
    procedure: 'brands.one',
    expected: same(200),
    attempt: ({ brand }) => onPath(brand.id),
  },
  {
    rest: ['GET /brands/{id}/companies'],
    procedure: 'brands.companies',
    expected: same(200),
    attempt: ({ brand }) => onPath(brand.id),
  },
  {
    rest: ['GET /brands/{id}/evidence-rules'],
    procedure: 'brands.evidenceRules',
    expected: same(200),
    attempt: ({ brand }) => onPath(brand.id),
  },
  {
    rest: ['PATCH /brands/{id}'],
    procedure: 'brands.change',
    expected: ADMINS,
    attempt: ({ brand }) => onPath(brand.id, { processing_time_seconds: next() }),
  },
  {
    rest: ['POST /brands/initialize'],
    procedure: 'brands.initialize',
    expected: ADMINS,
    attempt: () => ({}),
  },

  ...LIST_MATRIX,
  {
    rest: ['GET /service-orders/{id}'],
    procedure: 'orders.one',
    expected: READ,
    attempt: async (scene, place) => onPath(await orderAt(scene, place)),
  },
  {
    rest: ['POST /service-orders'],
    procedure: 'orders.open',
    expected: {
      technician: [200, 422, 422],
      manager: [200, 200, 422],
      admin: ALL,
      superuser: ALL,
      lost: [422, 422, 422],
    },
    attempt({ companies, brand }, place) {
      const body = {
        os_number: String(500_000 + next()),
        brand_id: brand.id,
        company_id: companies[place].id,
      }
      return { body, input: body }
    },
  },
  {
    rest: ['PUT /service-orders/{id}', 'PATCH /service-orders/{id}'],
    procedure: 'orders.change',
    expected: READ,
    attempt: async (scene, place) => onPath(await orderAt(scene, place), { vehicle_color: 'azul' }),
  },
  {
    rest: ['DELETE /service-orders/{id}'],
    procedure: 'orders.remove',
    expected: written([200, 200, 404]),
    attempt: async (scene, place) => onPath(await orderAt(scene, place)),
  },
  {
    rest: [],
    procedure: 'orders.remove',
    expected: written([403, 403, 404]),
    attempt: async (scene, place) => onPath(await orderAt(scene, place, 'completed')),
  },
  moved('created', 'pending', READ),
  moved('pending', 'in_analysis', READ),
  moved('created', 'completed', written([200, 200, 404])),
  moved('ready', 'cancelled', written([200, 200, 404])),
  moved('completed', 'in_analysis', written([403, 403, 404])),
  moved('created', 'ready', {
    technician: [409, 404, 404],
    manager: [409, 409, 404],
    admin: [409, 409, 409],
    superuser: [409, 409, 409],
    lost: ABSENT,
  }),
  {
    rest: ['GET /service-orders/{id}/history'],
    procedure: 'orders.history',
    expected: READ,
    attempt: async (scene, place) => {
      const id = await orderAt(scene, place)
      return { path: String(id), input: { id } }
    },
  },
  {
    rest: ['GET /service-orders/{id}/allowed-transitions'],
    expected: READ,
    attempt: async (scene, place) => onPath(await orderAt(scene, place)),
  },
  {
    rest: [],
    procedure: 'orders.technicians',
    expected: READ,
    attempt: ({ companies }, place) => ({ input: { company_id: companies[place].id } }),
  },
  {
    rest: ['POST /evidence/{id}/upload'],
    expected: {
      technician: [201, 404, 404],
      manager: [201, 201, 404],
      admin: [201, 201, 201],
      superuser: [201, 201, 201],
      lost: ABSENT,
    },
    async attempt(scene, place) {
      const files = multipart([{ name: 'files', filename: 'a.jpg', content: await picture() }])
      return { path: String(await orderAt(scene, place)), ...files }
    },
  },
  ...(
    [
      ['GET /evidence/{id}/evidence', 'evidence.list'],
      ['GET /evidence/{id}/download-all', undefined],
      ['GET /evidence-conversion/{id}/conversion-report', 'conversion.report'],
      ['POST /evidence-conversion/{id}/convert-all', 'conversion.convertAll'],
      ['POST /evidence/{id}/validate', 'evidence.validate'],
    ] as const
  ).map(
    ([rest, procedure]): Row => ({
      rest: [rest],
      ...(procedure && { procedure }),
      expected: READ,
      attempt: ofOrder,
    }),
  ),
  { rest: [], procedure: 'evidence.checklist', expected: READ, attempt: ofOrder },
  {
    rest: [],
    procedure: 'evidence.change',
    expected: READ,
    async attempt(scene, place, who) {
      const { input } = await ofFile(scene, place, who)
      return { input: { ...input, change: { evidence_category: 'placa' } } }
    },
  },
  ...(
    [
      ['GET /evidence-conversion/{id}/status', 'conversion.status'],
      ['POST /evidence-conversion/{id}/convert', 'conversion.convert'],
      ['DELETE /evidence/{id}', 'evidence.remove'],
    ] as const
  ).map(([rest, procedure]): Row => ({ rest: [rest], procedure, expected: READ, attempt: ofFile })),
  {
    rest: ['GET /evidence/{id}/download'],
    expected: READ,
    attempt: (scene, place, who) => ofFile(scene, place, who, 'converted'),
  },
  ...(
    [
      ['GET /service-orders/{id}/dossier', 'dossier.list'],
      ['POST /service-orders/{id}/dossier', 'dossier.build'],
    ] as const
  ).map(([rest, procedure]): Row => ({ rest: [rest], procedure, expected: READ, attempt: ofOrder })),
  {
    rest: ['GET /service-orders/{id}/dossier/{id}/download'],
    expected: READ,
    async attempt(scene, place) {
      const id = await orderAt(scene, place)
      await scene.w.make.dossier(id)
      return { path: `${id}/dossier/1` }
    },
  },
  { rest: [], procedure: 'retention.holdOf', expected: READ, attempt: ofOrder },
  { rest: [], procedure: 'live.address', expected: READ, attempt: ofOrder },
  ...(['retention.hold', 'retention.release'] as const).map(
    (procedure): Row => ({
      rest: [],
      procedure,
      expected: written([403, 403, 404]),
      attempt: async (scene, place) => ({
        input: { id: await orderAt(scene, place), reason: 'Processo 123' },
      }),
    }),
  ),
]
