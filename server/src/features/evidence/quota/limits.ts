import { AppError, overQuota, tooMany } from '@garantia/shared/errors'
import { MAX_OPEN_UPLOADS, UPLOAD_HOURS } from '@garantia/shared/evidence/upload'
import { bytes, MEGABYTE } from '@garantia/shared/format'
import { sql } from 'kysely'
import { type Ctx, inTransaction } from '../../../kernel/context.ts'
import type { Limit } from '../../../kernel/throttle.ts'
import { announcementSums, companyBytes, freedAt } from './queries.ts'

const GIGABYTE = 1_000 * MEGABYTE
const HOUR_SECONDS = 3_600
export const DAY_MS = 86_400_000
const TOO_MANY_OPEN_SECONDS = 60
const WHERE = 'Configurações → Armazenamento'
/** Dossiers in a company, as a multiple of those of one person. */
const PERSONS_PER_COMPANY = 5

/** A configured number of gigabytes in bytes; null without a limit. */
export const limitOf = (gigabytes: number) => (gigabytes === 0 ? null : gigabytes * GIGABYTE)

/** The caller's id. 401 for an anonymous caller. */
export function callerId({ actor }: Ctx) {
  if (actor.kind !== 'user') throw new AppError('unauthenticated', 'Not authenticated')
  return actor.id
}

interface Announced {
  company_id: number
  bytes: number
}
/**
 * Runs `add`, which records that these bytes will come, if there is room for them. One after the other over all
 * servers, so that two announcements cannot both take the last room. 429 with 1 000 open uploads or over the bytes
 * of a day; 507 over the bytes of the caller's open uploads, of the company, or of the disk.
 */
export const announce = <Result>(ctx: Ctx, announced: Announced, add: (ctx: Ctx) => Promise<Result>) =>
  inTransaction(ctx, async (ctx) => {
    // The others wait for this commit. One that a crash of PostgreSQL undoes is announced again: its bytes are
    // acknowledged by later commits only, which make this one durable too.
    await sql`select pg_advisory_xact_lock(7201009), set_config('synchronous_commit', 'off', true)`.execute(
      ctx.db,
    )
    await refuseOverQuota(ctx, announced)
    return add(ctx)
  })

async function refuseOverQuota(ctx: Ctx, { company_id, bytes: size }: Announced) {
  const { UPLOAD_OPEN_GB, UPLOAD_DAY_GB } = ctx.config
  const user_id = callerId(ctx)
  const since = new Date(ctx.clock().getTime() - DAY_MS)
  const { uploads, open, sent, announced, kept } = await announcementSums(ctx, { user_id, since, company_id })
  if (uploads >= MAX_OPEN_UPLOADS) throw tooMany(TOO_MANY_OPEN_SECONDS, 'Há envios demais em aberto.')
  const most = limitOf(UPLOAD_OPEN_GB)
  if (most !== null && open + size > most)
    throw overQuota(
      `Seus envios em aberto somam ${bytes(open)} e, com mais ${bytes(size)}, passam de ${bytes(most)}, o limite por pessoa. Conclua ou cancele um deles; o que fica parado é descartado ${UPLOAD_HOURS} horas depois de começar.`,
    )
  const day = limitOf(UPLOAD_DAY_GB)
  if (day !== null && sent + open + size > day) {
    const free_at = await freedAt(ctx, user_id, since, sent + open + size - day)
    const wait_ms = free_at ? free_at.getTime() - since.getTime() : DAY_MS
    throw tooMany(
      Math.max(1, Math.ceil(wait_ms / 1_000)),
      `Você enviou ${bytes(sent + open)} nas últimas 24 horas, e o limite por pessoa é ${bytes(day)}.`,
    )
  }
  refuseOverCompany(ctx, kept, size)
  // Read after the sums: what arrives in between counts twice, never not at all.
  const { room } = await readSpace(ctx, announced)
  if (size > room)
    throw overQuota(
      `Este envio de ${bytes(size)} não cabe no disco: restam ${bytes(room)}, contados os envios já começados. Avise o administrador, que vê o espaço em ${WHERE}.`,
    )
}

/** 507 when the company would keep more than its limit with these bytes. */
export async function refuseFullCompany(ctx: Ctx, company_id: number, size: number) {
  if (limitOf(ctx.config.COMPANY_STORAGE_GB) === null) return
  refuseOverCompany(ctx, await companyBytes(ctx, company_id), size)
}

function refuseOverCompany({ config }: Ctx, kept: number, size: number) {
  const limit = limitOf(config.COMPANY_STORAGE_GB)
  if (limit !== null && kept + size > limit)
    throw overQuota(
      `A concessionária já ocupa ${bytes(kept)}, e o limite dela é ${bytes(limit)}. Avise o administrador, que vê o que cada uma ocupa em ${WHERE}.`,
    )
}

/** Space of the disk in bytes: free, of how much, kept in reserve, and the room that is left for announcements. */
export async function readSpace(ctx: Ctx, announced: number) {
  const { free, total } = await ctx.partialFiles.space()
  const reserve = Math.floor(Math.min(ctx.config.UPLOAD_RESERVE_MB * MEGABYTE, total / 20))
  return { free, total, reserve, announced, room: Math.max(0, free - reserve - announced) }
}

/**
 * 507 when a generated file of about this size would take more than half of what uploads leave: PostgreSQL may
 * be on the same disk, and stops without space.
 */
export async function refuseFullDisk(ctx: Ctx, size: number) {
  const { free, reserve } = await readSpace(ctx, 0)
  if (free - size < reserve / 2)
    throw overQuota(
      `Falta espaço em disco: restam ${bytes(free)}. Avise o administrador e tente de novo quando houver espaço.`,
    )
}

/** How many dossiers may be requested within an hour: by this person, and in this company. */
export const dossierLimits = (ctx: Ctx, company_id: number): Limit[] => {
  const hits = ctx.config.DOSSIER_LIMIT
  const window_seconds = HOUR_SECONDS
  const ofCompany = hits * PERSONS_PER_COMPANY
  return [
    {
      bucket: `dossier/person/${callerId(ctx)}`,
      hits,
      window_seconds,
      reason: `Você já pediu ${hits} dossiês nesta hora, o limite por pessoa.`,
    },
    {
      bucket: `dossier/company/${company_id}`,
      hits: ofCompany,
      window_seconds,
      reason: `A concessionária já pediu ${ofCompany} dossiês nesta hora, o limite dela.`,
    },
  ]
}

/** How many archives of packages this person may request within an hour: as many as dossiers. */
export const archiveLimit = (ctx: Ctx): Limit => {
  const hits = ctx.config.DOSSIER_LIMIT
  return {
    bucket: `packages/person/${callerId(ctx)}`,
    hits,
    window_seconds: HOUR_SECONDS,
    reason: `Você já pediu pacotes de várias OS ${hits} vezes nesta hora, o limite por pessoa.`,
  }
}
