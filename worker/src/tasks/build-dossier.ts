import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import {
  archiveOf,
  type DossierBuild,
  failDossier,
  type MadePart,
  prepareContents,
  readContents,
  reportDossier,
  sealDossier,
} from '@garantia/server/features/records/dossier'
import { type Ctx, productVersion } from '@garantia/server/kernel'
import type { LogoFormat } from '@garantia/shared/companies/logo'
import type { DossierPart } from '@garantia/shared/dossier/schema'
import { AppError, textOf } from '@garantia/shared/errors'
import { formatOfExtension } from '@garantia/shared/evidence/formats'
import type { Decoders } from '../decoder/decoders.ts'
import { writeArchive } from '../dossier/archive.ts'
import type { Picture } from '../dossier/picture-layout.ts'
import { writeReport } from '../dossier/report.ts'
import { type PictureReader, writeSlides } from '../dossier/slides.ts'
import { binaryPathsOf } from '../media/binaries.ts'
import type { MediaTools, PageSize, Run, Source } from '../media/media.ts'
import { CannotConvert } from '../media/refusal.ts'
import { toolVersions } from '../media/tool-versions.ts'
import type { Job } from '../task.ts'
import { createCpuLimiter } from './cpu-limiter.ts'

const BUILD_FAILED_MESSAGE = 'Não foi possível montar o dossiê. Gere-o de novo.'
/** Longest side (px) and JPEG quality. Large enough for a slide; report and slides are made from it. */
const MASTER: PageSize = { long_side: 1600, quality: 88 }
const LOGO: PageSize = { long_side: 800, quality: 90 }
const IN_REPORT: PageSize = { long_side: 1200, quality: 72 }

/** Builds and seals one version of an order's dossier. */
export const buildDossier =
  (decoders: Decoders, cpuLimiter = createCpuLimiter(1)): Job<'build-dossier'> =>
  async (ctx, { dossier_id }, { signal, lastTry }) => {
    try {
      const building = await readContents(ctx, dossier_id)
      if (building)
        await cpuLimiter.run(signal, () =>
          ctx.scratch.within('dossier', async (dir) => {
            // By itself: who sends the logo and who sends the order's files may be different people.
            const logo = await decoders.withTools(`logo ${building.order_id}`, (media) =>
              readLogo(ctx, building, pictureReader(media, runIn(dir, signal)), dir),
            )
            await decoders.withTools(building.order_id, (media) =>
              build(ctx, building, { media, logo }, dir, signal),
            )
          }),
        )
    } catch (error) {
      // A refusal with a message for the user would be the same in a retry.
      if (error instanceof AppError) await failDossier(ctx, dossier_id, textOf(error.detail))
      else {
        if (lastTry) await failDossier(ctx, dossier_id, BUILD_FAILED_MESSAGE)
        throw error
      }
    }
  }

interface BuildTools {
  media: MediaTools
  logo: Picture | null
}

async function build(
  ctx: Ctx,
  building: DossierBuild,
  { media, logo }: BuildTools,
  dir: string,
  signal: AbortSignal,
) {
  const { dossier_id, order_id, brand } = building
  const sealed_at = ctx.clock()
  const made: MadePart[] = []
  try {
    const prepared = prepareContents(
      ctx,
      building,
      sealed_at,
      await toolVersions(binaryPathsOf(ctx.config), productVersion()),
    )
    const readPicture = pictureReader(media, runIn(dir, signal))
    const pictures = await gatherPictures(ctx, building, readPicture, dir, signal)
    const pdf = join(dir, 'dossie.pdf')
    const pictureInReport = async (id: number) => {
      const source = pictures.get(id)
      return source ? readPicture(source, IN_REPORT) : null
    }
    await writeReport(building, prepared, { pictureOf: pictureInReport, logo }, pdf)
    made.push(await store(ctx, order_id, 'pdf', pdf))
    await reportDossier(ctx, dossier_id, 70)
    signal.throwIfAborted()
    if (brand.max_powerpoint_size_mb) {
      const pptx = join(dir, 'dossie.pptx')
      const sourceOf = (id: number) => pictures.get(id) ?? null
      const limit_mb = brand.max_powerpoint_size_mb
      if (await writeSlides(building, { sourceOf, readPicture, logo }, pptx, limit_mb, sealed_at))
        made.push(await store(ctx, order_id, 'pptx', pptx))
    }
    await reportDossier(ctx, dossier_id, 85)
    signal.throwIfAborted()
    const archive = await archiveOf(ctx, building, made, prepared)
    const zip = join(dir, 'dossie.zip')
    await writeArchive(archive.entries, zip, signal)
    made.push(await store(ctx, order_id, 'zip', zip))
    await sealDossier(ctx, building, made, archive)
  } catch (error) {
    for (const { key } of made) await ctx.storage.remove(key)
    throw error
  }
}

const runIn = (dir: string, signal: AbortSignal): Run => ({ dir, signal, onProgress: () => undefined })

/** The dealership's logo; null without one, or when it is unreadable. */
async function readLogo(ctx: Ctx, { logo }: DossierBuild, readPicture: PictureReader, dir: string) {
  if (!logo) return null
  const path = await ctx.storage.localPath(logo.key, join(dir, 'logo'))
  return readPicture({ path, format: logo.format as LogoFormat, size: logo.size }, LOGO)
}

/** Reads a picture as JPEG of that size; null when it is unreadable. */
const pictureReader =
  (media: MediaTools, run: Run): PictureReader =>
  async (source, size) => {
    try {
      const { path, width, height } = await media.page(source, size, run)
      const data = await readFile(path)
      await rm(path)
      return { data, width, height }
    } catch (error) {
      if (error instanceof CannotConvert) return null
      throw error
    }
  }

/** Writes a slide-sized JPEG of every picture and of every video's thumbnail into the job's folder. */
async function gatherPictures(
  ctx: Ctx,
  { dossier_id, files }: DossierBuild,
  readPicture: PictureReader,
  dir: string,
  signal: AbortSignal,
) {
  const pictures = new Map<number, Source>()
  for (const [done, { key, name, row }] of files.entries()) {
    signal.throwIfAborted()
    const source = row.file_type === 'image' ? key : row.file_type === 'video' ? row.preview_key : null
    if (source) {
      const copy = await ctx.storage.localPath(source, join(dir, 'source'))
      const format = row.file_type === 'image' ? formatOfExtension(extname(name).slice(1)) : 'webp'
      const { size } = await stat(copy)
      const picture = await readPicture({ path: copy, format: format ?? 'jpeg', size }, MASTER)
      await rm(join(dir, 'source'), { force: true })
      if (picture) {
        const path = join(dir, `${row.id}.jpg`)
        await writeFile(path, picture.data)
        pictures.set(row.id, { path, format: 'jpeg', size: picture.data.length })
      }
    }
    if (done % 5 === 4) await reportDossier(ctx, dossier_id, (60 * done) / files.length)
  }
  return pictures
}

async function store(ctx: Ctx, order_id: number, part: DossierPart, path: string): Promise<MadePart> {
  const hash = createHash('sha256')
  let crc = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk)
    crc = crc32(chunk, crc)
  }
  const { size } = await stat(path)
  const name = `dossie.${part}`
  const key = `os/${order_id}/${randomUUID()}/${name}`
  await ctx.storage.moveIn(key, path)
  return { part, name, key, size, sha256: hash.digest('hex'), crc32: crc }
}
