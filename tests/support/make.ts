import { createHash, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type {
  ApiTokens,
  Brands,
  Companies,
  EvidenceFiles,
  PackageArchives,
  ServiceOrders,
  Users,
} from '@garantia/migrations/schema'
import type { Ctx } from '@garantia/server/kernel'
import { isCnpj } from '@garantia/shared/br/tax-id'
import type { ClaimState } from '@garantia/shared/claims/state'
import { API_TOKEN_PREFIX } from '@garantia/shared/tokens/schema'
import type { Insertable, Selectable } from 'kysely'
import sharp from 'sharp'

let serial = 0
const next = () => ++serial

/** A valid CNPJ, unique within this run. */
export function cnpj() {
  const body = String(10_000_000_000 + next()).padStart(12, '0')
  for (let digits = 0; digits < 100; digits++) {
    const whole = body + String(digits).padStart(2, '0')
    if (isCnpj(whole)) return whole
  }
  throw new Error('unreachable: two check digits always exist')
}

/** A small picture, unique by its description. */
export const picture = (format: 'jpeg' | 'png' = 'jpeg', width = 48, height = 32) =>
  sharp({ create: { width, height, channels: 3, background: '#c0392b' } })
    .withExif({ IFD0: { ImageDescription: `foto ${next()}` } })
    [format]()
    .toBuffer()

interface ClaimFields {
  order?: Pick<Selectable<ServiceOrders>, 'id' | 'company_id' | 'brand_id'>
  n?: number
  state?: ClaimState
  /** R$ of each line. */
  amounts?: number[]
  /** R$ that the brand authorised of each line; all of an accepted claim, and nothing of one that it refused. */
  authorised?: number[]
  brand_number?: string
}

/** Factories: each makes the parents it needs. */
export function makers(ctx: Ctx, owner: Ctx, password_hash: string) {
  const company = (fields: Partial<Insertable<Companies>> = {}): Promise<Selectable<Companies>> =>
    ctx.db
      .insertInto('companies')
      .values({
        trading_name: `Concessionária ${next()}`,
        legal_name: 'Concessionária de Teste Ltda',
        tax_id: cnpj(),
        type: fields.parent_id ? 'filial' : 'matriz',
        ...fields,
      })
      .returningAll()
      .executeTakeFirstOrThrow()

  const brand = (fields: Partial<Insertable<Brands>> = {}): Promise<Selectable<Brands>> =>
    ctx.db
      .insertInto('brands')
      .values({
        slug: `marca-${next()}`,
        display_name: 'Marca de Teste',
        max_file_size_mb: 10,
        max_video_count: 2,
        max_evidence_count: 20,
        accepted_video_formats: ['mp4'],
        accepted_image_formats: ['jpg'],
        naming_template: '{os}_{categoria}_{seq2}',
        ...fields,
      })
      .returningAll()
      .executeTakeFirstOrThrow()

  /** As one from before the trail recorded accounts. */
  const user = async (fields: Partial<Insertable<Users>> = {}): Promise<Selectable<Users>> => {
    const made = await ctx.db
      .insertInto('users')
      .values({
        email: `pessoa${next()}@exemplo.com.br`,
        full_name: 'Pessoa de Teste',
        role: 'technician',
        password_hash,
        company_id: 'company_id' in fields || fields.is_superuser ? null : (await company()).id,
        ...fields,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await owner.db.insertInto('unrecorded').values({ subject: 'user', subject_id: made.id }).execute()
    return made
  }

  const order = async (fields: Partial<Insertable<ServiceOrders>> = {}): Promise<Selectable<ServiceOrders>> =>
    ctx.db
      .insertInto('service_orders')
      .values({
        os_number: String(next() % 1_000_000).padStart(6, '0'),
        brand_id: fields.brand_id ?? (await brand()).id,
        company_id: fields.company_id ?? (await company()).id,
        ...(fields.status === 'completed' && { completed_at: new Date() }),
        ...(fields.status === 'cancelled' && { cancelled_at: new Date() }),
        ...fields,
      })
      .returningAll()
      .executeTakeFirstOrThrow()

  const store = (key: string, content: Buffer) =>
    ctx.scratch.within('fabrica', async (dir) => {
      const path = join(dir, 'objeto')
      await writeFile(path, content)
      await ctx.storage.moveIn(key, path)
    })

  /** An evidence row with its original really stored; the bytes are random unless given. */
  const evidence = async (
    fields: Partial<Insertable<EvidenceFiles>> = {},
    content: Buffer = Buffer.from(randomUUID()),
  ): Promise<Selectable<EvidenceFiles>> => {
    const order_id = fields.order_id ?? (await order()).id
    const original_key = `os/${order_id}/${randomUUID()}/original.jpg`
    await store(original_key, content)
    return ctx.db
      .insertInto('evidence_files')
      .values({
        order_id,
        file_type: 'image',
        format: 'jpeg',
        original_filename: `foto-${next()}.jpg`,
        original_key,
        file_size: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        crc32: crc32(content),
        ...fields,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  /** The same, converted: its copy is stored too. */
  const converted = async (
    fields: Partial<Insertable<EvidenceFiles>> = {},
    content: Buffer = Buffer.from(randomUUID()),
  ): Promise<Selectable<EvidenceFiles>> => {
    const { id, original_key } = await evidence(fields)
    const converted_key = original_key.replace('original.jpg', 'converted-1')
    await store(converted_key, content)
    return ctx.db
      .updateTable('evidence_files')
      .set({
        status: 'converted',
        attempt: 1,
        progress: 100,
        converted_key,
        converted_filename: `convertido-${next()}.jpg`,
        converted_format: 'jpeg',
        converted_size: content.length,
        converted_sha256: createHash('sha256').update(content).digest('hex'),
        converted_crc32: crc32(content),
        finished_at: new Date(),
        ...fields,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  /** An API token row, with the token itself. */
  const apiToken = async (fields: Partial<Insertable<ApiTokens>> = {}) => {
    const token = `${API_TOKEN_PREFIX}${randomUUID()}`
    const row = await ctx.db
      .insertInto('api_tokens')
      .values({
        user_id: fields.user_id ?? (await user()).id,
        name: `Token ${next()}`,
        prefix: token.slice(0, 15),
        token_hash: createHash('sha256').update(token).digest('hex'),
        expires_at: new Date(Date.now() + 86_400_000),
        ...fields,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { ...row, token }
  }

  /** A sealed version whose ZIP is really stored. */
  const dossier = async (order_id: number, n = 1, content: Buffer = Buffer.from(randomUUID())) => {
    const manifest = JSON.stringify({ files: [], of: randomUUID() })
    const manifest_sha256 = createHash('sha256').update(manifest).digest('hex')
    const { id } = await ctx.db
      .insertInto('dossiers')
      .values({
        order_id,
        n,
        actor_name: 'Pessoa de Teste',
        status: 'sealed',
        progress: 100,
        sealed_at: new Date(),
        manifest,
        manifest_sha256,
        chain_seq: 0,
        chain_hash: '0'.repeat(64),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const key = `os/${order_id}/${randomUUID()}/dossie.zip`
    await store(key, content)
    const sha256 = createHash('sha256').update(content).digest('hex')
    await ctx.db
      .insertInto('dossier_files')
      .values({ dossier_id: id, part: 'zip', key, size: content.length, sha256 })
      .execute()
    return { id, n, key, sha256, manifest_sha256 }
  }

  /** A ready ZIP with the packages of these orders, whose bytes are really stored. */
  const archive = async (
    user_id: number,
    orders: readonly { id: number; os_number: string }[],
    fields: Partial<Insertable<PackageArchives>> = {},
  ) => {
    const content = Buffer.from(randomUUID())
    const key = `pacotes/${next()}/${randomUUID()}/pacotes.zip`
    await store(key, content)
    return ctx.db
      .insertInto('package_archives')
      .values({
        user_id,
        status: 'ready',
        progress: 100,
        orders: JSON.stringify(
          orders.map(({ id, os_number }) => ({ id, os_number, folder: `os_${os_number}` })),
        ),
        bytes: content.length,
        key,
        size: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        expires_at: new Date(Date.now() + 86_400_000),
        ...fields,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  /** A claim with one line per amount; one that was not a draft was sent an hour ago. */
  const claim = async ({ state = 'draft', amounts = [100], authorised, ...fields }: ClaimFields = {}) => {
    const { id: order_id, company_id, brand_id } = fields.order ?? (await order())
    const { id } = await ctx.db
      .insertInto('claims')
      .values({ order_id, n: fields.n ?? 1, type: 'normal', company_id, brand_id, actor_name: 'Teste' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const lines = await ctx.db
      .insertInto('claim_lines')
      .values(
        amounts.map((claimed, index) => ({
          claim_id: id,
          n: index + 1,
          kind: 'third_party' as const,
          description: `Guincho ${index + 1}`,
          claimed,
        })),
      )
      .returning(['id', 'claimed'])
      .execute()
    const sent_at = state === 'draft' ? null : new Date(Date.now() - 3_600_000)
    await ctx.db
      .updateTable('claims')
      .set({
        state,
        sent_at,
        brand_number: fields.brand_number ?? null,
        withdrawn_at: state === 'withdrawn' ? new Date() : null,
        reconciled_at: state === 'reconciled' ? new Date() : null,
      })
      .where('id', '=', id)
      .execute()
    const isDecided = !['draft', 'sent', 'in_review', 'returned', 'withdrawn'].includes(state)
    for (const [index, line] of isDecided ? lines.entries() : [])
      await ctx.db
        .updateTable('claim_lines')
        .set({ authorised: authorised?.[index] ?? (state === 'rejected' ? 0 : line.claimed) })
        .where('id', '=', line.id)
        .execute()
    return { id, order_id, lines }
  }

  /** The same of an order with a package and its sealed dossier, so that it can be sent. */
  const sendableClaim = async (fields: ClaimFields = {}) => {
    const parent = fields.order ?? (await order())
    await ctx.db
      .updateTable('service_orders')
      .set((eb) => ({
        problem_description: eb.fn.coalesce('problem_description', eb.val('Ruído')),
        customer_name: eb.fn.coalesce('customer_name', eb.val('Cliente')),
        customer_phone: eb.fn.coalesce('customer_phone', eb.val('11987654321')),
        vehicle_model: eb.fn.coalesce('vehicle_model', eb.val('Modelo')),
      }))
      .where('id', '=', parent.id)
      .execute()
    await converted({ order_id: parent.id })
    await dossier(parent.id)
    return claim({ ...fields, order: parent })
  }

  /** The id of a claim whose mail to the brand failed for good; its dossier is one stored file. */
  const failedMail = async (fields: ClaimFields = {}, dossier_file?: Buffer) => {
    const parent =
      fields.order ??
      (await order({ brand_id: (await brand({ submission_email: 'analista@marca.exemplo' })).id }))
    const { id } = await claim({ state: 'sent', ...fields, order: parent })
    const { id: dossier_id } = await dossier(parent.id, 1, dossier_file)
    const mail = await ctx.db
      .insertInto('mails')
      .values({
        recipient: 'errado@marca.exemplo',
        subject: 'Solicitação',
        body: '',
        html: '',
        error: 'Recusado',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await ctx.db
      .insertInto('claim_submissions')
      .values({
        claim_id: id,
        n: 1,
        dossier_id,
        dossier_n: 1,
        channel: 'email',
        address: 'errado@marca.exemplo',
        mail_id: mail.id,
        mail_failed_at: new Date(),
        sent_at: new Date(),
        actor_name: 'Pessoa de Teste',
      })
      .execute()
    return id
  }

  return {
    company,
    brand,
    user,
    order,
    evidence,
    converted,
    apiToken,
    dossier,
    archive,
    claim,
    sendableClaim,
    failedMail,
  }
}
