import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { EVIDENCE_STATUSES, type EvidenceStatus } from '@garantia/shared/evidence/status'

export interface FileCounts {
  total: number
  pending: number
  converting: number
  converted: number
  failed: number
}

export function countFiles(files: readonly Pick<EvidenceFile, 'status'>[]): FileCounts {
  const counts: FileCounts = { total: files.length, pending: 0, converting: 0, converted: 0, failed: 0 }
  for (const { status } of files) counts[status]++
  return counts
}

/**
 * «CONVERTING» and «EvidenceStatus.converting» both mean converting (STA-20); an unknown status counts as
 * pending.
 */
export function plainStatus(status: string): EvidenceStatus {
  const word = status.toLowerCase().split('.').pop()
  return EVIDENCE_STATUSES.find((one) => one === word) ?? 'pending'
}
