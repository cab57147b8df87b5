import { revokeGuestLink } from '@garantia/server/features/evidence/guest-links'
import { guestUploadResult, guestView } from '@garantia/shared/evidence/guest-link'
import { guestHeaders, guestOf, linkInput } from '../support/guest-link.ts'
import { picture } from '../support/make.ts'
import type { Caller, TestApp } from '../support/test-app.ts'
import { chunkHeaders, creationHeaders, TUS } from '../support/tus.ts'
import { type MatrixFixture, orderAt, READ, type Row, same } from './matrix-fixture.ts'
import type { Attempt } from './upload-rows.ts'

const FILE = { filename: 'foto.jpg', category: 'placa' }
const superuser = async (testApp: TestApp) => testApp.as(await testApp.make.user({ is_superuser: true }))

/** A link for an order, an upload that was begun by it, and a thumbnail that came by it. */
export async function linkWithFiles(testApp: TestApp, size = 1_000, maker?: Caller) {
  const { id: order_id } = await testApp.make.order()
  const made = await guestOf(testApp, maker ?? (await superuser(testApp)), order_id)
  const begun = await made.guest.api('POST', '/guest/uploads', undefined, creationHeaders(size, FILE))
  if (begun.statusCode !== 201) throw new Error(`${begun.statusCode} ${begun.body}`)
  const upload = String(begun.headers.location).replace('/api/v1', '')
  const file = await testApp.make.evidence({ order_id, guest_link_id: made.link.id })
  await testApp.kernel.ctx.db
    .updateTable('evidence_files')
    .set({ preview_key: file.original_key })
    .where('id', '=', file.id)
    .execute()
  const [, , sent_as = ''] = file.original_key.split('/')
  return { ...made, order_id, upload, thumbnail: `/guest/files/${sent_as}/thumbnail`, file_id: sent_as }
}

const byGuest = (call: string, status: number, attempt: Row['attempt']): Row => ({
  rest: [call],
  anonymous: status,
  expected: same(status),
  attempt,
})
/** Who is signed in matters to nobody here: the link says who calls. */
export const GUEST_MATRIX: Row[] = [
  byGuest('GET /guest', 200, async ({ testApp }) => {
    const { link } = await linkWithFiles(testApp)
    return { headers: guestHeaders(link.token) }
  }),
  byGuest('GET /guest/files/{id}/thumbnail', 200, async ({ testApp }) => {
    const { link, file_id } = await linkWithFiles(testApp)
    return { path: file_id, headers: guestHeaders(link.token) }
  }),
  byGuest('POST /guest/uploads', 201, async ({ testApp }) => {
    const { link } = await linkWithFiles(testApp)
    return { headers: { ...creationHeaders(1_000, FILE), ...guestHeaders(link.token) } }
  }),
  byGuest('HEAD /guest/uploads/{id}', 200, async ({ testApp }) => ofUpload(testApp, TUS)),
  byGuest('DELETE /guest/uploads/{id}', 204, async ({ testApp }) => ofUpload(testApp, TUS)),
  byGuest('PATCH /guest/uploads/{id}', 200, async ({ testApp }) => {
    const body = await picture()
    return { body, ...(await ofUpload(testApp, chunkHeaders(0), body.length)) }
  }),
  {
    rest: [],
    procedure: 'guestLinks.list',
    expected: READ,
    attempt: async (fixture, place) => ({ input: { order_id: await orderAt(fixture, place) } }),
  },
  {
    rest: [],
    procedure: 'guestLinks.make',
    expected: READ,
    attempt: async (fixture, place) => ({ input: linkInput(await orderAt(fixture, place)) }),
  },
  {
    rest: [],
    procedure: 'guestLinks.revoke',
    expected: READ,
    attempt: async (fixture, place) => ({ input: { id: await linkAt(fixture, place) } }),
  },
]
async function ofUpload(testApp: TestApp, headers: Record<string, string>, size?: number) {
  const { link, upload } = await linkWithFiles(testApp, size)
  return { path: upload.split('/').at(-1) ?? '', headers: { ...headers, ...guestHeaders(link.token) } }
}
async function linkAt(fixture: MatrixFixture, place: Parameters<typeof orderAt>[1]) {
  const { link } = await guestOf(
    fixture.testApp,
    await superuser(fixture.testApp),
    await orderAt(fixture, place),
  )
  return link.id
}

/** One row per call: its request and its response. */
export async function guestContract(testApp: TestApp) {
  const content = await picture()
  const [whole, doomed] = [await linkWithFiles(testApp, content.length), await linkWithFiles(testApp)]
  const headers = guestHeaders(whole.link.token)
  return [
    { id: 'D-22', call: 'GET /guest' as const, path: '/guest', headers, reply: guestView },
    {
      id: 'D-22',
      call: 'GET /guest/files/{id}/thumbnail' as const,
      path: whole.thumbnail,
      headers,
      reply: 'file' as const,
    },
    {
      id: 'D-22',
      call: 'POST /guest/uploads' as const,
      path: '/guest/uploads',
      headers: { ...creationHeaders(1_000, FILE), ...headers },
      status: 201,
      reply: 'nothing' as const,
    },
    {
      id: 'D-22',
      call: 'HEAD /guest/uploads/{id}' as const,
      path: whole.upload,
      headers: { ...TUS, ...headers },
      reply: 'nothing' as const,
    },
    {
      id: 'D-22',
      call: 'PATCH /guest/uploads/{id}' as const,
      path: whole.upload,
      body: content,
      headers: { ...chunkHeaders(0), ...headers },
      reply: guestUploadResult,
    },
    {
      id: 'D-22',
      call: 'DELETE /guest/uploads/{id}' as const,
      path: doomed.upload,
      headers: { ...TUS, ...guestHeaders(doomed.link.token) },
      status: 204,
      reply: 'nothing' as const,
    },
  ]
}

/** Refusals of the calls by a link: one row per call and status. */
export function guestRefusals(testApp: TestApp): Record<string, () => Promise<Attempt>> {
  const as = testApp.anonymous
  const CALLS = {
    'GET /guest': { path: () => '/guest', headers: {} },
    'GET /guest/files/{id}/thumbnail': { path: pathOfThumbnail, headers: {} },
    'POST /guest/uploads': { path: () => '/guest/uploads', headers: creationHeaders(1_000, FILE) },
    'HEAD /guest/uploads/{id}': { path: pathOfUpload, headers: TUS },
    'PATCH /guest/uploads/{id}': { path: pathOfUpload, headers: chunkHeaders(0) },
    'DELETE /guest/uploads/{id}': { path: pathOfUpload, headers: TUS },
  }
  const rows: Record<string, () => Promise<Attempt>> = {}
  for (const [call, { path, headers }] of Object.entries(CALLS)) {
    const body = call.startsWith('PATCH') ? { body: 'x' } : {}
    rows[`${call} 404`] = async () => ({
      ...{ as, path: path(await linkWithFiles(testApp)), ...body },
      headers: { ...headers, ...guestHeaders('nenhum') },
    })
    rows[`${call} 403`] = async () => {
      const maker = await superuser(testApp)
      const made = await linkWithFiles(testApp, undefined, maker)
      await revokeGuestLink(maker.ctx, made.link.id)
      return { as, path: path(made), ...body, headers: { ...headers, ...guestHeaders(made.link.token) } }
    }
    rows[`${call} 429`] = async () => {
      const made = await linkWithFiles(testApp)
      await testApp.kernel.ctx.db
        .insertInto('attempts')
        .values({ bucket: `guest|${made.link.id}`, hits: 3_000, first_at: new Date() })
        .onConflict((conflict) => conflict.column('bucket').doUpdateSet({ hits: 3_000 }))
        .execute()
      return { as, path: path(made), ...body, headers: { ...headers, ...guestHeaders(made.link.token) } }
    }
  }
  const by = (made: { link: { token: string } }, path: string, headers: object, body?: unknown) => ({
    ...{ as, path, headers: { ...headers, ...guestHeaders(made.link.token) } },
    ...(body !== undefined && { body }),
  })
  const beginning = async (headers: object, body?: unknown) =>
    by(await linkWithFiles(testApp), '/guest/uploads', headers, body)
  const busy = async () => {
    const made = await linkWithFiles(testApp)
    const id = made.upload.split('/').at(-1)
    await testApp.kernel.ctx.advisoryLocks.acquire(`upload/${id}`, () => undefined, 0)
    return by(made, made.upload, TUS)
  }
  const unversioned = async () => {
    const made = await linkWithFiles(testApp)
    return by(made, made.upload, {})
  }
  const sending = async (headers: object, body: string, size?: number) => {
    const made = await linkWithFiles(testApp, size)
    return by(made, made.upload, headers, body)
  }
  return {
    ...rows,
    'GET /guest/files/{id}/thumbnail 422': async () =>
      by(await linkWithFiles(testApp), '/guest/files/abc/thumbnail', {}),
    'POST /guest/uploads 400': async () => {
      const { 'upload-length': _, ...rest } = creationHeaders(1_000, FILE)
      return beginning({ ...rest, 'upload-defer-length': '1' })
    },
    'POST /guest/uploads 409': async () => {
      const made = await linkWithFiles(testApp)
      await (await superuser(testApp)).api(
        'POST',
        `/service-orders/${made.order_id}/status/cancelled?reason=engano`,
      )
      return by(made, '/guest/uploads', creationHeaders(1_000, FILE))
    },
    'POST /guest/uploads 412': async () => beginning({}),
    'POST /guest/uploads 413': async () => beginning(creationHeaders(1_000_001, FILE)),
    'POST /guest/uploads 415': async () =>
      beginning({ ...creationHeaders(1_000, FILE), 'content-type': 'application/json' }, '{}'),
    'POST /guest/uploads 422': async () => beginning(creationHeaders(1_000, { ...FILE, category: 'chassi' })),
    'HEAD /guest/uploads/{id} 409': busy,
    'HEAD /guest/uploads/{id} 412': unversioned,
    'PATCH /guest/uploads/{id} 400': () => sending({ ...chunkHeaders(0), 'upload-length': '1000' }, 'x'),
    'PATCH /guest/uploads/{id} 409': () => sending(chunkHeaders(7), 'x'),
    'PATCH /guest/uploads/{id} 412': unversioned,
    'PATCH /guest/uploads/{id} 413': () => sending(chunkHeaders(0), 'mais do que dez', 10),
    'PATCH /guest/uploads/{id} 415': () =>
      sending({ ...chunkHeaders(0), 'content-type': 'application/json' }, '{}'),
    'PATCH /guest/uploads/{id} 422': async () =>
      by(await linkWithFiles(testApp), '/guest/uploads/abc', chunkHeaders(0), 'x'),
    'HEAD /guest/uploads/{id} 422': async () => by(await linkWithFiles(testApp), '/guest/uploads/abc', TUS),
    'DELETE /guest/uploads/{id} 409': busy,
    'DELETE /guest/uploads/{id} 412': unversioned,
    'DELETE /guest/uploads/{id} 422': async () => by(await linkWithFiles(testApp), '/guest/uploads/abc', TUS),
  }
}

const pathOfThumbnail = ({ thumbnail }: { thumbnail: string }) => thumbnail
const pathOfUpload = ({ upload }: { upload: string }) => upload
