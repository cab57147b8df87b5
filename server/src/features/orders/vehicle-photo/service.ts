import { conflict, forbidden, invalid, notFound, tooMany } from '@garantia/shared/errors'
import { type FoundText, foundText, suggestionOf, vehicleTextsOf } from '@garantia/shared/evidence/reading'
import { VEHICLE_PHOTO_BYTES, type VehiclePhotoReading } from '@garantia/shared/orders/vehicle-photo'
import { authorizeSome, hasNoCompany } from '@garantia/shared/policy'
import { z } from 'zod'
import { type Ctx, enqueue, inTransaction, removeJob } from '../../../kernel/context.ts'
import { callerKeyOf } from '../../../kernel/passwords.ts'
import { throttle } from '../../../kernel/throttle.ts'

/** Photos that a person may have read within five minutes. */
const READ = { hits: 120, window_seconds: 300 }
/** Within these all readings are shown and done with: a form asks for each at once. */
const KEPT_MS = 3_600_000
/** Somebody looks at the form: what cannot be read at once is typed. */
const MAX_ATTEMPTS = 3
/** Photos of one person that may wait to be read. */
const MOST_WAITING = 20
/** Until the first of them was read. */
const WAIT_SECONDS = 5
const jobKey = (id: number) => `vehicle-photo:${id}`
const JPEG_START = Buffer.from([0xff, 0xd8, 0xff])
const MISSING = 'Esta foto não está mais guardada: escolha-a de novo.'

/**
 * Keeps a photo of a vehicle whose order does not exist yet until it was read, which is queued. 401 when anonymous, 403
 * for people of no company and with a token that may not open orders, 409 where the house does not read photos, 422 for
 * anything but a JPEG, 429 when twenty of the caller's wait, or 120 were sent within five minutes.
 */
export async function sendVehiclePhoto(ctx: Ctx, jpeg: string): Promise<{ id: number }> {
  const user_id = callerOf(ctx)
  if (!ctx.config.PHOTO_READING) throw conflict('A leitura de fotos está desligada nesta instalação.')
  const content = Buffer.from(jpeg, 'base64')
  if (!content.subarray(0, 3).equals(JPEG_START) || content.length > VEHICLE_PHOTO_BYTES)
    throw invalid('O arquivo não é uma foto em JPEG.', 'jpeg')
  const reason = `Você já mandou ler ${READ.hits} fotos em cinco minutos, o limite por pessoa.`
  await throttle(ctx, { bucket: `vehicle-photo|${callerKeyOf(ctx)}`, reason, ...READ })
  await forgetOldVehiclePhotos(ctx)
  return inTransaction(ctx, async (ctx) => {
    const { waiting } = await ctx.db
      .selectFrom('vehicle_photos')
      .where('user_id', '=', user_id)
      .where('found', 'is', null)
      .select((eb) => eb.fn.countAll<number>().as('waiting'))
      .executeTakeFirstOrThrow()
    if (waiting >= MOST_WAITING) throw tooMany(WAIT_SECONDS, 'Há fotos demais à espera de leitura.')
    const { id } = await ctx.db
      .insertInto('vehicle_photos')
      .values({ user_id, content, created_at: ctx.clock() })
      .returning('id')
      .executeTakeFirstOrThrow()
    // Before the photos of orders, which nobody waits for, and one at a time with them.
    await enqueue(
      ctx,
      'read-vehicle-photo',
      { photo_id: id },
      { key: jobKey(id), queue: 'read-evidence', max_attempts: MAX_ATTEMPTS },
    )
    return { id }
  })
}

function callerOf({ actor }: Ctx) {
  authorizeSome(actor, 'order.open')
  if (hasNoCompany(actor)) throw forbidden()
  if (actor.kind !== 'user') throw notFound(MISSING)
  return actor.id
}

/** What was read in a photo of the caller's; null until then. 401 when anonymous, 404 an hour after it came. */
export async function readVehiclePhoto(ctx: Ctx, id: number): Promise<VehiclePhotoReading | null> {
  const photo = await ctx.db
    .selectFrom('vehicle_photos')
    .where('id', '=', id)
    .where('user_id', '=', callerOf(ctx))
    .where('created_at', '>=', oldestKept(ctx))
    .select('found')
    .executeTakeFirst()
  if (!photo) throw notFound(MISSING)
  if (photo.found === null) return null
  const found = z.array(foundText).parse(photo.found)
  const suggested = suggestionOf(
    { kind: null, rotation: 0, found, engine: '' },
    { evidence_category: null, rotation: 0 },
  )
  return { texts: vehicleTextsOf(found), category: suggested?.category ?? null }
}

/** The picture that has to be read, and whose it is; undefined when it was, or is gone. */
export async function vehiclePhotoToRead(ctx: Ctx, id: number) {
  const photo = await ctx.db
    .selectFrom('vehicle_photos')
    .where('id', '=', id)
    .select(['content', 'user_id'])
    .executeTakeFirst()
  return photo?.content ? { content: photo.content, user_id: photo.user_id } : undefined
}

/** Stores what was read in the photo, and deletes the picture. */
export async function saveVehiclePhotoReading(ctx: Ctx, id: number, found: readonly FoundText[]) {
  await ctx.db
    .updateTable('vehicle_photos')
    .set({ found: JSON.stringify(found), content: null })
    .where('id', '=', id)
    .execute()
}

/** Deletes photos that came more than an hour ago, also those that nothing has read, with their jobs. */
export async function forgetOldVehiclePhotos(ctx: Ctx) {
  const forgotten = await ctx.db
    .deleteFrom('vehicle_photos')
    .where('created_at', '<', oldestKept(ctx))
    .returning(['id', 'found'])
    .execute()
  for (const { id, found } of forgotten) if (found === null) await removeJob(ctx, jobKey(id))
}
const oldestKept = (ctx: Ctx) => new Date(ctx.clock().getTime() - KEPT_MS)
