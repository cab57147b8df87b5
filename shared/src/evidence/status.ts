import type { Badge } from '../orders/status.ts'

export const EVIDENCE_STATUSES = ['pending', 'converting', 'converted', 'failed'] as const
export type EvidenceStatus = (typeof EVIDENCE_STATUSES)[number]

export const EVIDENCE_STATUS: Record<EvidenceStatus, Badge> = {
  pending: { label: 'Pendente', colour: 'yellow' },
  converting: { label: 'Processando', colour: 'blue' },
  converted: { label: 'Pronto', colour: 'green' },
  failed: { label: 'Erro', colour: 'red' },
}

/** A file that waits or failed may be processed; a converted one only when forced (STA-23, D-08). */
export const canConvert = (status: EvidenceStatus, force = false) =>
  status === 'pending' || status === 'failed' || (force && status === 'converted')

/** A file being converted is not deleted under the worker's feet (D-08). */
export const canDelete = (status: EvidenceStatus) => status !== 'converting'
