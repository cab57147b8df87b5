import { FORMATS } from '@garantia/shared/evidence/formats'
import { type BinaryPaths, findBinaries } from './binaries.ts'
import { convertDocument, NO_FACTS } from './copy.ts'
import { convertImage, inspectImage, previewImage } from './image.ts'
import { convertPdf, inspectPdf } from './pdf.ts'
import { emptyFile } from './refusal.ts'
import type { Converted, InspectedFacts, Preview, Run, Source, Target } from './types.ts'
import { convertVideo, inspectVideo } from './video.ts'
import { previewVideo } from './video-poster.ts'

export { CannotConvert } from './refusal.ts'
export type { Converted, Facts, InspectedFacts, Preview, Run, Source, Target } from './types.ts'

/**
 * Inspects, converts and previews files; knows nothing of orders. A file that cannot be processed is
 * refused with CannotConvert. `threads` is per ffmpeg run; the binaries are looked up at the first video.
 */
export function mediaTools(settings: BinaryPaths & { threads: number }) {
  const { threads } = settings
  let found: ReturnType<typeof findBinaries> | undefined
  const video = async () => {
    found ??= findBinaries(settings)
    found.catch(() => {
      found = undefined
    })
    return { ...(await found), threads }
  }

  return {
    /** Metadata of the original, from its header where possible. */
    async inspect(source: Source, run: Run): Promise<InspectedFacts> {
      begin(source, run)
      const { type } = FORMATS[source.format]
      if (type === 'image') return inspectImage(source)
      if (type === 'video') return inspectVideo(await video(), source, run)
      if (type === 'pdf') return { ...(await inspectPdf(source, run)), ...UNNOTED }
      return { ...NO_FACTS, ...UNNOTED }
    },

    /** Writes the converted file into `run.dir`; progress in whole percent, 100 once it is finished. */
    async convert(source: Source, target: Target, run: Run): Promise<Converted> {
      begin(source, run)
      const { type } = FORMATS[source.format]
      const steady = steadily(run)
      const converted =
        type === 'image'
          ? await convertImage(source, target, steady)
          : type === 'video'
            ? await convertVideo(await video(), source, target, steady)
            : type === 'pdf'
              ? await convertPdf(source, target, steady)
              : await convertDocument(source, target, steady)
      run.signal.throwIfAborted()
      run.onProgress(100)
      return converted
    },

    /** Thumbnail and quality figures of a picture or a video; null for other types. */
    async preview(source: Source, run: Run): Promise<Preview | null> {
      const { type } = FORMATS[source.format]
      if (type !== 'image' && type !== 'video') return null
      begin(source, run)
      return type === 'image' ? previewImage(source, run) : previewVideo(await video(), source, run)
    },
  }
}

const UNNOTED = { camera: null, orientation: null, has_location: null }

export type MediaTools = ReturnType<typeof mediaTools>

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
