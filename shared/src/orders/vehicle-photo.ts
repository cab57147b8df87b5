import { z } from 'zod'
import { EVIDENCE_CATEGORIES } from '../evidence/category.ts'
import { READING_KINDS } from '../evidence/reading.ts'

/** Most bytes of a photo that was reduced to be read, which as Base64 fits into a call. */
export const VEHICLE_PHOTO_BYTES = 750_000

/** A photo that is read before its order exists: a JPEG as Base64. */
export const vehiclePhoto = z.object({
  jpeg: z.string().max(Math.ceil(VEHICLE_PHOTO_BYTES / 3) * 4, 'A foto é grande demais.'),
})

/** A plate, a chassis number or a mileage that was read in a photo. */
export const vehicleText = z.object({ kind: z.enum(READING_KINDS).exclude(['code']), text: z.string() })
export type VehicleText = z.output<typeof vehicleText>

/** What was read in such a photo. */
export const vehiclePhotoReading = z.object({
  texts: z.array(vehicleText),
  /** The category that it tells, as for a file of an order; null when it tells none. */
  category: z.enum(EVIDENCE_CATEGORIES).nullable(),
})
export type VehiclePhotoReading = z.output<typeof vehiclePhotoReading>
