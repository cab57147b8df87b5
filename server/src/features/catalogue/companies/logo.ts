import { randomUUID } from 'node:crypto'
import type { LogoFormat } from '@garantia/shared/companies/logo'
import { AppError, notFound } from '@garantia/shared/errors'
import { FORMATS } from '@garantia/shared/evidence/formats'
import { authorize, authorizeSome } from '@garantia/shared/policy'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { sign, signerOf } from '../../../kernel/signing.ts'
import type { StoredObject } from '../../../kernel/storage/storage.ts'
import { findLogo, lockedCompany } from './queries.ts'

/** A picture on the local disk that may be a logo. */
export interface LogoFile {
  path: string
  format: LogoFormat
  size: number
  sha256: string
}

/** Stores a file from the local disk as the company's logo. Errors as `replaceLogo`. */
export async function storeLogo(ctx: Ctx, id: number, { path, format, size, sha256 }: LogoFile) {
  const key = `empresas/${id}/${randomUUID()}/logo.${FORMATS[format].ext}`
  await ctx.storage.moveIn(key, path)
  const before = await replaceLogo(ctx, id, { key, format, size, sha256 }).catch(async (error: unknown) => {
    // After a connection that broke at the commit, its row may be there.
    if (error instanceof AppError) await ctx.storage.remove(key)
    throw error
  })
  await removeStored(ctx, before)
}

/** Removes the company's logo, if it has one. Errors as `replaceLogo`. */
export const dropLogo = async (ctx: Ctx, id: number) => removeStored(ctx, await replaceLogo(ctx, id, null))

type StoredLogo = Omit<LogoFile, 'path'> & { key: string }

/**
 * Gives the company a logo that is stored already, or, with null, none; returns the one it had. 404 outside the
 * caller's scope; 403 without permission to change the company.
 */
async function replaceLogo(ctx: Ctx, company_id: number, logo: StoredLogo | null) {
  authorizeSome(ctx.actor, 'company.change')
  return inTransaction(ctx, async (ctx) => {
    authorize(ctx.actor, 'company.change', await lockedCompany(ctx, company_id))
    const before = await findLogo(ctx, company_id)
    if (!before && !logo) return before
    await ctx.db.deleteFrom('company_logos').where('company_id', '=', company_id).execute()
    if (logo) {
      const values = { company_id, ...logo, created_at: ctx.clock() }
      await ctx.db.insertInto('company_logos').values(values).execute()
    }
    await recordEvent(ctx, {
      subject: 'company',
      subject_id: company_id,
      kind: 'changed',
      changes: { logo: [before?.sha256 ?? null, logo?.sha256 ?? null] },
    })
    return before
  })
}

/**
 * Removes the object of a logo that no row has any more. After the commit, since a rollback could not bring it back: what
 * a crash leaves here is an orphan.
 */
export async function removeStored(ctx: Ctx, logo: { key: string } | undefined) {
  if (logo) await ctx.storage.remove(logo.key)
}

const subjectOf = ({ company_id, sha256 }: { company_id: number; sha256: string }) =>
  `logo/${company_id}/${sha256}`

/** The address at which the caller's pages show a company's logo; null without one. */
export async function logoAddress(ctx: Ctx, company_id: number) {
  const logo = await findLogo(ctx, company_id)
  if (!logo) return null
  return `/media/logos/${company_id}/${sign(ctx.config.SIGNING_KEY, subjectOf(logo), ctx.actor, ctx.clock())}`
}

/** The stored logo for a signed address. 404 when the signature is wrong or expired, or of a former logo. */
export async function openSignedLogo(ctx: Ctx, company_id: number, signature: string): Promise<StoredObject> {
  const logo = await findLogo(ctx, company_id)
  if (!logo || (await signerOf(ctx, subjectOf(logo), signature)) === null)
    throw notFound('Logotipo não encontrado')
  const { key, format, size, sha256 } = logo
  const { mime, ext } = FORMATS[format as LogoFormat]
  return { key, filename: `logo.${ext}`, mime, size, etag: `"${sha256}"` }
}

/** Every logo that the storage must have. */
export const keptLogos = (ctx: Ctx) =>
  ctx.db.selectFrom('company_logos').select(['key', 'size', 'sha256']).execute()
