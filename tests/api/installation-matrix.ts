import { openIncident } from '@garantia/server/features/records/compliance'
import { REGISTER_TEMPLATE } from '@garantia/shared/privacy/register'
import { sql } from 'kysely'
import { incident } from '../support/incident.ts'
import { ADMINS, type MatrixFixture, next, type Row, SUPERUSERS } from './matrix-fixture.ts'

/** An address that is told of nothing. */
async function anyWebhook({ testApp }: MatrixFixture) {
  const now = new Date()
  const { id } = await testApp.kernel.ctx.db
    .insertInto('webhooks')
    .values({
      url: 'https://a.example/',
      topics: ['order'],
      encrypted_secret: '',
      created_at: now,
      disabled_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The use cases of whoever answers for the installation: mail, trails, privacy, compliance, queue, webhooks. */
export const INSTALLATION_MATRIX: Row[] = [
  { rest: [], procedure: 'mail.list', expected: SUPERUSERS, attempt: () => ({}) },
  { rest: [], procedure: 'audit.list', expected: SUPERUSERS, attempt: () => ({ input: {} }) },
  { rest: [], procedure: 'audit.security', expected: SUPERUSERS, attempt: () => ({ input: {} }) },
  { rest: [], procedure: 'privacy.accesses', expected: ADMINS, attempt: () => ({ input: {} }) },
  { rest: [], procedure: 'privacy.requests', expected: ADMINS, attempt: () => ({}) },
  {
    rest: [],
    procedure: 'privacy.find',
    expected: ADMINS,
    attempt: () => ({ input: { by: 'phone', value: '(11) 98765-4321' } }),
  },
  {
    rest: [],
    procedure: 'privacy.export',
    expected: ADMINS,
    async attempt({ testApp }) {
      await testApp.make.order({ customer_phone: '11987650002' })
      return { input: { by: 'phone', value: '11987650002' } }
    },
  },
  {
    rest: [],
    procedure: 'privacy.address',
    expected: ADMINS,
    async attempt({ testApp }, _, who) {
      const { db } = testApp.kernel.ctx
      const row = {
        kind: 'export',
        searched_by: 'phone',
        pseudonym: 'Titular',
        orders: [],
        status: 'done',
        user_id: who.id,
        actor_name: 'Ana',
        created_at: new Date(),
        expires_at: new Date(Date.now() + 60_000),
        ...{ key: `titulares/${next()}`, size: 1, sha256: 'a'.repeat(64) },
      }
      const { id } = await db
        .insertInto('privacy_requests')
        .values(row)
        .returning('id')
        .executeTakeFirstOrThrow()
      return { input: { id } }
    },
  },
  {
    rest: [],
    procedure: 'privacy.anonymise',
    expected: ADMINS,
    async attempt({ testApp }) {
      const order = { customer_phone: '11987650001', status: 'cancelled', cancelled_at: new Date() } as const
      await testApp.make.order(order)
      return { input: { by: 'phone', value: '11987650001', confirmation: 'ANONIMIZAR' } }
    },
  },
  { rest: [], procedure: 'compliance.register', expected: ADMINS, attempt: () => ({ input: {} }) },
  {
    rest: [],
    procedure: 'compliance.saveRegister',
    expected: ADMINS,
    async attempt({ testApp }) {
      const found = await testApp.kernel.ctx.db
        .selectFrom('processing_registers')
        .select(({ fn }) => fn.max('version').as('version'))
        .executeTakeFirstOrThrow()
      return { input: { version: found.version ?? 0, content: REGISTER_TEMPLATE } }
    },
  },
  { rest: [], procedure: 'compliance.incidents', expected: ADMINS, attempt: () => ({}) },
  {
    rest: [],
    procedure: 'compliance.openIncident',
    expected: ADMINS,
    attempt: () => ({ input: incident() }),
  },
  {
    rest: [],
    procedure: 'compliance.changeIncident',
    expected: ADMINS,
    async attempt({ testApp }) {
      const { id } = await openIncident(testApp.kernel.ctx, incident())
      return { input: { id, version: 1, content: incident({ is_closed: true }) } }
    },
  },
  { rest: [], procedure: 'compliance.customerRetention', expected: ADMINS, attempt: () => ({}) },
  {
    rest: [],
    procedure: 'compliance.setCustomerRetention',
    expected: ADMINS,
    attempt: () => ({ input: { months: 60 } }),
  },
  {
    rest: [],
    procedure: 'compliance.switchCustomerRetention',
    expected: SUPERUSERS,
    async attempt({ testApp }) {
      const set = await testApp.kernel.ctx.db
        .selectFrom('customer_retention')
        .select('months')
        .executeTakeFirst()
      return { input: { months: set?.months ?? 60, is_applied: false } }
    },
  },
  { rest: ['GET /security-log/export'], expected: SUPERUSERS, attempt: () => ({}) },
  { rest: [], procedure: 'quota.usage', expected: ADMINS, attempt: () => ({}) },
  { rest: [], procedure: 'quota.brands', expected: ADMINS, attempt: () => ({}) },
  { rest: [], procedure: 'installation.findings', expected: SUPERUSERS, attempt: () => ({}) },
  { rest: [], procedure: 'installation.queue', expected: SUPERUSERS, attempt: () => ({}) },
  { rest: [], procedure: 'webhooks.list', expected: SUPERUSERS, attempt: () => ({}) },
  {
    rest: [],
    procedure: 'webhooks.create',
    expected: SUPERUSERS,
    attempt: () => ({ input: { url: 'https://a.example/', topics: ['order'], company_id: null } }),
  },
  ...(['messages', 'resend'] as const).map((call) => ({
    rest: [],
    procedure: `webhooks.${call}`,
    expected: SUPERUSERS,
    attempt: async (fixture: MatrixFixture) => ({ input: { webhook_id: await anyWebhook(fixture) } }),
  })),
  {
    rest: [],
    procedure: 'webhooks.remove',
    expected: SUPERUSERS,
    attempt: async (fixture) => ({ input: { id: await anyWebhook(fixture) } }),
  },
  {
    rest: [],
    procedure: 'installation.pause',
    expected: SUPERUSERS,
    async attempt({ testApp }) {
      await testApp.kernel.ctx.db.deleteFrom('queue_pause').execute()
      return {}
    },
  },
  {
    rest: [],
    procedure: 'installation.resume',
    expected: SUPERUSERS,
    async attempt({ testApp }) {
      await sql`insert into queue_pause default values on conflict do nothing`.execute(testApp.kernel.ctx.db)
      return {}
    },
  },
  {
    rest: [],
    procedure: 'installation.retry',
    expected: SUPERUSERS,
    async attempt({ testApp }) {
      const { rows } = await sql<{ id: number }>`
        select id from graphile_worker.add_job('sweep-sessions', '{}', run_at => now() + interval '1 day')`.execute(
        testApp.kernel.ctx.db,
      )
      return { input: { job_id: Number(rows[0]?.id) } }
    },
  },
  {
    rest: [],
    procedure: 'mail.one',
    expected: SUPERUSERS,
    async attempt({ testApp }) {
      const mail = { recipient: 'a@b.co', subject: 'x', html: 'x', body: 'x' }
      const { db } = testApp.kernel.ctx
      return { input: await db.insertInto('mails').values(mail).returning('id').executeTakeFirstOrThrow() }
    },
  },
]
