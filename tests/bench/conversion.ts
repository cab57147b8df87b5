import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrateToLatest } from '@garantia/migrations'
import { requestAllConversions } from '@garantia/server/features/evidence/conversion'
import { enqueueAll, inTransaction, type Kernel } from '@garantia/server/kernel'
import { IMAGE_LONG_SIDE, packageLimit, payloadLimit, planShares } from '@garantia/shared/evidence/budget'
import { startWorker } from '@garantia/worker'
import { findBinaries } from '@garantia/worker/media/binaries'
import { mediaTools } from '@garantia/worker/media/media'
import sharp from 'sharp'
import { repeat, watchFfmpeg } from './ffmpeg-calls.ts'
import { bareSharp, finalEncodings } from './final-encoding.ts'
import { isQuick, isWanted, options } from './options.ts'
import { record } from './record.ts'
import { photo, video } from './sample-media.ts'
import { type BenchContext, bench, median, note, rounds, timed } from './support.ts'

/** Conversions and thumbnails through the real queue against the tools alone (goal P7). */
const ROUNDS = options.rounds ?? (isQuick ? 1 : 3)
const PHOTOS = isQuick ? 4 : 48
const VIDEOS = 2
const SECONDS = isQuick ? 4 : 12
const LIMITS_MB = [100, 10]
/** As many as a worker converts at a time. */
const AT_ONCE = 2

interface Sources {
  dir: string
  paths: string[]
  type: 'image' | 'video'
}

async function work(benchContext: BenchContext) {
  const { kernel } = benchContext
  await migrateToLatest(kernel.pool)
  const { ffmpeg } = await findBinaries({})
  const calls = await watchFfmpeg(ffmpeg, join(benchContext.dir, 'ffmpeg'))
  sharp.cache(false)
  sharp.concurrency(1)
  const wants = (kind: string) => LIMITS_MB.some((limit) => isWanted(`${kind} into ${limit} MB`))
  const photoCount = wants('photos') || isWanted('thumbnails') ? PHOTOS : 0
  const photos = await generateMedia(benchContext, 'image', photoCount, async (path) =>
    writeFile(path, await photo()),
  )
  const videos = await generateMedia(benchContext, 'video', wants('videos') ? VIDEOS : 0, (path) =>
    video(ffmpeg, path, SECONDS),
  )
  note('media made')

  for (const limit of LIMITS_MB) {
    const name = `photos into ${limit} MB`
    if (!isWanted(name)) continue
    const order = await orderWith(benchContext, photos, limit)
    // The facts of a file are known when a user starts its conversion.
    await converted(kernel, order)
    const copies = await finalEncodings(benchContext, order)
    const samples = await rounds(ROUNDS, {
      ours: () => converted(kernel, order),
      tools: () => withTools(benchContext, photos, limit),
      sharp: () => twoAtATime(photos.paths, (path, index) => bareSharp(path, copies[index])),
    })
    note(name)
    await recordPackage(benchContext, { name, order, limit }, samples.ours, samples.tools, samples.sharp)
  }
  for (const limit of LIMITS_MB) {
    const name = `videos into ${limit} MB`
    if (!isWanted(name)) continue
    const order = await orderWith(benchContext, videos, limit)
    await converted(kernel, order)
    // The product's own calls are made where nothing can be written beside the file.
    await withTools(benchContext, videos, limit, calls.program)
    const jobs = await calls.take()
    if (jobs.length !== videos.paths.length)
      throw new Error(`${jobs.length} videos were seen being converted`)
    const samples = await rounds(ROUNDS, {
      ours: () => converted(kernel, order),
      tools: () => withTools(benchContext, videos, limit),
      ffmpeg: () =>
        twoAtATime(videos.paths, (path, index) => repeat(ffmpeg, jobs[index] ?? [], path, videos.dir)),
    })
    note(name)
    await recordPackage(benchContext, { name, order, limit }, samples.ours, samples.tools, samples.ffmpeg)
  }
  if (isWanted('thumbnails')) await measurePreviews(benchContext, photos)
}

/** The reference is sharp (our last encoding of each photo and no other) or ffmpeg (the same arguments), two at a time. */
async function recordPackage(
  benchContext: BenchContext,
  { name, order, limit }: { name: string; order: number; limit: number },
  ours: number[],
  tools: number[],
  bare: number[],
) {
  const [product, alone, reference] = [median(ours), median(tools), median(bare)]
  const { count, done, bytes } = await outcome(benchContext, order)
  record(
    { name, unit: 'ms', product, reference, ratio: reference / product },
    {
      name: `${name}: against our tools alone`,
      unit: 'ms',
      product,
      reference: alone,
      ratio: alone / product,
    },
    { name: `${name}: of the limit`, unit: '%', product: (100 * bytes) / packageLimit(limit) },
    { name: `${name}: budget used`, unit: '%', product: (100 * bytes) / payloadLimit(limit, count) },
    { name: `${name}: not converted`, unit: '', product: count - done },
  )
}

/** Thumbnails with quality checks, from the last upload to the last thumbnail. */
async function measurePreviews(benchContext: BenchContext, photos: Sources) {
  const { kernel } = benchContext
  const order_id = await orderWith(benchContext, photos, 100)
  const ours = async () => {
    const worker = await startWorker(kernel)
    try {
      return await timed(async () => {
        await askForPreviews(kernel, order_id)
        await noneLeft(() => unseen(kernel, order_id))
      })
    } finally {
      await worker.stop()
    }
  }
  // A warm worker that has made thumbnails before, as one has a minute after its start.
  await ours()
  const samples = await rounds(ROUNDS + 2, {
    ours,
    sharp: () => twoAtATime(photos.paths, (path) => bareThumbnail(path)),
  })
  const [product, reference] = [median(samples.ours), median(samples.sharp)]
  // The reference only shrinks; the product also measures sharpness and computes a fingerprint.
  record({ name: 'thumbnails', unit: 'ms', product, reference, ratio: reference / product })
}

const askForPreviews = ({ ctx }: Kernel, order_id: number) =>
  inTransaction(ctx, async (ctx) => {
    const files = await ctx.db
      .updateTable('evidence_files')
      .set({ preview_key: null })
      .where('order_id', '=', order_id)
      .returning('id')
      .execute()
    await enqueueAll(
      ctx,
      'preview-evidence',
      files.map(({ id }) => ({ key: `preview:${id}`, payload: { evidence_id: id } })),
    )
  })
async function unseen({ ctx }: Kernel, order_id: number) {
  const { left } = await ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('preview_key', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .executeTakeFirstOrThrow()
  return left
}

async function generateMedia(
  { dir }: BenchContext,
  type: Sources['type'],
  count: number,
  make: (path: string) => Promise<unknown>,
) {
  const own = join(dir, type)
  await mkdir(own)
  const paths = Array.from({ length: count }, (_, i) => join(own, `${i}.${type === 'image' ? 'jpg' : 'mp4'}`))
  for (const path of paths) await make(path)
  return { dir: own, paths, type }
}

async function orderWith({ make }: BenchContext, { paths, type }: Sources, max_file_size_mb: number) {
  const brand = await make.brand({ max_file_size_mb, max_evidence_count: 100 })
  const order = await make.order({ brand_id: brand.id, status: 'in_progress' })
  const format = type === 'image' ? 'jpeg' : 'mp4'
  for (const path of paths)
    await make.evidence(
      { order_id: order.id, file_type: type, format, evidence_category: 'defeito' },
      await readFile(path),
    )
  return order.id
}

/** From the request to the last converted file, with an idle worker. */
async function converted(kernel: Kernel, order_id: number) {
  const worker = await startWorker(kernel)
  try {
    return await timed(async () => {
      await requestAllConversions(kernel.ctx, order_id, true)
      await noneLeft(() => converting(kernel, order_id))
    })
  } finally {
    await worker.stop()
  }
}
/** Polls every 1 % of the elapsed time: polling takes processor time from what is measured. */
async function noneLeft(count: () => Promise<number>) {
  const start = performance.now()
  while ((await count()) > 0) await sleep(Math.max(5, Math.min(200, (performance.now() - start) / 100)))
}
async function converting({ ctx }: Kernel, order_id: number) {
  const { left } = await ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .where('status', '=', 'converting')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .executeTakeFirstOrThrow()
  return left
}

/** What the jobs do to the files, without queue, database and storage. */
async function withTools(
  { dir }: BenchContext,
  { paths, type }: Sources,
  limit: number,
  ffmpeg_path?: string,
) {
  const media = mediaTools({ threads: 1, ...(ffmpeg_path && { ffmpeg_path }) })
  const items = await Promise.all(
    paths.map(async (path, id) => ({
      id,
      file_type: type,
      file_size: (await stat(path)).size,
      pixels: type === 'image' ? 12_000_000 : 1920 * 1080,
      duration_seconds: type === 'image' ? null : SECONDS,
      committed_bytes: null,
    })),
  )
  const shares = planShares(items, limit)
  return twoAtATime(paths, async (path, id) => {
    const own = await mkdtemp(join(dir, 'tools-'))
    const format = type === 'image' ? 'jpeg' : 'mp4'
    const source = { path: join(own, `original.${format}`), format, size: items[id]?.file_size ?? 0 } as const
    await copyFile(path, source.path)
    const run = { dir: own, signal: new AbortController().signal, onProgress: () => undefined }
    await media.inspect(source, run)
    const target = {
      budget_bytes: shares.get(id)?.bytes ?? 0,
      image_formats: ['jpg'],
      video_formats: ['mp4'],
      long_side: IMAGE_LONG_SIDE,
      keep_gps: false,
    }
    await media.convert(source, target, run)
    await rm(own, { recursive: true })
  })
}

async function bareThumbnail(path: string) {
  const out = `${path}.out`
  await sharp(path)
    .autoOrient()
    .resize(480, 480, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 75 })
    .toFile(out)
  await rm(out)
}

const twoAtATime = (paths: string[], work: (path: string, index: number) => Promise<void>) =>
  timed(async () => {
    const queue = [...paths.entries()]
    const one = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) await work(next[1], next[0])
    }
    await Promise.all(Array.from({ length: AT_ONCE }, one))
  })

async function outcome({ kernel }: BenchContext, order_id: number) {
  const files = await kernel.ctx.db
    .selectFrom('evidence_files')
    .where('order_id', '=', order_id)
    .select(['status', 'converted_size', 'error'])
    .execute()
  const done = files.filter(({ status }) => status === 'converted')
  for (const { error } of files) if (error) console.log(error)
  const bytes = done.reduce((sum, { converted_size }) => sum + (converted_size ?? 0), 0)
  return { count: files.length, done: done.length, bytes }
}

await bench('Conversion', work)
