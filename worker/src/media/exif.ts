import read from 'exif-reader'
import type { Exif } from 'sharp'

/** Capture metadata of a photo: time, camera, and whether a GPS position is present. */
export interface CaptureInfo {
  captured_at: Date | null
  has_gps: boolean
  camera: string | null
  /** EXIF for the converted picture: the capture time, and the GPS position when the brand asks for it. */
  buildExif: (gps: boolean) => Exif | null
}

/** Brazil has used this offset all year since 2019; an offset written by the camera takes precedence. */
const HOME_OFFSET = '-03:00'

/**
 * Reads the EXIF and XMP blocks of a picture. A damaged EXIF block counts as absent; `captured_at` is null
 * when the camera's clock was never set.
 */
export function readCaptureInfo(exif: Buffer | undefined, xmp: Buffer | undefined): CaptureInfo {
  const { Image: image, Photo: photo, GPSInfo: gps } = parsed(exif)
  const wall = wallClock(photo?.DateTimeOriginal)
  const offset = /^[+-]\d\d:\d\d$/.test(String(photo?.OffsetTimeOriginal))
    ? String(photo?.OffsetTimeOriginal)
    : null
  const place = gps ? placeOf(gps) : null
  return {
    captured_at: wall ? new Date(`${wall}${offset ?? HOME_OFFSET}`) : null,
    camera: cameraOf(image?.Make, image?.Model),
    has_gps: Object.keys(gps ?? {}).some((tag) => tag !== 'GPSVersionID') || xmp?.includes('GPS') === true,
    buildExif(withPlace) {
      const timestamp = wall && {
        DateTimeOriginal: wall.replaceAll('-', ':').replace('T', ' '),
        ...(offset && { OffsetTimeOriginal: offset }),
      }
      const kept = { ...(timestamp && { IFD2: timestamp }), ...(withPlace && place && { IFD3: place }) }
      return Object.keys(kept).length > 0 ? kept : null
    },
  }
}

function parsed(exif: Buffer | undefined): ReturnType<typeof read> | Record<string, never> {
  if (!exif) return {}
  try {
    return read(exif)
  } catch {
    return {} // damaged metadata does not make the picture unusable
  }
}

/** exif-reader returns the camera's local time as if it were UTC; cameras never set write year 0 or 1970. */
function wallClock(value: unknown) {
  if (!(value instanceof Date) || Number.isNaN(value.getTime()) || value.getUTCFullYear() < 1990) return null
  return value.toISOString().slice(0, 19)
}

const CAMERA_MAX = 120

/**
 * «Apple iPhone 15»: the maker is left out where the model starts with it. At most 120 characters, or null.
 */
export function cameraOf(make: unknown, model: unknown) {
  const [maker, name] = [make, model].map((word) =>
    typeof word === 'string'
      ? word
          .replace(/[\p{C}\uFFFD]/gu, ' ')
          .trim()
          .replace(/\s+/g, ' ')
      : '',
  )
  const isNamed = maker && name?.toLowerCase().startsWith(maker.toLowerCase())
  const whole = (isNamed ? name : [maker, name].filter(Boolean).join(' ')) ?? ''
  return [...whole].slice(0, CAMERA_MAX).join('').trim() || null
}

function placeOf(gps: object): Record<string, string> | null {
  const tags: Record<string, unknown> = { ...gps }
  const place: Record<string, string> = {}
  for (const name of ['GPSLatitudeRef', 'GPSLongitudeRef', 'GPSAltitudeRef', 'GPSDateStamp']) {
    const value = tags[name]
    if (typeof value === 'string' || typeof value === 'number') place[name] = String(value)
  }
  for (const name of ['GPSLatitude', 'GPSLongitude', 'GPSAltitude', 'GPSTimeStamp', 'GPSImgDirection']) {
    const figures = [tags[name]].flat().filter((figure) => typeof figure === 'number' && figure >= 0)
    if (figures.length > 0)
      place[name] = figures.map((figure) => `${Math.round(Number(figure) * 10_000)}/10000`).join(' ')
  }
  return place.GPSLatitude && place.GPSLongitude ? place : null
}
