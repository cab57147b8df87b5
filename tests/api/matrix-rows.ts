import type { OrderStatus } from '@garantia/shared/orders/status'
import { picture } from '../support/make.ts'
import { multipart } from '../support/test-app.ts'
import { ARCHIVE_MATRIX } from './archive-rows.ts'
import { CLAIM_MONEY_MATRIX } from './claim-money-rows.ts'
import { CLAIM_MATRIX } from './claim-rows.ts'
import { DEADLINE_MATRIX } from './deadline-rows.ts'
import { GUEST_MATRIX } from './guest-rows.ts'
import { IMPORT_MATRIX } from './import-rows.ts'
import { INSTALLATION_MATRIX } from './installation-matrix.ts'
import { LIST_MATRIX } from './list-rows.ts'
import { LOGO_MATRIX } from './logo-rows.ts'
import {
  ABSENT,
  ALL,
  type CompanyRelation,
  type Expected,
  type MatrixFixture,
  next,
  onPath,
  orderAt,
  READ,
  type Row,
  type TestUser,
  written,
} from './matrix-fixture.ts'
import { PEOPLE_MATRIX } from './people-matrix.ts'
import { UPLOAD_MATRIX } from './upload-rows.ts'

/** One transition of the status machine, by the specified call and by the procedure. */
const moved = (from: OrderStatus, to: OrderStatus, expected: Expected): Row => ({
  rest: ['POST /service-orders/{id}/status/{status}'],
  procedure: 'orders.setStatus',
  expected,
  async attempt(fixture, place) {
    const id = await orderAt(fixture, place, from)
    const input = { id, status: to, reason: 'motivo', accepts_problems: true }
    return { path: `${id}/status/${to}?reason=motivo`, input }
  },
})
const ofOrder = async (fixture: MatrixFixture, place: CompanyRelation) => {
  const order_id = await orderAt(fixture, place)
  await fixture.testApp.make.converted({ order_id })
  const { id } = await fixture.testApp.make.evidence({ order_id })
  return { path: String(order_id), input: { id: order_id, order_id }, evidence_id: id }
}
const ofFile = async (
  fixture: MatrixFixture,
  place: CompanyRelation,
  who: TestUser,
  state: 'evidence' | 'converted' = 'evidence',
) => {
  const order_id = await orderAt(fixture, place)
  const { id } = await fixture.testApp.make[state]({ order_id, uploaded_by: who.id })
  return { path: String(id), input: { id, evidence_id: id } }
}

/**
 * Every use case of the product once, with D-38's expected status; a test fails for a call that is missing
 * here.
 */
export const MATRIX: Row[] = [
  ...PEOPLE_MATRIX,
  ...INSTALLATION_MATRIX,
  ...LIST_MATRIX,
  ...IMPORT_MATRIX,
  ...LOGO_MATRIX,
  ...ARCHIVE_MATRIX,
  ...CLAIM_MATRIX,
  ...DEADLINE_MATRIX,
  ...CLAIM_MONEY_MATRIX,
  {
    rest: ['GET /service-orders/{id}'],
    procedure: 'orders.one',
    expected: READ,
    attempt: async (fixture, place) => onPath(await orderAt(fixture, place)),
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
    attempt: async (fixture, place) =>
      onPath(await orderAt(fixture, place), { vehicle_color: 'azul', reason: 'motivo' }),
  },
  {
    rest: ['DELETE /service-orders/{id}'],
    procedure: 'orders.remove',
    expected: written([200, 200, 404]),
    attempt: async (fixture, place) => onPath(await orderAt(fixture, place)),
  },
  {
    rest: [],
    procedure: 'orders.remove',
    expected: written([403, 403, 404]),
    attempt: async (fixture, place) => onPath(await orderAt(fixture, place, 'completed')),
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
    attempt: async (fixture, place) => {
      const id = await orderAt(fixture, place)
      return { path: String(id), input: { id } }
    },
  },
  ...['comments.list', 'comments.people'].map((procedure) => ({
    rest: [],
    procedure,
    expected: READ,
    attempt: async (scene: MatrixFixture, place: CompanyRelation) => ({
      input: { id: await orderAt(scene, place) },
    }),
  })),
  {
    rest: [],
    procedure: 'comments.add',
    expected: READ,
    attempt: async (scene, place) => ({ input: { id: await orderAt(scene, place), comment: 'Veja' } }),
  },
  {
    rest: [],
    procedure: 'orders.reveal',
    expected: READ,
    attempt: async (scene, place) => ({
      input: { id: await orderAt(scene, place), fields: ['vehicle_chassis'] },
    }),
  },
  {
    rest: [],
    procedure: 'orders.sheet',
    expected: READ,
    attempt: async (scene, place) => ({ input: { id: await orderAt(scene, place), sheet: 'capa' } }),
  },
  {
    rest: [],
    procedure: 'orderList.related',
    expected: READ,
    attempt: async (scene, place) => ({ input: { id: await orderAt(scene, place) } }),
  },
  {
    rest: ['GET /service-orders/{id}/allowed-transitions'],
    expected: READ,
    attempt: async (fixture, place) => onPath(await orderAt(fixture, place)),
  },
  {
    rest: [],
    procedure: 'orders.technicians',
    expected: READ,
    attempt: ({ companies }, place) => ({ input: { company_id: companies[place].id } }),
  },
  {
    rest: [],
    procedure: 'orders.assignees',
    expected: READ,
    attempt: ({ companies }, place) => ({ input: { company_ids: [companies[place].id] } }),
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
    async attempt(fixture, place) {
      const files = multipart([{ name: 'files', filename: 'a.jpg', content: await picture() }])
      return { path: String(await orderAt(fixture, place)), ...files }
    },
  },
  ...UPLOAD_MATRIX,
  ...GUEST_MATRIX,
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
    rest: ['PATCH /evidence/{id}'],
    procedure: 'evidence.change',
    expected: READ,
    async attempt(fixture, place, who) {
      const { path, input } = await ofFile(fixture, place, who)
      const body = { evidence_category: 'placa' }
      return { path, body, input: { ...input, change: body } }
    },
  },
  {
    rest: ['PATCH /evidence/{id}/evidence'],
    procedure: 'evidence.changeMany',
    expected: READ,
    async attempt(fixture, place) {
      const { path, input, evidence_id } = await ofOrder(fixture, place)
      const body = { changes: [{ id: evidence_id, evidence_category: 'placa' }] }
      return { path, body, input: { ...input, ...body } }
    },
  },
  {
    rest: ['PUT /evidence/{id}/rotation'],
    procedure: 'conversion.turn',
    expected: READ,
    async attempt(fixture, place, who) {
      const { path, input } = await ofFile(fixture, place, who)
      const body = { rotation: 90 }
      return { path, body, input: { ...input, ...body } }
    },
  },
  {
    rest: ['POST /evidence/{id}/capture-nonces'],
    procedure: 'evidence.issueNonces',
    expected: READ,
    async attempt(fixture, place) {
      const order_id = await orderAt(fixture, place)
      const body = { count: 1 }
      return { path: String(order_id), body, input: { order_id, ...body } }
    },
  },
  {
    rest: ['PUT /evidence/{id}/marks'],
    procedure: 'conversion.mark',
    expected: READ,
    async attempt(fixture, place, who) {
      const { path, input } = await ofFile(fixture, place, who)
      const body = { marks: [] }
      return { path, body, input: { ...input, ...body } }
    },
  },
  ...(
    [
      ['GET /evidence/{id}', 'evidence.one'],
      ['GET /evidence-conversion/{id}/status', 'conversion.status'],
      ['POST /evidence-conversion/{id}/convert', 'conversion.convert'],
      ['DELETE /evidence/{id}', 'evidence.remove'],
    ] as const
  ).map(([rest, procedure]): Row => ({ rest: [rest], procedure, expected: READ, attempt: ofFile })),
  {
    rest: ['POST /evidence/{id}/restore'],
    procedure: 'evidence.restore',
    expected: READ,
    async attempt(fixture, place, who) {
      const order_id = await orderAt(fixture, place)
      const { id } = await fixture.testApp.make.evidence({
        order_id,
        uploaded_by: who.id,
        deleted_at: new Date(),
      })
      return onPath(id)
    },
  },
  {
    rest: ['GET /evidence/{id}/download'],
    expected: READ,
    attempt: (fixture, place, who) => ofFile(fixture, place, who, 'converted'),
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
    async attempt(fixture, place) {
      const id = await orderAt(fixture, place)
      await fixture.testApp.make.dossier(id)
      return { path: `${id}/dossier/1` }
    },
  },
  { rest: [], procedure: 'retention.holdOf', expected: READ, attempt: ofOrder },
  { rest: [], procedure: 'live.address', expected: READ, attempt: ofOrder },
  { rest: [], procedure: 'orderList.around', expected: READ, attempt: ofOrder },
  ...(['retention.hold', 'retention.release'] as const).map(
    (procedure): Row => ({
      rest: [],
      procedure,
      expected: written([403, 403, 404]),
      attempt: async (fixture, place) => ({
        input: { id: await orderAt(fixture, place), reason: 'Processo 123' },
      }),
    }),
  ),
]
