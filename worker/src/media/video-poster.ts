import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { runFfmpeg, type VideoTools } from './ffmpeg.ts'
import { previewImage } from './image.ts'
import { probe } from './probe.ts'
import { videoUnreadable } from './refusal.ts'
import type { Preview, Run, Source } from './types.ts'
import { untrustedInputFlags } from './untrusted.ts'

/**
 * Thumbnail of a frame at a tenth of the video's length, as the first frames of a phone video show the floor;
 * of the first frame where that one cannot be read. CannotConvert when neither can.
 */
export async function previewVideo(tools: VideoTools, source: Source, run: Run): Promise<Preview> {
  const video = await probe(tools, source, run)
  const output = join(run.dir, 'poster.png')
  const scale = Math.min(1, 960 / Math.max(video.width, video.height))
  const even = (side: number) => Math.max(2, Math.round((side * scale) / 2) * 2)
  for (const at of [(video.duration ?? 0) / 10, 0]) {
    await runFfmpeg(tools, {
      input: source.path,
      input_options: [...(at > 0 ? ['-ss', at.toFixed(3)] : []), ...untrustedInputFlags(source.format)],
      output_options: [
        ...[
          '-map',
          `0:${video.stream}`,
          '-frames:v',
          '1',
          '-vf',
          `scale=${even(video.width)}:${even(video.height)}`,
        ],
        ...['-c:v', 'png', '-f', 'image2'],
      ],
      output,
      duration: null,
      most_bytes: 100_000_000,
      signal: AbortSignal.any([run.signal, AbortSignal.timeout(2 * 60_000)]),
    })
    const size = await stat(output).then(
      (made) => made.size,
      () => 0,
    )
    if (size > 0) return previewImage({ path: output, format: 'png', size }, run)
  }
  throw videoUnreadable()
}
