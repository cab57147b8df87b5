import { FORMATS } from '@garantia/shared/evidence/formats'
import { type Binaries, type BinaryPaths, binariesFinder } from './binaries.ts'
import { NO_FACTS } from './copy.ts'
import { emptyFile } from './refusal.ts'
import type {
  Converted,
  InspectedFacts,
  PagePicture,
  PageSize,
  PictureReading,
  Preview,
  ReadingWish,
  Run,
  Source,
  Target,
} from './types.ts'

export { CannotConvert } from './refusal.ts'
export type * from './types.ts'

/** Inspects, converts and previews files; knows nothing of orders. Refuses with CannotConvert what it cannot process. */
export interface MediaTools {
  /** Metadata of the original, from its header where possible. */
  inspect(source: Source, run: Run): Promise<InspectedFacts>
  /** Writes the converted file into `run.dir`; progress in whole percent, 100 once it is finished. */
  convert(source: Source, target: Target, run: Run): Promise<Converted>
  /** Thumbnail and quality figures of a picture or a video; null for other types. */
  preview(source: Source, run: Run): Promise<Preview | null>
  /** A picture as JPEG of a page or a slide, in `run.dir`. */
  page(source: Source, size: PageSize, run: Run): Promise<PagePicture>
  /** Plates, chassis numbers, mileages and codes in a picture; nothing in other types. */
  read(source: Source, wish: ReadingWish, run: Run): Promise<PictureReading>
  /** The rows of a workbook as JSON, in `run.dir`. */
  sheet(source: Source, run: Run): Promise<{ path: string }>
}

/** Loaded with the first file of their type: a process has one type, and the libraries of all take half a second. */
const TOOLS = {
  image: () => import('./image.ts'),
  video: () => import('./video.ts'),
  pdf: () => import('./pdf.ts'),
  document: () => import('./document.ts'),
}

/** The tools in this process. `threads` is per ffmpeg run; the programs are looked up at the first video. */
export const mediaTools = ({ threads, ...paths }: BinaryPaths & { threads: number }) =>
  mediaToolsWith({ threads, binaries: binariesFinder(paths) })

/** Like mediaTools, with programs that somebody else has looked up. */
export function mediaToolsWith({
  threads,
  binaries,
}: {
  threads: number
  binaries: () => Promise<Binaries>
}): MediaTools {
  const video = async () => ({ ...(await binaries()), threads })

  return {
    async inspect(source, run) {
      begin(source, run)
      const { type } = FORMATS[source.format]
      if (type === 'image') return (await TOOLS.image()).inspectImage(source)
      if (type === 'video') return (await TOOLS.video()).inspectVideo(await video(), source, run)
      if (type === 'pdf') return { ...(await (await TOOLS.pdf()).inspectPdf(source, run)), ...UNNOTED }
      return { ...NO_FACTS, ...UNNOTED }
    },

    async convert(source, target, run) {
      begin(source, run)
      const { type } = FORMATS[source.format]
      const steady = steadily(run)
      const converted =
        type === 'image'
          ? await (await TOOLS.image()).convertImage(source, target, steady)
          : type === 'video'
            ? await (await TOOLS.video()).convertVideo(await video(), source, target, steady)
            : type === 'pdf'
              ? await (await TOOLS.pdf()).convertPdf(source, target, steady)
              : await (await TOOLS.document()).convertDocument(source, target, steady)
      run.signal.throwIfAborted()
      run.onProgress(100)
      return converted
    },

    async preview(source, run) {
      const { type } = FORMATS[source.format]
      if (type !== 'image' && type !== 'video') return null
      begin(source, run)
      return type === 'image'
        ? (await TOOLS.image()).previewImage(source, run)
        : (await import('./video-poster.ts')).previewVideo(await video(), source, run)
    },

    async page(source, size, run) {
      begin(source, run)
      const { pagePicture } = await import('./page-picture.ts')
      return pagePicture(source, size, run)
    },

    async read(source, wish, run) {
      begin(source, run)
      const { readPicture } = await import('./reading.ts')
      return readPicture(source, wish, run)
    },

    async sheet(source, run) {
      begin(source, run)
      const { readSheet } = await import('./sheet.ts')
      return readSheet(source, run)
    },
  }
}

const UNNOTED = { camera: null, orientation: null, has_location: null }

function begin(source: Source, run: Run) {
  run.signal.throwIfAborted()
  if (source.size === 0) throw emptyFile()
}

/** Progress in whole percent that never decreases and stops at 99: 100 is reported with the finished file. */
function steadily(run: Run): Run {
  let highest = 0
  return {
    ...run,
    onProgress(percent) {
      highest = Math.max(highest, Math.min(99, Math.floor(percent)))
      run.onProgress(highest)
    },
  }
}
