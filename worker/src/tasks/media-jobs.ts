import { openDecoders } from '../decoder/decoders.ts'
import type { DecoderHost } from '../decoder/place.ts'
import type { Jobs, MEDIA_JOBS } from '../task.ts'
import { convertEvidence } from './convert-evidence.ts'
import type { CpuLimiter } from './cpu-limiter.ts'
import { previewEvidence } from './preview-evidence.ts'
import { readEvidencePhoto, readVehiclePhotoJob } from './read-photos.ts'

/** The jobs that decode files, with one set of processes; `close` ends these. */
export function mediaJobs(
  cpuLimiter: CpuLimiter,
  host: DecoderHost,
): Pick<Jobs, (typeof MEDIA_JOBS)[number]> & { close(): Promise<void> } {
  const decoders = openDecoders(host)
  return {
    'convert-evidence': convertEvidence(decoders, cpuLimiter),
    'preview-evidence': previewEvidence(decoders, cpuLimiter),
    'read-evidence': readEvidencePhoto(decoders),
    'read-vehicle-photo': readVehiclePhotoJob(decoders),
    // The libraries of its documents are larger than the rest of the worker.
    'build-dossier': async (...job) => {
      const { buildDossier } = await import('./build-dossier.ts')
      return buildDossier(decoders, cpuLimiter)(...job)
    },
    'read-order-import': async (...job) => {
      const { readOrderImport } = await import('./read-sheet.ts')
      return readOrderImport(decoders, cpuLimiter)(...job)
    },
    'read-remittance': async (...job) => {
      const { readRemittance } = await import('./read-sheet.ts')
      return readRemittance(decoders, cpuLimiter)(...job)
    },
    close: () => decoders.close(),
  }
}
