import { countsOf, storedMarksOf } from '@garantia/shared/evidence/marks'
import { z } from 'zod'
import type { EvidenceRow } from '../../evidence/files/service.ts'
import type { PackagedFile } from '../../evidence/package/service.ts'

/** Where the time of capture was read; null without one. */
export function captureSource({ captured_at, app_captured_at, file_type }: EvidenceRow) {
  if (!captured_at) return null
  if (captured_at.getTime() === app_captured_at?.getTime()) return 'app_clock'
  return file_type === 'video' ? 'container_creation_time' : 'exif_date_time_original'
}

export interface Step {
  step: 'upright' | 'rotated' | 'resized' | 'marked' | 'rewritten' | 'location_removed'
  [detail: string]: unknown
}

/**
 * What was done to an original to make its copy, in the order in which it was done, and what has stayed the same.
 * `rewritten`: the bytes are others, because the file was encoded anew or cut at its end.
 */
export function transformation({ row, sha256 }: PackagedFile, keep_gps: boolean) {
  if (sha256 === row.sha256) return { steps: [], unchanged: ['bytes'] }
  const turned = row.rotation % 180 !== 0
  const upright = [row.original_width, row.original_height]
  const from = turned ? upright.toReversed() : upright
  const to = [row.width, row.height]
  const isResized = !from.includes(null) && !to.includes(null) && from.join() !== to.join()
  const isUpright = row.orientation !== null && row.orientation !== 1
  const hasLost = row.has_location === true && !keep_gps
  const steps: Step[] = [
    ...(isUpright ? [{ step: 'upright' as const, exif_orientation: row.orientation }] : []),
    ...(row.rotation === 0 ? [] : [{ step: 'rotated' as const, degrees_clockwise: row.rotation }]),
    ...(isResized ? [{ step: 'resized' as const, from, to }] : []),
    ...(row.marks === null ? [] : [{ step: 'marked' as const, marks: countsOf(storedMarksOf(row.marks)) }]),
    { step: 'rewritten', from: row.format, to: row.converted_format },
    ...(hasLost ? [{ step: 'location_removed' as const }] : []),
  ]
  const unchanged = [
    ...(isUpright || row.rotation !== 0 ? [] : ['orientation']),
    ...(isResized || from.includes(null) ? [] : ['dimensions']),
    ...(row.format === row.converted_format ? ['format'] : []),
  ]
  return { steps, unchanged }
}

const sealedFiles = z.object({
  files: z.array(
    z.object({ name: z.string(), sha256: z.string(), original: z.object({ sha256: z.string() }) }),
  ),
})
type ComparedFile = z.output<typeof sealedFiles>['files'][number]

/** The version sealed before this one. */
export interface PreviousVersion {
  about: { version: number; sealed_at: string; manifest_sha256: string }
  files: readonly ComparedFile[]
}

/** The files of a sealed version, of whatever format its manifest is. */
export const filesIn = (manifest: string) => sealedFiles.parse(JSON.parse(manifest)).files

/** Names of the files that only one of two versions has, and of those whose copy of the same original differs. */
export function differenceOf(before: readonly ComparedFile[], now: readonly ComparedFile[]) {
  const earlier = new Map(before.map((file) => [file.original.sha256, file]))
  const later = new Set(now.map(({ original }) => original.sha256))
  const isNew = ({ original }: ComparedFile) => !earlier.has(original.sha256)
  const hasChanged = ({ sha256, name, original }: ComparedFile) => {
    const then = earlier.get(original.sha256)
    return then !== undefined && (then.sha256 !== sha256 || then.name !== name)
  }
  return {
    added: now.filter(isNew).map(({ name }) => name),
    removed: before.filter(({ original }) => !later.has(original.sha256)).map(({ name }) => name),
    changed: now.filter(hasChanged).map(({ name }) => name),
  }
}
