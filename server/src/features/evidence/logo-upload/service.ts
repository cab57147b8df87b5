import { join } from 'node:path'
import { isLogoFormat, LOGO_LIMITS, logoSizeProblem } from '@garantia/shared/companies/logo'
import type { CompanyDetail } from '@garantia/shared/companies/schema'
import { invalid, unsupported } from '@garantia/shared/errors'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import type { UploadPart } from '../../../kernel/storage/storage.ts'
import { readCompany, saveLogo } from '../../catalogue/companies/service.ts'
import { identify, spool } from '../files/service.ts'
import { type AnnouncedForm, announceForm } from '../quota/service.ts'

/**
 * Takes a picture as a company's logo, in the place of the one it had. 403 without permission; 404 outside the
 * caller's scope; 413 over 1 MB; 415 for another format; 422 without a file, or when its content or its sides are
 * not those of a logo; 429 or 507 as `announce`, for the `length` of the request (null when unknown).
 */
export async function receiveLogo(
  ctx: Ctx,
  company_id: number,
  parts: AsyncIterable<UploadPart>,
  length: number | null = null,
): Promise<CompanyDetail> {
  authorizeSome(ctx.actor, 'company.change')
  authorize(ctx.actor, 'company.change', await readCompany(ctx, company_id))
  const form = await announceForm(ctx, { company_id }, length)
  try {
    return await ctx.scratch.within('logotipo', async (dir) =>
      saveLogo(ctx, company_id, await firstPicture(dir, parts, form)),
    )
  } finally {
    await form.end()
  }
}

async function firstPicture(dir: string, parts: AsyncIterable<UploadPart>, { arrived }: AnnouncedForm) {
  for await (const part of parts) {
    if (part.kind === 'field') continue
    const limit = LOGO_LIMITS.bytes
    const spooled = await spool(join(dir, 'imagem'), part.filename, part, { limit, arrived })
    const { path, format, size, sha256, ...sides } = await identify(spooled)
    if (!isLogoFormat(format)) throw unsupported('O logotipo precisa ser uma imagem JPEG, PNG ou WebP.')
    const problem = logoSizeProblem(sides)
    if (problem) throw invalid(problem, 'file')
    return { path, format, size, sha256 }
  }
  throw invalid('Envie uma imagem JPEG, PNG ou WebP.', 'file')
}
