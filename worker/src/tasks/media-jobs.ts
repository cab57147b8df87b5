import type { Kernel } from '@garantia/server/kernel'
import { mediaTools } from '../media/media.ts'
import type { Jobs } from '../task.ts'
import { convertEvidence } from './convert-evidence.ts'
import type { CpuLimiter } from './cpu-limiter.ts'
import { previewEvidence } from './preview-evidence.ts'

/** The jobs that decode files, with one set of tools. */
export function mediaJobs(
  config: Kernel['ctx']['config'],
  cpuLimiter: CpuLimiter,
): Pick<Jobs, 'convert-evidence' | 'preview-evidence'> {
  const media = mediaTools({
    ...(config.FFMPEG_PATH && { ffmpeg_path: config.FFMPEG_PATH }),
    ...(config.FFPROBE_PATH && { ffprobe_path: config.FFPROBE_PATH }),
    threads: 1,
  })
  return {
    'convert-evidence': convertEvidence(media, cpuLimiter),
    'preview-evidence': previewEvidence(media, cpuLimiter),
  }
}
