import { execFile } from 'node:child_process'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { crc32, deflateSync } from 'node:zlib'
import { PDFDocument } from '@cantoo/pdf-lib'
import type { FormatName } from '@garantia/shared/evidence/formats'
import { binariesFinder } from '@garantia/worker/media/binaries'
import sharp from 'sharp'
import { colourQuadrants, storedFor } from './test-image.ts'
import { MUXER, setRotationMatrix, soundCodec, VIDEO_CODEC, type VideoTraits } from './video-codecs.ts'

/*
 * Makers of files as phones, scanners and attackers make them. Each writes into the given folder and returns
 * the path. Pictures and videos show four quadrants: red, green, blue and white, read upright.
 */

export interface PhotoTraits {
  name?: string
  format?: 'jpeg' | 'png' | 'webp' | 'avif' | 'tiff'
  /** Upright, as the photographer saw it. */
  width?: number
  height?: number
  /** EXIF orientation: the stored pixels need this rotation in a viewer. */
  orientation?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
  /** EXIF timestamp, «2026:10:05 14:30:00». */
  taken?: string
  /** EXIF location: São Paulo's cathedral. */
  gps?: boolean
  /** 0 is flat colour, 255 is all noise: how hard the picture is to compress. */
  noise?: number
}

export async function photo(dir: string, traits: PhotoTraits = {}) {
  const { format = 'jpeg', width = 640, height = 480, orientation = 1, taken, gps } = traits
  const upright = await colourQuadrants(width, height, traits.noise ?? 30)
  const { data, info } = await storedFor(orientation, upright).toBuffer({ resolveWithObject: true })
  const exif = {
    ...(taken && { IFD2: { DateTimeOriginal: taken } }),
    ...(gps && {
      IFD3: {
        GPSLatitudeRef: 'S',
        GPSLatitude: '23/1 33/1 1/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '46/1 38/1 2/1',
      },
    }),
  }
  const path = join(dir, `${traits.name ?? 'foto'}.${format === 'jpeg' ? 'jpg' : format}`)
  const picture = sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
  const noted = orientation === 1 ? picture : picture.withMetadata({ orientation })
  const { [format]: encode } = {
    jpeg: () => noted.jpeg({ quality: 92 }),
    png: () => noted.png(),
    webp: () => noted.webp({ quality: 90 }),
    avif: () => noted.avif({ quality: 60, effort: 0 }),
    tiff: () => noted.tiff({ compression: 'lzw' }),
  }
  await (Object.keys(exif).length > 0 ? encode().withExifMerge(exif) : encode()).toFile(path)
  return path
}

/** The colours of the four quadrants of the stored pixels, without orientation: «red green blue white». */
export async function quadrantColours(path: string) {
  const { data } = await sharp(path)
    .resize(8, 8, { fit: 'fill' })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const colourAt = (x: number, y: number) => {
    const [r = 0, g = 0, b = 0] = data.subarray((y * 8 + x) * 3)
    if (Math.min(r, g, b) > 130) return 'white'
    return r > g && r > b ? 'red' : g > b ? 'green' : 'blue'
  }
  return [colourAt(1, 1), colourAt(6, 1), colourAt(1, 6), colourAt(6, 6)].join(' ')
}
export const UPRIGHT = 'red green blue white'

/** A photo as an iPhone wrote it, with GPS; see fixtures/README.md. */
export const iphoneHeic = (dir: string) => fixture(dir, 'iphone.heic')
/** Quadrants stored rotated, with an irot box as iPhones write for portraits. */
export const rotatedHeic = (dir: string) => fixture(dir, 'rotated.heic')

/** AV1 with AAC in Matroska, 320 × 240, one second; see fixtures/README.md. */
export const av1Video = (dir: string) => fixture(dir, 'av1.mkv')

async function fixture(dir: string, name: string) {
  const path = join(dir, name)
  await copyFile(fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)), path)
  return path
}

export async function video(dir: string, traits: VideoTraits = {}) {
  const { container = 'mp4', codec = 'h264', sound = 'aac', seconds = 2, fps = 15, noise = 10 } = traits
  const { width = 640, height = 360, rotated, taken, place } = traits
  const path = join(dir, `${traits.name ?? `video-${codec}`}.${container}`)
  const frame = await photo(dir, {
    name: `${traits.name ?? codec}-frame`,
    format: 'png',
    width,
    height,
    noise: 0,
  })
  const filters = [
    ...(noise > 0 ? [`noise=alls=${noise}:allf=t`] : []),
    ...(rotated ? ['transpose=cclock'] : []),
    ...(traits.vfr ? [`setpts=if(lt(N\\,${fps})\\,N\\,${fps}+(N-${fps})*3)/${fps}/TB`] : []),
    `format=${codec === 'hevc-10bit' ? 'yuv420p10le' : codec === 'mjpeg' ? 'yuvj420p' : 'yuv420p'}`,
  ]
  await ffmpeg(
    ...[
      '-loop',
      '1',
      '-framerate',
      String(fps),
      '-t',
      String(traits.vfr ? 1 + (seconds - 1) / 3 : seconds),
      '-i',
      frame,
    ],
    ...(sound === 'none'
      ? []
      : ['-f', 'lavfi', '-t', String(seconds), '-i', 'sine=frequency=440:sample_rate=44100']),
    ...['-vf', filters.join(','), ...VIDEO_CODEC[codec], ...soundCodec(sound, container)],
    ...(taken ? ['-metadata', `creation_time=${taken}`] : []),
    ...(place ? ['-metadata', `location=${place}`] : []),
    ...['-f', MUXER[container], ...(traits.live ? ['-live', '1'] : []), path],
  )
  if (rotated) await setRotationMatrix(path)
  return path
}

export interface PdfTraits {
  name?: string
  pages?: number
  /** Pixels of the photo on each page; without it a page holds only text. */
  photo?: { width: number; height: number }
  password?: string
}

export async function pdf(dir: string, { name = 'laudo', pages = 2, photo: size, password }: PdfTraits = {}) {
  const document = await PDFDocument.create()
  for (let page = 0; page < pages; page++) {
    const sheet = document.addPage([595, 842])
    sheet.drawText(`Laudo, folha ${page + 1}`, { x: 50, y: 780 })
    if (!size) continue
    const jpeg = await photo(dir, { name: `${name}-${page}`, ...size, noise: 90 })
    sheet.drawImage(await document.embedJpg(await readFile(jpeg)), { x: 50, y: 100, width: 495, height: 600 })
  }
  if (password) document.encrypt({ userPassword: password, ownerPassword: password })
  const path = join(dir, `${name}.pdf`)
  await writeFile(path, await document.save())
  return path
}

/** A PDF of half a megabyte, one of whose objects lies behind `inflated` bytes of a compressed stream. */
export async function hungryPdf(dir: string, inflated = 480_000_000) {
  const first = inflated
  const object = '<</Type/Pages/Kids[3 0 R]/Count 1>>'
  const packed = deflateSync(Buffer.concat([Buffer.from('2 0 '.padEnd(first, ' ')), Buffer.from(object)]))
  const parts: Buffer[] = [Buffer.from(`%PDF-${1.7}\n`)]
  const at: number[] = []
  const add = (number: number, content: string | Buffer) => {
    at[number] = Buffer.concat(parts).length
    parts.push(Buffer.from(`${number} 0 obj\n`), Buffer.from(content), Buffer.from('\nendobj\n'))
  }
  const stream = (dictionary: string, data: Buffer) =>
    Buffer.concat([
      Buffer.from(`<<${dictionary}/Length ${data.length}>>\nstream\n`),
      data,
      Buffer.from('\nendstream'),
    ])
  add(1, '<</Type/Catalog/Pages 2 0 R>>')
  add(3, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>')
  add(4, stream(`/Type/ObjStm/N 1/First ${first}/Filter/FlateDecode`, packed))
  const start = Buffer.concat(parts).length
  const entry = (kind: number, place: number, index = 0) => {
    const bytes = Buffer.alloc(6)
    bytes.writeUInt8(kind, 0)
    bytes.writeUInt32BE(place, 1)
    bytes.writeUInt8(index, 5)
    return bytes
  }
  const table = Buffer.concat([
    ...[entry(0, 0), entry(1, at[1] ?? 0), entry(2, 4), entry(1, at[3] ?? 0), entry(1, at[4] ?? 0)],
    entry(1, start),
  ])
  add(5, stream('/Type/XRef/Size 6/W[1 4 1]/Root 1 0 R', table))
  parts.push(Buffer.from(`startxref\n${start}\n%%EOF\n`))
  return text(dir, 'faminto.pdf', Buffer.concat(parts))
}

/** The first part of a file, as a broken upload leaves it. */
export async function truncated(dir: string, path: string, name: string, share = 0.6) {
  const bytes = await readFile(path)
  return text(dir, name, bytes.subarray(0, Math.floor(bytes.length * share)))
}

export const empty = (dir: string, name: string) => text(dir, name, '')
export const renamed = async (dir: string, path: string, name: string) =>
  text(dir, name, await readFile(path))

/** Text that ffmpeg detects as a playlist, and whose reference to a sibling file it follows. */
export const hlsText = (dir: string, sibling: string, name = 'lista.mp4') =>
  text(dir, name, `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${sibling}\n#EXT-X-ENDLIST\n`)
export const ffconcatText = (dir: string, sibling: string, name = 'concat.mp4') =>
  text(dir, name, `ffconcat version 1.0\nfile ${sibling}\n`)

export const svg = (dir: string, name = 'desenho.jpg') =>
  text(
    dir,
    name,
    '<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="9000"><rect width="9" height="9"/></svg>',
  )

/** A header of so many pixels with almost no data after it. */
export function hugePng(dir: string, name = 'gigante.png', { width = 20_000, height = 15_000 } = {}) {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [size, crc] = [Buffer.alloc(4), Buffer.alloc(4)]
    size.writeUInt32BE(data.length)
    crc.writeUInt32BE(crc32(body))
    return Buffer.concat([size, body, crc])
  }
  const parts = [
    chunk('IHDR', head),
    chunk('IDAT', Buffer.from('789c030000000001', 'hex')),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return text(dir, name, Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]))
}

export async function text(dir: string, name: string, content: string | Uint8Array) {
  const path = join(dir, name)
  await writeFile(path, content)
  return path
}

const execute = promisify(execFile)
/** Looked up once: each look-up starts both programs, at a tenth of a second of processor time each. */
const binaries = binariesFinder({})
/** The ffmpeg that the product chooses. */
export async function ffmpeg(...flags: string[]) {
  const { ffmpeg: program } = await binaries()
  await execute(program, ['-v', 'error', '-nostdin', '-y', ...flags])
}

export interface Stream {
  codec_type: string
  codec_name: string
  profile?: string
  pix_fmt?: string
  width?: number
  height?: number
  avg_frame_rate?: string
  bit_rate?: string
  side_data_list?: { rotation?: number }[]
}
/** The output of ffprobe for a trusted file, without the product's restrictions. */
export async function ffprobe(path: string) {
  const { ffprobe: program } = await binaries()
  const { stdout } = await execute(program, [
    '-v',
    'error',
    '-of',
    'json',
    '-show_streams',
    '-show_format',
    path,
  ])
  const answer: { streams: Stream[]; format: { duration: string; tags?: Record<string, string> } } =
    JSON.parse(stdout)
  return answer
}

/** Whether the index precedes the media data, so that playback starts before the download ends. */
export async function startsFast(path: string) {
  const bytes = await readFile(path)
  const [index, media] = [bytes.indexOf('moov'), bytes.indexOf('mdat')]
  return index > 0 && index < media
}

export const sourceOf = async (path: string, format: FormatName) => ({
  path,
  format,
  size: (await readFile(path)).length,
})
