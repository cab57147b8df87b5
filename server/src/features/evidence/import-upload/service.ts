import { join } from 'node:path'
import { invalid } from '@garantia/shared/errors'
import { IMPORT_LIMITS, type ImportView } from '@garantia/shared/orders/import'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import type { UploadPart } from '../../../kernel/storage/storage.ts'
import { readCompany } from '../../catalogue/companies/service.ts'
import { type ImportFile, keepImportFile } from '../../orders/import/service.ts'
import { spool } from '../files/service.ts'
import { type AnnouncedForm, announceForm } from '../quota/service.ts'

/**
 * Takes a CSV or XLSX file with orders of a company and queues its reading. A file that the company has sent before is
 * that import again, with what became of it. 403 without permission; 404 outside the caller's scope; otherwise as
 * `receiveSheet`.
 */
export async function receiveImport(
  ctx: Ctx,
  company_id: number,
  parts: AsyncIterable<UploadPart>,
  length: number | null = null,
): Promise<ImportView> {
  authorizeSome(ctx.actor, 'order.import')
  await readCompany(ctx, company_id)
  authorize(ctx.actor, 'order.import', { company_id })
  return receiveSheet(ctx, company_id, { parts, length }, (file) => keepImportFile(ctx, company_id, file))
}

interface Sent {
  parts: AsyncIterable<UploadPart>
  /** Of the request; null when unknown. */
  length: number | null
}
/**
 * Hands over the first file of a form, a CSV or XLSX for a company, while it is on the local disk. Whether the caller
 * may is the caller's to check. 413 over 10 MB; 422 without a file; 429 or 507 as `announce`.
 */
export async function receiveSheet<Kept>(
  ctx: Ctx,
  company_id: number,
  { parts, length }: Sent,
  keep: (file: ImportFile) => Promise<Kept>,
): Promise<Kept> {
  const form = await announceForm(ctx, { company_id }, length)
  try {
    return await ctx.scratch.within('planilha', async (dir) => keep(await firstFile(dir, parts, form)))
  } finally {
    await form.end()
  }
}

async function firstFile(dir: string, parts: AsyncIterable<UploadPart>, { arrived }: AnnouncedForm) {
  for await (const part of parts) {
    if (part.kind === 'field') continue
    const limit = IMPORT_LIMITS.bytes
    const file = await spool(join(dir, 'arquivo'), plainFilename(part.filename), part, { limit, arrived })
    if (file.size === 0) throw invalid('O arquivo está vazio.', 'file')
    return file
  }
  throw invalid('Envie um arquivo CSV ou XLSX.', 'file')
}
const plainFilename = (name: string) =>
  (name.split(/[\\/]/).at(-1) ?? '').replace(/\p{C}/gu, '').slice(0, 255) || 'arquivo'
