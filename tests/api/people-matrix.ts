import { NEW_BRAND_RULES } from '@garantia/shared/brands/schema'
import { cnpj } from '../support/make.ts'
import { PASSWORD } from '../support/test-app.ts'
import {
  ADMINS,
  type CompanyRelation,
  ledWriting,
  type MatrixFixture,
  next,
  onPath,
  READ,
  type Row,
  SUPERUSERS,
  same,
  type TestUser,
  written,
} from './matrix-fixture.ts'

const person = (company_id: number, manager_id: number) => ({
  full_name: 'Nova Pessoa',
  email: `nova${next()}@exemplo.com.br`,
  role: 'technician',
  company_id,
  manager_id,
  password: 'uma-senha-longa',
})
const enterprise = () => ({ trading_name: 'Nova', legal_name: 'Nova Ltda', tax_id: cnpj(), type: 'matriz' })

/** Made by no authenticator. */
const PASSKEY = {
  id: 'bmluZ3XDqW0',
  rawId: 'bmluZ3XDqW0',
  type: 'public-key',
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
}

/** A technician of that company; in the caller's own company one who reports to the caller. */
const technicianAt = ({ testApp, companies }: MatrixFixture, place: CompanyRelation, who: TestUser) =>
  testApp.make.user({ company_id: companies[place].id, ...(place === 'own' && { manager_id: who.id }) })

/** The use cases of accounts, users, companies and brands. */
export const PEOPLE_MATRIX: Row[] = [
  { rest: ['GET /utils/health-check'], anonymous: 200, expected: same(200), attempt: () => ({}) },
  { rest: ['GET /openapi.json'], anonymous: 200, expected: same(200), attempt: () => ({}) },
  { rest: ['GET /dossier-keys'], anonymous: 200, expected: same(200), attempt: () => ({}) },
  {
    rest: ['GET /dossier-confirmations/{id}'],
    procedure: 'dossier.confirm',
    anonymous: 200,
    expected: same(200),
    async attempt({ testApp }) {
      const { manifest_sha256 } = await testApp.make.dossier((await testApp.make.order()).id)
      return { path: manifest_sha256, input: { fingerprint: manifest_sha256 } }
    },
  },
  {
    rest: ['POST /login/access-token', 'POST /token'],
    procedure: 'auth.login',
    anonymous: 200,
    expected: same(200),
    async attempt({ testApp }) {
      const body = { username: (await testApp.make.user()).email, password: PASSWORD }
      return { body, input: body }
    },
  },
  { rest: ['POST /logout'], procedure: 'auth.logout', expected: same(200), attempt: () => ({}) },
  { rest: [], procedure: 'auth.ways', anonymous: 200, expected: same(200), attempt: () => ({}) },
  { rest: [], procedure: 'passkeys.ask', anonymous: 200, expected: same(200), attempt: () => ({}) },
  ...['passkeys.signIn', 'passkeys.confirm'].map(
    (procedure): Row => ({
      rest: [],
      procedure,
      anonymous: procedure === 'passkeys.signIn' ? 400 : 401,
      expected: same(400),
      attempt: () => ({ input: { response: PASSKEY } }),
    }),
  ),
  ...['account.undoLogin', 'directory.redeem'].map(
    (procedure): Row => ({
      rest: [],
      procedure,
      anonymous: 400,
      expected: same(400),
      attempt: () => ({ input: { token: 'nenhum' } }),
    }),
  ),
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
    async attempt({ testApp }) {
      const { email } = await testApp.make.user()
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
    attempt: async ({ testApp }) => ({ path: (await testApp.make.user()).email }),
  },
  { rest: ['GET /users/me'], procedure: 'account.me', expected: same(200), attempt: () => ({}) },
  ...['firstSteps.read', 'demo.read', 'installation.problems'].map(
    (procedure): Row => ({ rest: [], procedure, expected: same(200), attempt: () => ({}) }),
  ),
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
      const body = { name: `Integração ${next()}`, expires_in_days: 30, scope: 'read' as const }
      return { body, input: body }
    },
  },
  {
    rest: ['DELETE /tokens/{id}'],
    procedure: 'tokens.revoke',
    expected: same(200),
    attempt: async ({ testApp }, _, { id }) => onPath((await testApp.make.apiToken({ user_id: id })).id),
  },
  {
    rest: [],
    procedure: 'account.closeSession',
    expected: same(200),
    async attempt({ testApp }, _, { id, token }) {
      const [session] = await testApp.kernel.ctx.sessions.listOf(id, token)
      return { input: { id: session?.id ?? 'a'.repeat(64) } }
    },
  },

  {
    rest: ['POST /users/me/confirm'],
    procedure: 'account.confirm',
    expected: same(200),
    attempt: () => ({ body: { password: PASSWORD }, input: { password: PASSWORD } }),
  },
  {
    rest: ['POST /users/me/end-sessions'],
    procedure: 'account.endAccess',
    expected: same(200),
    attempt: () => ({ body: {}, input: {} }),
  },
  { rest: [], procedure: 'account.factors', expected: same(200), attempt: () => ({}) },
  { rest: [], procedure: 'account.beginTotp', expected: same(200), attempt: () => ({}) },
  ...['account.renewRecoveryCodes', 'account.removeTotp'].map(
    (procedure): Row => ({ rest: [], procedure, expected: same(404), attempt: () => ({}) }),
  ),
  {
    rest: [],
    procedure: 'account.confirmTotp',
    expected: same(404),
    attempt: () => ({ input: { code: '123456' } }),
  },
  { rest: [], procedure: 'passkeys.begin', expected: same(200), attempt: () => ({}) },
  {
    rest: [],
    procedure: 'passkeys.add',
    expected: same(400),
    attempt: () => ({
      input: {
        name: 'Telefone',
        response: { ...PASSKEY, response: { clientDataJSON: 'e30', attestationObject: 'oA' } },
      },
    }),
  },
  {
    rest: [],
    procedure: 'passkeys.remove',
    expected: same(404),
    attempt: () => ({ input: { id: 1_000_000 } }),
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
    attempt: async (fixture, place, who) => onPath((await technicianAt(fixture, place, who)).id),
  },
  {
    rest: ['POST /users'],
    procedure: 'users.open',
    expected: { ...ADMINS, manager: [200, 200, 403] },
    async attempt({ companies, testApp }, place) {
      const boss = await testApp.make.user({ role: 'admin', company_id: companies[place].id })
      const body = person(companies[place].id, boss.id)
      return { body, input: body }
    },
  },
  {
    rest: ['PATCH /users/{id}', 'PUT /users/{id}'],
    procedure: 'users.change',
    expected: ledWriting([200, 403, 404]),
    attempt: async (fixture, place, who) =>
      onPath((await technicianAt(fixture, place, who)).id, { department: 'Oficina' }),
  },
  {
    rest: ['DELETE /users/{id}'],
    procedure: 'users.remove',
    expected: written([403, 403, 404]),
    attempt: async (fixture, place, who) => onPath((await technicianAt(fixture, place, who)).id),
  },
  {
    rest: ['DELETE /users/{id}/second-factor'],
    procedure: 'users.removeFactors',
    expected: ADMINS,
    attempt: async (fixture, place, who) => onPath((await technicianAt(fixture, place, who)).id),
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
    expected: ledWriting([200, 200, 404]),
    attempt: ({ companies }, place) => onPath(companies[place].id, { city: `Santos ${next()}` }),
  },
  {
    // The own company always has a tie: the caller is one of its users.
    rest: ['DELETE /companies/{id}'],
    procedure: 'companies.remove',
    expected: written([403, 403, 404], [409, 200, 200]),
    async attempt({ companies, testApp }, place) {
      if (place === 'own') return onPath(companies.own.id)
      const parent = place === 'filial' && { parent_id: companies.own.id }
      return onPath((await testApp.make.company({ ...parent })).id)
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
    rest: ['POST /brands'],
    procedure: 'brands.open',
    expected: ADMINS,
    attempt: ({ brand }) => {
      const body = { display_name: 'Peugeot', slug: `peugeot-${next()}`, copy_from: brand.id }
      return { body, input: body }
    },
  },
  {
    rest: ['POST /brands/import'],
    procedure: 'brands.import',
    expected: ADMINS,
    attempt: () => {
      const brand = { ...NEW_BRAND_RULES, code: 'kia', display_name: 'Kia', is_sample: false }
      const body = { dry_run: true, file: { format: 'garantia-marcas', version: 1, brands: [brand] } }
      return { body, input: body }
    },
  },
  {
    rest: [],
    procedure: 'brands.use',
    expected: ADMINS,
    attempt: ({ brand }) => ({ input: { id: brand.id } }),
  },
  {
    rest: ['POST /brands/initialize'],
    procedure: 'brands.initialize',
    expected: ADMINS,
    attempt: () => ({}),
  },
]
