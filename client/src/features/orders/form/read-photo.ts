import { READ_SIDE } from '@garantia/shared/evidence/reading'
import { VEHICLE_PHOTO_BYTES, type VehiclePhotoReading } from '@garantia/shared/orders/vehicle-photo'
import pLimit from 'p-limit'
import { statusOf } from '../../../lib/messages.ts'
import { trpcClient } from '../../../lib/trpc.ts'

const POLL_MS = 700
/** Of one photo: it takes one or two seconds, and a busy machine some more. */
const MOST_MS = 60_000
const QUALITIES = [0.85, 0.7, 0.5]

/** Why a photo was not read, in words for its row. */
export class NotRead extends Error {}

/** Of photos that were sent, so that a second attempt asks for the same reading. */
const sentIds = new WeakMap<File, number>()

/** Photos that are sent and not read yet; the server reads one after the other, other people's too. */
const readAtOnce = pLimit(3)
/** An opened photo of 12 megapixels takes 48 MB, and two in one call would be larger than the server takes. */
const sentAtOnce = pLimit(1)

/**
 * What is read in a photo by the server. Rejects when the browser cannot open it, the server refuses or is late, or
 * `signal` is aborted.
 */
export const readPhoto = (file: File, signal: AbortSignal): Promise<VehiclePhotoReading> =>
  readAtOnce(async () => {
    signal.throwIfAborted()
    const late = AbortSignal.timeout(MOST_MS)
    const options = { signal: AbortSignal.any([signal, late]) }
    try {
      const sent = sentIds.get(file)
      const found = sent === undefined ? null : await readingOf(sent, options)
      const reading = found ?? (await readingOf(await send(file, options), options))
      if (!reading) throw new NotRead('A leitura está demorando.')
      return reading
    } catch (error) {
      if (late.aborted && !signal.aborted) throw new NotRead('A leitura está demorando.')
      throw error
    }
  })

interface Options {
  signal: AbortSignal
}

/** The reading once there is one; null when the server has forgotten the photo, as it does after an hour. */
async function readingOf(id: number, options: Options) {
  for (;;) {
    try {
      const reading = await trpcClient.vehiclePhotos.one.query({ id }, options)
      if (reading) return reading
    } catch (error) {
      if (statusOf(error) === 404) return null
      throw error
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    options.signal.throwIfAborted()
  }
}

const send = (file: File, options: Options) =>
  sentAtOnce(async () => {
    options.signal.throwIfAborted()
    const { id } = await trpcClient.vehiclePhotos.send.mutate({ jpeg: await asJpeg(file) }, options)
    sentIds.set(file, id)
    return id
  })

/** The photo as an upright JPEG as Base64, no larger than what is read. */
async function asJpeg(file: File) {
  const picture = await createImageBitmap(file).catch(() => {
    throw new NotRead('Este navegador não abre esse formato.')
  })
  try {
    const scale = Math.min(1, READ_SIDE / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    const drawing = canvas.getContext('2d')
    if (drawing) {
      drawing.imageSmoothingQuality = 'high'
      drawing.fillStyle = 'white'
      drawing.fillRect(0, 0, canvas.width, canvas.height)
      drawing.drawImage(picture, 0, 0, canvas.width, canvas.height)
      for (const quality of QUALITIES) {
        const jpeg = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', quality))
        if (jpeg && jpeg.size <= VEHICLE_PHOTO_BYTES) return base64Of(jpeg)
      }
    }
    throw new NotRead('Este navegador não conseguiu reduzir a foto.')
  } finally {
    picture.close()
  }
}

const base64Of = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.onerror = () => reject(new NotRead('O navegador não conseguiu ler a foto.'))
    reader.readAsDataURL(blob)
  })
