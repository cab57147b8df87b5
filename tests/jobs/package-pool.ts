import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Ctx } from '@garantia/server/kernel'
import { floorOf, IMAGE_LONG_SIDE, type PackageItem } from '@garantia/shared/evidence/budget'
import { FORMATS, type FormatName } from '@garantia/shared/evidence/formats'
import { CannotConvert, mediaTools, type Source } from '@garantia/worker/media/media'
import * as make from '../support/media.ts'

/** A file of the pool: small in pixels and seconds, so that hundreds of real encodes take seconds. */
export interface Sample {
  name: string
  source: Source
  facts: Omit<PackageItem, 'id' | 'committed_bytes'> & { format: FormatName }
}
/** A converted copy, stored once for all packages that contain it. */
interface Copy {
  key: string
  size: number
  sha256: string
  crc32: number
  format: FormatName
  is_over_compressed: boolean
}
export type Outcome = { copy: Copy } | { refusal: string }

const PLENTY = 90_000_000
/**
 * Packages share encodes: a file gets its share, or at least this fraction of it, which only makes the test
 * harder.
 */
const STEP = 0.9
const VIDEO_STEP = 0.8
/** A conversion of a PDF takes longer than one of a photo. */
const PDF_STEP = 0.75
const ROOMY_STEP = 0.4

const SMALL = { width: 256, height: 144 } as const
const makers: Record<string, [FormatName, (dir: string) => Promise<string>]> = {
  calma: ['jpeg', (dir) => make.photo(dir, { name: 'calma', width: 640, height: 480, noise: 4 })],
  comum: [
    'jpeg',
    (dir) => make.photo(dir, { name: 'comum', width: 700, height: 540, noise: 60, orientation: 6 }),
  ],
  granulada: [
    'jpeg',
    (dir) => make.photo(dir, { name: 'granulada', width: 640, height: 480, noise: 200, gps: true }),
  ],
  captura: [
    'png',
    (dir) => make.photo(dir, { name: 'captura', format: 'png', width: 700, height: 500, noise: 30 }),
  ],
  girado: ['heic', (dir) => make.rotatedHeic(dir)],
  filme: ['mp4', (dir) => make.video(dir, { name: 'filme', ...SMALL, seconds: 3, noise: 70 })],
  parado: [
    'mov',
    (dir) =>
      make.video(dir, { name: 'parado', ...SMALL, seconds: 4, noise: 2, codec: 'mpeg4', container: 'mov' }),
  ],
  tripe: [
    'avi',
    (dir) =>
      make.video(dir, {
        ...{ name: 'tripe', ...SMALL, seconds: 3, noise: 2 },
        ...{ codec: 'mjpeg', sound: 'pcm', container: 'avi' },
      }),
  ],
  iphone: [
    'mov',
    (dir) =>
      make.video(dir, {
        name: 'iphone',
        ...SMALL,
        seconds: 2,
        noise: 40,
        codec: 'hevc',
        container: 'mov',
        rotated: true,
      }),
  ],
  laudo: ['pdf', (dir) => make.pdf(dir, { name: 'laudo', pages: 2, photo: { width: 480, height: 360 } })],
  texto: ['pdf', (dir) => make.pdf(dir, { name: 'texto', pages: 3 })],
  senha: [
    'pdf',
    (dir) => make.pdf(dir, { name: 'senha', pages: 1, photo: { width: 640, height: 480 }, password: 'a' }),
  ],
}
export const POOL = Object.keys(makers)

/** Makes the files of the pool, and converts each at a given share when first requested. */
export async function pool(ctx: Ctx, dir: string) {
  const media = mediaTools({ threads: 1 })
  const signal = new AbortController().signal
  const samples: Sample[] = []
  for (const [name, [format, maker]] of Object.entries(makers)) {
    const path = await maker(dir)
    const source = { path, format, size: (await stat(path)).size }
    const { width, height, duration_seconds, pages } = await media.inspect(source, {
      dir,
      signal,
      onProgress: () => undefined,
    })
    const pixels = width && height ? width * height : null
    samples.push({
      name,
      source,
      facts: {
        ...{ format, file_type: FORMATS[format].type, file_size: source.size },
        ...{ pixels, duration_seconds, pages },
      },
    })
  }
  const made = new Map<string, Promise<Outcome>>()

  function at(sample: Sample, budget_bytes: number) {
    const key = `${sample.name} ${budget_bytes}`
    const cached = made.get(key) ?? convert(sample, budget_bytes)
    made.set(key, cached)
    return cached
  }

  const convert = (sample: Sample, budget_bytes: number): Promise<Outcome> =>
    ctx.scratch.within('prova', async (dir) => {
      const target = {
        budget_bytes,
        image_formats: ['jpg'],
        video_formats: ['mp4'],
        long_side: IMAGE_LONG_SIDE,
        keep_gps: false,
      }
      try {
        const { path, size, format, is_over_compressed } = await media.convert(sample.source, target, {
          dir,
          signal,
          onProgress: () => undefined,
        })
        const bytes = await readFile(path)
        if (bytes.length > budget_bytes || bytes.length !== size)
          throw new Error(`${sample.name} is over its share`)
        const key = `os/prova/${sample.name}/${budget_bytes}`
        await ctx.storage.moveIn(key, path)
        return {
          copy: {
            key,
            size,
            format,
            is_over_compressed,
            sha256: createHash('sha256').update(bytes).digest('hex'),
            crc32: crc32(bytes),
          },
        }
      } catch (error) {
        if (error instanceof CannotConvert) return { refusal: error.message }
        throw error
      }
    })

  const convertUnlimited = async (sample: Sample) => {
    const outcome = await at(sample, PLENTY)
    if ('refusal' in outcome) throw new Error(outcome.refusal)
    return outcome.copy
  }

  return {
    samples,
    /** Its conversion without a limit. */
    convertUnlimited,
    /** Its conversion within a share. */
    async within(sample: Sample, share: number) {
      const { size } = await convertUnlimited(sample)
      const isVideo = sample.facts.file_type === 'video'
      const isPdf = sample.facts.format === 'pdf'
      if (share >= size && !isVideo) return at(sample, PLENTY)
      // With a share above its size the bit-rate ceiling of a video hardly matters.
      const step = isPdf ? PDF_STEP : !isVideo ? STEP : share >= size ? ROOMY_STEP : VIDEO_STEP
      const steps = Math.max(-3, Math.ceil(Math.log(Math.max(1, share) / size) / Math.log(step)))
      const shared = Math.min(share, Math.floor(size * step ** steps))
      // Rounded down below a video's minimum, it would be refused although its share suffices.
      const floor = floorOf({ ...sample.facts, id: 0, committed_bytes: null })
      return at(sample, share >= floor ? Math.max(floor, shared) : shared)
    },
  }
}
