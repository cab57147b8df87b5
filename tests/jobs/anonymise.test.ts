import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readClaim } from '@garantia/server/features/claims/claim'
import { verifyChains } from '@garantia/server/features/records/chain'
import { confirmDossier, houseKeys } from '@garantia/server/features/records/dossier'
import { verifyStorage } from '@garantia/server/features/records/integrity'
import { anonymise } from '@garantia/server/features/records/privacy'
import { recordEvent } from '@garantia/server/kernel'
import { verifyDossier } from '@garantia/shared/dossier/verify'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { startWorker } from '@garantia/worker'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callProcedure } from '../api/procedures.ts'
import { nodeCryptography, sha256Hex } from '../support/node-cryptography.ts'
import { contentsIn, openSealed } from '../support/sealed-dossier.ts'
import { startTestApp } from '../support/test-app.ts'
import { claimNaming } from './claim-texts.ts'
import { operatorCommand } from './process.ts'

const testApp = await startTestApp()
const { ctx } = testApp.kernel
const run = promisify(execFile)
const boss = await testApp.as(await testApp.make.user({ is_superuser: true, full_name: 'Ana Diretora' }))
const admin = await testApp.as(await testApp.make.user({ role: 'admin', full_name: 'Bia Gerente' }))

const NAME = 'Eufrásio Quintiliano Bragança'
const OTHER = 'Genoveva Portocarrero Lins'
const CUSTOMER = {
  customer_name: NAME,
  customer_document: '52998224725',
  customer_phone: '11987650099',
  customer_email: 'eufrasio@braganca.exemplo.br',
}
/** With the pseudonym longer than a mark may be. */
const MARK_TEXT = `${NAME}: 11987650099, 11987650099`
/** Every way in which the customer could be left behind, as a regular expression over folded text. */
const TRACE = /eufrasio|quintiliano|braganca|529[.\s]?982[.\s]?247[-\s]?25|98765-?0099/
const OTHER_TRACE = /genoveva portocarrero/

let worker: Awaited<ReturnType<typeof startWorker>>
let order_id: number
let other_id: number
let dossier: Map<string, Buffer>
let fingerprint = ''
let claim_id: number

beforeAll(async () => {
  const company = await testApp.make.company()
  const order = await testApp.make.order({ company_id: company.id, status: 'in_progress', ...CUSTOMER })
  const other = await testApp.make.order({
    company_id: company.id,
    brand_id: order.brand_id,
    customer_name: OTHER,
    customer_document: '11144477735',
  })
  order_id = order.id
  other_id = other.id
  await recordEvent(ctx, { subject: 'order', subject_id: order_id, kind: 'opened', changes: CUSTOMER })
  await recordEvent(ctx, {
    subject: 'order',
    subject_id: other_id,
    kind: 'opened',
    changes: { customer_name: OTHER },
  })
  for (const [id, name] of [
    [order_id, NAME],
    [other_id, OTHER],
  ] as const) {
    const file = Buffer.from(`picture of ${id}`)
    const {
      sha256,
      original_filename,
      id: evidence_id,
    } = await testApp.make.converted(
      { order_id: id, original_filename: `rg ${name}.jpg`, description: `Documento de ${name}` },
      file,
    )
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: id,
      kind: 'evidence.uploaded',
      changes: { evidence_id, sha256, filename: original_filename },
    })
    const marks = [{ kind: 'text', at: { x: 0.5, y: 0.5 }, text: name === NAME ? MARK_TEXT : name }]
    await ctx.db
      .updateTable('evidence_files')
      .set({ marks: JSON.stringify(marks) })
      .where('id', '=', evidence_id)
      .execute()
    await recordEvent(ctx, {
      subject: 'order',
      subject_id: id,
      kind: 'evidence.marked',
      changes: { evidence_id, marks: [[], marks] },
    })
    await boss.api('PATCH', `/service-orders/${id}`, { diagnosis: `${name} ouviu um ruído.` })
    await callProcedure(testApp, boss.token, 'comments.add', {
      id,
      comment: id === order_id ? `${name} ligou do (11) 98765-0099` : `${name} ligou`,
    })
  }
  claim_id = await claimNaming(testApp, order_id, NAME)
  await claimNaming(testApp, other_id, OTHER)
  const text = `Olá, ${NAME}`
  await ctx.db
    .insertInto('mails')
    .values([
      { recipient: CUSTOMER.customer_email, subject: 'OS', html: `<p>${text}</p>`, body: text },
      { recipient: 'a@b.co', subject: OTHER, html: 'x', body: 'x' },
    ])
    .execute()
  await boss.api('GET', `/service-orders/export?format=csv&search=${encodeURIComponent(NAME)}`)
  worker = await startWorker(testApp.kernel)
  dossier = await builtDossier(order_id)
  await builtDossier(other_id)
  fingerprint = sha256Hex(dossier.get('manifesto.json') ?? Buffer.alloc(0))
}, 240_000)
afterAll(async () => {
  await worker.stop()
  await testApp[Symbol.asyncDispose]()
})

async function builtDossier(id: number) {
  const path = `/service-orders/${id}/dossier`
  const { n } = (await boss.api('POST', path)).json()
  for (;;) {
    const [newest] = (await boss.api('GET', path)).json().data
    if (newest.status === 'failed') throw new Error(newest.error)
    if (newest.status === 'sealed') break
    await wait(100)
  }
  return openSealed((await boss.api('GET', `${path}/${n}/download`)).rawPayload as Buffer<ArrayBuffer>)
}

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Every row of every table, as text, that this pattern is found in. */
async function rowsWith(pattern: RegExp) {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(
    ctx.db,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(ctx.db)
    found.push(...rows.filter(({ row }) => pattern.test(folded(row))).map(() => name))
  }
  return found
}

/** Every stored file that this pattern is found in, inside of ZIPs and reports too. */
async function filesWith(pattern: RegExp) {
  const entries = await readdir(testApp.dir, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const texts = [entry.name, (await readFile(path)).toString('latin1'), (await readFile(path)).toString()]
    if (/\.(zip|pptx)$/.test(path))
      texts.push((await run('unzip', ['-p', path], { maxBuffer: 1 << 28, encoding: 'latin1' })).stdout)
    if (texts.some((text) => pattern.test(folded(text)))) found.push(path)
  }
  return found
}

const call = (who: { token: string }, procedure: string, input?: unknown) =>
  callProcedure(testApp, who.token, procedure, input)
const newestStatus = async () => {
  const { data } = await call(boss, 'privacy.requests')
  return (data as { status: string }[])[0]?.status
}
const request = async (input: object) =>
  (await call(boss, 'privacy.anonymise', { confirmation: 'ANONIMIZAR', ...input })).data as {
    id: number
    pseudonym: string
  }
const SUBJECT = { by: 'document', value: '529.982.247-25' }

describe('anonymising a customer (D-85)', () => {
  test('shows first what the house has, and what prevents it', async () => {
    expect((await rowsWith(TRACE)).length).toBeGreaterThan(8)
    const { data } = await call(admin, 'privacy.find', SUBJECT)
    expect(data).toMatchObject({
      orders: [{ id: order_id, blocked: 'ainda em andamento' }],
      files: 1,
      dossiers: 1,
      mails: 1,
    })
    const refused = await call(admin, 'privacy.anonymise', { ...SUBJECT, confirmation: 'ANONIMIZAR' })
    expect(refused.error?.data).toMatchObject({ http_status: 409 })
    const forced = await call(admin, 'privacy.anonymise', {
      ...SUBJECT,
      confirmation: 'ANONIMIZAR',
      reason: 'Pedido do titular',
    })
    expect(forced.error?.data).toMatchObject({ http_status: 403 })
  })

  test('leaves no trace in database and storage, of nobody else anything is lost, and all proofs stay valid', async () => {
    const others = (await rowsWith(OTHER_TRACE)).sort()
    const data = await request({ ...SUBJECT, reason: `Pedido de ${NAME}` })
    await expect.poll(newestStatus).toBe('done')
    expect(await rowsWith(TRACE)).toEqual([])
    expect(await filesWith(TRACE)).toEqual([])
    expect((await rowsWith(OTHER_TRACE)).sort()).toEqual(others)

    expect((await boss.api('GET', `/service-orders/${order_id}`)).json()).toMatchObject({
      customer_name: data.pseudonym,
      customer_document: null,
      diagnosis: `${data.pseudonym} ouviu um ruído.`,
    })
    const { evidence_files } = (await boss.api('GET', `/evidence/${order_id}/evidence`)).json()
    const { pseudonym } = data
    expect(evidence_files.flatMap(({ marks }: EvidenceFile) => marks)).toMatchObject([
      { kind: 'text', text: `${pseudonym}: ${pseudonym}, ${pseudonym}`.slice(0, 60) },
    ])
    expect(await readClaim(ctx, claim_id)).toMatchObject({
      note: `${data.pseudonym} pediu`,
      lines: [{ description: `Táxi de ${data.pseudonym}`, claimed: 10, paid: 5 }],
      decisions: [{ brand_words: `Falta a assinatura de ${data.pseudonym}` }, {}],
      entries: [{}, { reason: `Acordo com ${data.pseudonym}` }],
    })
    const { faults } = await verifyChains(ctx)
    expect(faults).toEqual([])
    expect((await verifyStorage(ctx)).faults).toEqual([])
  })

  test('a dossier that was handed out before still verifies, and is confirmed', async () => {
    const keys = houseKeys(ctx).map(({ public_key_pem }) => public_key_pem)
    const { findings } = verifyDossier(contentsIn(dossier, true), keys, nodeCryptography)
    expect(findings).toEqual([])
    expect(await confirmDossier(ctx, fingerprint)).toMatchObject({ key_id: expect.any(String) })
  })

  test('the next version is made, and compared with the one that lost its name', async () => {
    const manifest = JSON.parse((await builtDossier(order_id)).get('manifesto.json')?.toString() ?? '')
    expect(manifest).toMatchObject({ previous: { added: [], removed: [], manifest_sha256: fingerprint } })
    expect(await filesWith(TRACE)).toEqual([])
  })

  test('a redaction at another moment than an anonymisation is found', async () => {
    await sql`update events set redacted_at = redacted_at + interval '1 second'
      where subject = 'order' and subject_id = ${order_id} and redacted_at is not null and seq = 1`.execute(
      testApp.owner.db,
    )
    const { faults } = await verifyChains(ctx, order_id)
    expect(faults.map(({ problem }) => problem)).toContain('valores removidos de uma OS que existe')
  })
})

test('an anonymisation that is done again changes nothing (D-85)', async () => {
  const phone = { customer_name: 'Hermenegildo Farias', customer_phone: '11987650088' }
  const closed = { ...phone, status: 'cancelled', cancelled_at: new Date() } as const
  const ids = [(await testApp.make.order(closed)).id, (await testApp.make.order(closed)).id]
  const data = await request({ by: 'phone', value: '11 98765-0088' })
  await expect.poll(newestStatus).toBe('done')
  // Done again, nothing changes: one event of each order.
  await anonymise(ctx, data.id)
  const events = await ctx.db
    .selectFrom('events')
    .where('subject', '=', 'order')
    .where('subject_id', 'in', ids)
    .where('kind', '=', 'anonymised')
    .select('subject_id')
    .execute()
  expect(events).toHaveLength(2)
  expect(await rowsWith(/hermenegildo|98765-?0088/)).toEqual([])
})

test('the operator anonymises by command, after a look at what would be', async () => {
  await testApp.make.order({ customer_name: 'Ludovico Tavora', customer_email: 'ludo@tavora.exemplo.br' })
  const anonymised = (...options: string[]) =>
    operatorCommand(testApp, ['lgpd-anonimizar', 'email', 'ludo@tavora.exemplo.br', ...options])
  const look = await anonymised('--simular')
  expect([look.code, look.out]).toEqual([0, expect.stringContaining('ainda em andamento')])
  expect((await rowsWith(/ludovico tavora/)).length).toBeGreaterThan(0)
  const done = await anonymised('--motivo', 'Pedido do titular')
  expect([done.code, done.out]).toEqual([0, expect.stringContaining('Anonimizado como «Titular ')])
  expect(await rowsWith(/ludovico|tavora/)).toEqual([])
  expect((await anonymised('--simular')).code).toBe(3)
})
