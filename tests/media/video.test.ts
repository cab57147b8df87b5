import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { longestVideo, VIDEO_FLOOR_PER_SECOND } from '@garantia/shared/evidence/budget'
import type { FormatName } from '@garantia/shared/evidence/formats'
import { duration } from '@garantia/shared/format'
import { mediaTools } from '@garantia/worker/media/media'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { slowness } from '../support/machine-speed.ts'
import {
  av1Video,
  ffmpeg,
  ffprobe,
  quadrantColours,
  sourceOf,
  startsFast,
  truncated,
  UPRIGHT,
  video,
} from '../support/media.ts'
import { slowConversion } from '../support/slow-conversion.ts'
import type { VideoTraits } from '../support/video-codecs.ts'
import { convert, media, newFolder, newRun, reasonOf, target } from './media-fixtures.ts'

let dir: string
beforeAll(async () => {
  dir = await newFolder()
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** What two tests need is made once: a clip of this size takes a second of processor time. */
const madeOnce = (traits: VideoTraits) => {
  let made: Promise<string> | undefined
  return () => (made ??= video(dir, traits))
}
/** Small enough that most of a conversion is the start of its programs; what a test is about it sets itself. */
const SMALL = { width: 320, height: 180, seconds: 1, fps: 10 }
const UPRIGHT_PHONE = { ...SMALL, rotated: true, width: 180, height: 320 }
const longClip = madeOnce({ ...SMALL, seconds: 8, fps: 5, codec: 'mpeg4', name: 'long' })

/** Properties that every player supports: H.264, 8 bits, AAC, index in front, no other streams. */
async function expectPlayable(path: string, { sound = true } = {}) {
  const { streams, format } = await ffprobe(path)
  expect(streams.map((stream) => stream.codec_type)).toEqual(sound ? ['video', 'audio'] : ['video'])
  expect(streams[0]).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p' })
  expect((streams[0]?.width ?? 1) % 2).toBe(0)
  expect((streams[0]?.height ?? 1) % 2).toBe(0)
  if (sound) expect(streams[1]).toMatchObject({ codec_name: 'aac' })
  expect(streams[0]?.side_data_list?.some((data) => data.rotation) ?? false).toBe(false)
  expect(await startsFast(path)).toBe(true)
  expect(JSON.stringify(format.tags ?? {})).not.toMatch(/location|-23\.55/)
}

async function frameOf(path: string) {
  const frame = `${path}.png`
  await ffmpeg('-i', path, '-frames:v', '1', frame)
  return frame
}

const kinds: [string, FormatName, VideoTraits, Partial<{ width: number; height: number }>][] = [
  ['HEVC in MOV', 'mov', { codec: 'hevc', container: 'mov' }, {}],
  ['10-bit HEVC in MP4', 'mp4', { codec: 'hevc-10bit', width: 320, height: 240 }, {}],
  ['VP9 in WebM', 'webm', { codec: 'vp9', container: 'webm' }, {}],
  [
    'VP9 in a WebM without a length',
    'webm',
    { codec: 'vp9', container: 'webm', live: true, name: 'live' },
    {},
  ],
  ['WMV', 'wmv', { codec: 'wmv2', container: 'wmv' }, {}],
  ['MPEG-4 in AVI', 'avi', { codec: 'mpeg4', container: 'avi' }, {}],
  ['Motion JPEG with PCM in AVI', 'avi', { codec: 'mjpeg', sound: 'pcm', container: 'avi', name: 'cam' }, {}],
  ['H.263 in 3GP', '3gp', { codec: 'h263', container: '3gp', width: 352, height: 288 }, {}],
  ['a phone held upright', 'mov', { ...UPRIGHT_PHONE, container: 'mov', name: 'up' }, {}],
  [
    'odd dimensions',
    'mp4',
    { codec: 'mpeg4', width: 161, height: 121, name: 'odd' },
    { width: 160, height: 120 },
  ],
]

async function expectUprightMp4(
  path: string,
  format: FormatName,
  { width, height, seconds }: { width: number; height: number; seconds: number },
) {
  const made = await convert(path, format)
  expect(made).toMatchObject({ format: 'mp4', reencoded: true, is_over_compressed: false })
  expect(Math.abs((made.width ?? 0) - width)).toBeLessThanOrEqual(2)
  expect(Math.abs((made.height ?? 0) - height)).toBeLessThanOrEqual(2)
  expect(made.duration_seconds).toBeCloseTo(seconds, 0)
  await expectPlayable(made.path)
  expect(await quadrantColours(await frameOf(made.path))).toBe(UPRIGHT)
}

describe('a video', () => {
  test.each(kinds)(
    'as %s becomes an upright MP4 that plays anywhere',
    async (_kind, format, traits, size) => {
      await expectUprightMp4(await video(dir, { ...SMALL, ...traits }), format, {
        ...SMALL,
        ...traits,
        ...size,
      })
    },
  )

  test('as AV1 in MKV becomes an upright MP4 that plays anywhere', async () => {
    await expectUprightMp4(await av1Video(dir), 'mkv', { width: 320, height: 240, seconds: 1 })
  })

  test('without sound, at a variable frame rate, keeps its length', async () => {
    const path = await video(dir, {
      ...SMALL,
      codec: 'mpeg4',
      sound: 'none',
      vfr: true,
      seconds: 4,
      name: 'vfr',
    })
    const made = await convert(path, 'mp4')
    expect(made.duration_seconds).toBeCloseTo(4, 0)
    await expectPlayable(made.path, { sound: false })
  })

  test('that already conforms is only remuxed, without its location, with its timestamp', async () => {
    const traits = { ...SMALL, taken: '2026-10-05T17:30:00Z', place: '-23.5505-046.6333/', name: 'fit' }
    const path = await video(dir, traits)
    const made = await convert(path, 'mp4')
    expect(made).toMatchObject({ reencoded: false, format: 'mp4', captured_at: new Date(traits.taken) })
    await expectPlayable(made.path)
    expect((await ffprobe(made.path)).format.tags?.creation_time).toMatch(/^2026-10-05T17:30:00/)
    const withPlace = await convert(path, 'mp4', { keep_gps: true })
    expect((await ffprobe(withPlace.path)).format.tags?.location).toBe('-23.5505-046.6333/')
  })

  test('keeps its timestamp and drops its location when re-encoded', async () => {
    const traits = {
      ...UPRIGHT_PHONE,
      taken: '2026-10-05T17:30:00Z',
      place: '-23.5505-046.6333/',
      name: 'tagged',
    }
    const made = await convert(await video(dir, traits), 'mp4')
    expect(made).toMatchObject({ reencoded: true, captured_at: new Date(traits.taken) })
    expect((await ffprobe(made.path)).format.tags?.creation_time).toMatch(/^2026-10-05T17:30:00/)
    await expectPlayable(made.path)
  })

  test("is written in the brand's first container that is supported", async () => {
    const path = await video(dir, { ...SMALL, codec: 'mpeg4', name: 'box' })
    expect((await convert(path, 'mp4', { video_formats: ['mov', 'mp4'] })).format).toBe('mov')
    expect((await convert(path, 'mp4', { video_formats: ['avi', 'mp4'] })).format).toBe('mp4')
    expect((await convert(path, 'mp4', { video_formats: ['wmv'] })).format).toBe('mp4')
  })

  test('too large for its share is made to fit in two passes and uses its share', async () => {
    const path = await video(dir, { seconds: 4, fps: 30, noise: 30, codec: 'mpeg4', name: 'heavy' })
    const run = await newRun()
    const budget_bytes = 400_000
    const made = await media.convert(await sourceOf(path, 'mp4'), target({ budget_bytes }), run)
    expect(made.size).toBeLessThanOrEqual(budget_bytes)
    expect(made.size).toBeGreaterThan(budget_bytes * 0.7)
    expect(made.is_over_compressed).toBe(true)
    await expectPlayable(made.path)
    expect(run.percents).toEqual([...run.percents].sort((a, b) => a - b))
    expect(run.percents.filter((percent) => percent === 100)).toHaveLength(1)
    expect(run.percents.some((percent) => percent > 0 && percent < 50)).toBe(true)
    expect(run.percents.some((percent) => percent > 50 && percent < 100)).toBe(true)
  })

  test('from a tripod keeps its frame size and its sound in a small share, whatever its source codec', async () => {
    const traits = { codec: 'mjpeg', sound: 'pcm', container: 'avi', name: 'tripod' } as const
    const path = await video(dir, { ...traits, width: 960, height: 540, seconds: 2, noise: 2 })
    const { size } = await sourceOf(path, 'avi')
    const run = await newRun()
    const budget_bytes = 80_000
    expect(size).toBeGreaterThan(4 * budget_bytes)
    const made = await media.convert(await sourceOf(path, 'avi'), target({ budget_bytes }), run)
    expect(made).toMatchObject({ width: 960, height: 540, is_over_compressed: false })
    expect(made.size).toBeLessThanOrEqual(budget_bytes)
    const { streams } = await ffprobe(made.path)
    expect(Number(streams.find(({ codec_type }) => codec_type === 'audio')?.bit_rate)).toBeGreaterThan(60_000)
    await expectPlayable(made.path)
    expect(run.percents).toEqual([...run.percents].sort((a, b) => a - b))
  })

  test('that cannot fit is refused with the longest length that would', async () => {
    const path = await longClip()
    const budget_bytes = Math.ceil(5.5 * VIDEO_FLOOR_PER_SECOND)
    const reason = await reasonOf(convert(path, 'mp4', { budget_bytes }))
    expect(reason).toBe(
      `Vídeo de ${duration(8)} só cabe com até ${duration(longestVideo(budget_bytes))}: corte ou remova`,
    )
    expect(await reasonOf(convert(path, 'mp4', { budget_bytes: 1000 }))).toMatch(
      /o pacote da marca já está cheio/,
    )
  })

  test('longer than the brand allows is refused with both lengths', async () => {
    expect(await reasonOf(convert(await longClip(), 'mp4', { max_video_seconds: 5 }))).toBe(
      'Vídeo de 8s, mas a marca aceita até 5s: corte ou remova',
    )
  })

  test('cut off in the middle is refused instead of converted as if it were whole', async () => {
    const whole = await video(dir, { ...SMALL, codec: 'mpeg4', seconds: 8, name: 'whole' })
    const fast = join(dir, 'fast.mp4')
    await ffmpeg('-i', whole, '-c', 'copy', '-movflags', '+faststart', fast)
    const headless = await truncated(dir, whole, 'headless.mp4')
    const half = await truncated(dir, fast, 'half.mp4', 0.5)
    expect(await reasonOf(convert(headless, 'mp4'))).toMatch(/O vídeo não pôde ser lido/)
    expect(await reasonOf(convert(half, 'mp4'))).toMatch(/O vídeo está incompleto: só [34]s de 8s/)
  })

  test('has a poster frame from inside the video, upright', async () => {
    const path = await video(dir, { ...UPRIGHT_PHONE, container: 'mov', name: 'poster' })
    const made = await media.preview(await sourceOf(path, 'mov'), await newRun())
    const head = await sharp(made?.path).metadata()
    expect([head.format, head.width, head.height]).toEqual(['webp', 180, 320])
    expect(await quadrantColours(made?.path ?? '')).toBe(UPRIGHT)
  })

  test('reports upright dimensions', async () => {
    const path = await video(dir, { ...UPRIGHT_PHONE, name: 'facts' })
    expect(await media.inspect(await sourceOf(path, 'mp4'), await newRun())).toMatchObject({
      width: 180,
      height: 320,
      pages: null,
    })
  })
})

describe('a conversion that is stopped', () => {
  test('ends ffmpeg immediately, leaves no file under the final name and may be retried', async () => {
    const { path, FFMPEG_PATH } = await slowConversion()
    const abort = new AbortController()
    const run = await newRun(abort.signal)
    const stopped = mediaTools({ threads: 1, ffmpeg_path: FFMPEG_PATH }).convert(
      await sourceOf(path, 'mp4'),
      target(),
      {
        ...run,
        onProgress: (percent) => void (percent > 0 && abort.abort(new Error('parado'))),
      },
    )
    await expect(stopped).rejects.toThrow('parado')
    expect(await runningIn(run.dir)).toEqual([])
    expect((await readdir(run.dir)).filter((name) => name.startsWith('converted'))).toEqual([])
  })

  test('before it began does nothing', async () => {
    const path = await video(dir, { ...SMALL, name: 'never' })
    const run = await newRun(AbortSignal.abort(new Error('parado')))
    await expect(media.convert(await sourceOf(path, 'mp4'), target(), run)).rejects.toThrow('parado')
    expect(await readdir(run.dir)).toEqual([])
  })
})

test('a killed worker terminates its ffmpeg', async () => {
  const { path, FFMPEG_PATH } = await slowConversion()
  const run = await newRun()
  const started = spawn(process.execPath, [
    fileURLToPath(new URL('convert-one.ts', import.meta.url)),
    path,
    run.dir,
    FFMPEG_PATH,
  ])
  await once(started.stdout, 'data')
  expect(await runningIn(run.dir)).not.toEqual([])
  started.kill('SIGKILL')
  await once(started, 'exit')
  await expect.poll(() => runningIn(run.dir), { timeout: 3_000 * slowness() }).toEqual([])
})

/** Command lines of running processes that contain the folder. */
async function runningIn(folder: string) {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(folder))
}

test('a wrong path to ffmpeg is an infrastructure error, not one of the video', async () => {
  const path = await video(dir, { ...SMALL, name: 'tools' })
  const broken = mediaTools({ threads: 1, ffmpeg_path: '/nowhere/ffmpeg' })
  const failure = broken.convert(await sourceOf(path, 'mp4'), target(), await newRun())
  await expect(failure).rejects.toThrow('O ffmpeg configurado não pôde ser executado')
  await expect(failure).rejects.not.toMatchObject({ name: 'CannotConvert' })
})
