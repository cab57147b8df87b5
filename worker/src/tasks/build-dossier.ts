import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import {
  archiveOf,
  type DossierBuild,
  failDossier,
  type MadePart,
  readContents,
  reportDossier,
  sealDossier,
} from '@garantia/server/features/records/dossier'
import type { Ctx } from '@garantia/server/kernel'
import type { DossierPart } from '@garantia/shared/dossier/schema'
import { AppError, textOf } from '@garantia/shared/errors'
import { writeArchive } from '../dossier/archive.ts'
import { writeReport } from '../dossier/report.ts'
import { writeSlides } from '../dossier/slides.ts'
import { pagePicture } from '../media/page-picture.ts'
import type { Job } from '../task.ts'
import { createCpuLimiter } from './cpu-limiter.ts'

const BUILD_FAILED_MESSAGE = 'Não foi possível montar o dossiê. Gere-o de novo.'
/** Longest side (px) and JPEG quality. Large enough for a slide; report and slides are made from it. */
const MASTER = [1600, 88] as const
const IN_REPORT = [640, 78] as const

/** Builds and seals one version of an order's dossier. */
export const buildDossier =
  (cpuLimiter = createCpuLimiter(1)): Job<'build-dossier'> =>
  async (ctx, { dossier_id }, { signal, lastTry }) => {
    try {
      const building = await readContents(ctx, dossier_id)
      if (building)
        await cpuLimiter.run(signal, () =>
          ctx.scratch.within('dossier', (dir) => build(ctx, building, dir, signal)),
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

async function build(ctx: Ctx, building: DossierBuild, dir: string, signal: AbortSignal) {
  const { dossier_id, order_id, brand } = building
  const sealed_at = ctx.clock()
  const made: MadePart[] = []
  try {
    const pictures = await gatherPictures(ctx, building, dir, signal)
    const pdf = join(dir, 'dossie.pdf')
    const pictureInReport = async (id: number) => {
      const path = pictures.get(id)
      return path ? ((await pagePicture(path, ...IN_REPORT))?.data ?? null) : null
    }
    await writeReport(building, pictureInReport, pdf, sealed_at)
    made.push(await store(ctx, order_id, 'pdf', pdf))
    await reportDossier(ctx, dossier_id, 70)
    signal.throwIfAborted()
    if (brand.max_powerpoint_size_mb) {
      const pptx = join(dir, 'dossie.pptx')
      const sourceOf = (id: number) => pictures.get(id) ?? null
      if (await writeSlides(building, sourceOf, pptx, brand.max_powerpoint_size_mb, sealed_at))
        made.push(await store(ctx, order_id, 'pptx', pptx))
    }
    await reportDossier(ctx, dossier_id, 85)
    signal.throwIfAborted()
    const { entries, manifest } = archiveOf(ctx, building, made, sealed_at)
    const zip = join(dir, 'dossie.zip')
    await writeArchive(entries, zip, signal)
    made.push(await store(ctx, order_id, 'zip', zip))
    await sealDossier(ctx, building, made, manifest, sealed_at)
  } catch (error) {
    for (const { key } of made) await ctx.storage.remove(key)
    throw error
  }
}

/** Writes a slide-sized JPEG of every picture and of every video's thumbnail into the job's folder. */
async function gatherPictures(
  ctx: Ctx,
  { dossier_id, files }: DossierBuild,
  dir: string,
  signal: AbortSignal,
) {
  const pictures = new Map<number, string>()
  for (const [done, { key, row }] of files.entries()) {
    signal.throwIfAborted()
    const source = row.file_type === 'image' ? key : row.file_type === 'video' ? row.preview_key : null
    if (source) {
      const copy = join(dir, 'source')
      await ctx.storage.fetch(source, copy)
      const picture = await pagePicture(copy, ...MASTER)
      await rm(copy)
      if (picture) {
        const path = join(dir, `${row.id}.jpg`)
        await writeFile(path, picture.data)
        pictures.set(row.id, path)
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
