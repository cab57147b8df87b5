import type { RegisterContent } from '@garantia/shared/privacy/register'
import type { Subject, SubjectKey } from '@garantia/shared/privacy/subject'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvents } from '../../../kernel/events.ts'
import { readRecorded } from '../../../kernel/storage/read-recorded.ts'
import type { ArchiveEntry } from '../../evidence/package/service.ts'
import { readRegister } from '../compliance/service.ts'
import { type SubjectData, subjectData } from './subject-data.ts'

/** What the cover of an answer says. */
export interface SubjectCover {
  at: Date
  searched_by: SubjectKey
  register: RegisterContent
  orders: { id: number; os_number: string; company: string; opened_at: Date }[]
  files: number
  bytes: number
  /** Files that are not stored as recorded, and are therefore not in the archive. */
  missing: string[]
}
export interface SubjectArchive {
  cover: SubjectCover
  entries: AsyncIterable<ArchiveEntry>
}

/**
 * The archive of a person's data: `dados.json`, then the originals and copies of each order, after which `onOrder` is
 * told. Rights are the caller's matter. An entry fails with 409 when a stored file has changed.
 */
export async function openSubjectArchive(
  ctx: Ctx,
  subject: Subject,
  ids: readonly number[],
  onOrder: (order_id: number) => Promise<void>,
): Promise<SubjectArchive> {
  const at = ctx.clock()
  const orders = await ctx.db
    .selectFrom('service_orders')
    .innerJoin('companies', 'companies.id', 'service_orders.company_id')
    .where('service_orders.id', 'in', [...ids])
    .select(['service_orders.id', 'os_number', 'trading_name as company', 'opened_at'])
    .orderBy('service_orders.id')
    .execute()
  const stored = await storedFiles(ctx, ids)
  const missing: string[] = []
  const present: typeof stored = []
  for (const file of stored)
    if ((await ctx.storage.size(file.key)) === file.size) present.push(file)
    else missing.push(file.name)
  const { content: register } = await readRegister({ ...ctx, actor: { kind: 'system' } })
  const data = await subjectData(ctx, subject, ids)
  const about = { gerado_em: at.toISOString(), procurado_por: subject, arquivos_ausentes: missing }
  const byOrder = Map.groupBy(present, ({ order_id }) => order_id)
  async function* entries(): AsyncGenerator<ArchiveEntry> {
    yield { name: 'dados.json', at, read: () => dataText(about, data) }
    for (const { id, os_number } of orders) {
      for (const file of byOrder.get(id) ?? [])
        yield {
          name: `os_${os_number}_${id}/${file.name}`,
          at: file.at,
          read: () => readRecorded(ctx.storage, file),
        }
      await onOrder(id)
    }
  }
  const bytes = present.reduce((sum, { size }) => sum + size, 0)
  const cover = { at, searched_by: subject.by, register, orders, files: present.length, bytes, missing }
  return { cover, entries: entries() }
}

/** The text of `JSON.stringify({ ...about, dados: data }, null, 2)`, row by row. */
async function* dataText(about: object, data: SubjectData) {
  yield Buffer.from(`${JSON.stringify(about, null, 2).slice(0, -2)},\n  "dados": {`)
  let place = ''
  for (const [name, rows] of Object.entries(data)) {
    yield Buffer.from(`${place}\n    ${JSON.stringify(name)}: [`)
    place = ','
    let row = ''
    for await (const one of rows) {
      yield Buffer.from(`${row}\n      ${JSON.stringify(one, null, 2).replaceAll('\n', '\n      ')}`)
      row = ','
    }
    yield Buffer.from(row === '' ? ']' : '\n    ]')
  }
  yield Buffer.from('\n  }\n}')
}

/** Originals and copies, those in the bin too, that retention has not deleted; the id makes names unique. */
async function storedFiles(ctx: Ctx, ids: readonly number[]) {
  const rows = await ctx.db
    .selectFrom('evidence_files')
    .where('order_id', 'in', [...ids])
    .where('purged_at', 'is', null)
    .select(['id', 'order_id', 'original_filename', 'original_key', 'file_size', 'crc32', 'uploaded_at'])
    .select(['converted_filename', 'converted_key', 'converted_size', 'converted_crc32'])
    .orderBy('id')
    .execute()
  return rows.flatMap((row) => {
    const { id, order_id, uploaded_at: at, converted_key, converted_size, converted_crc32 } = row
    const original = {
      ...{ order_id, at, name: `originais/${id}_${row.original_filename}`, key: row.original_key },
      ...{ size: row.file_size, crc32: row.crc32 },
    }
    if (!converted_key || !converted_size || converted_crc32 === null) return [original]
    const name = `copias/${id}_${row.converted_filename}`
    return [
      original,
      { order_id, at, name, key: converted_key, size: converted_size, crc32: converted_crc32 },
    ]
  })
}

/** Notes in the history of each order, and in the access log, that the person's data were put together. */
export function recordExport(ctx: Ctx, ids: readonly number[], details: { request_id?: number }) {
  return inTransaction(ctx, async (ctx) => {
    for (const order_id of ids) ctx.securityLog.note(ctx, { kind: 'subject.exported', order_id, details })
    await recordEvents(
      ctx,
      ids.map((subject_id) => ({ subject: 'order', subject_id, kind: 'privacy.exported', changes: details })),
    )
  })
}
