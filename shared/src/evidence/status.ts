import type { Badge } from '../orders/status.ts'

export const EVIDENCE_STATUSES = ['pending', 'converting', 'converted', 'failed'] as const
export type EvidenceStatus = (typeof EVIDENCE_STATUSES)[number]

export const EVIDENCE_STATUS: Record<EvidenceStatus, Badge> = {
  pending: { label: 'Pendente', colour: 'yellow' },
  converting: { label: 'Processando', colour: 'blue' },
  converted: { label: 'Pronto', colour: 'green' },
  failed: { label: 'Erro', colour: 'red' },
}

/** Whether a file may be converted: pending or failed, or converted when forced (STA-23, D-08). */
export const canConvert = (status: EvidenceStatus, force = false) =>
  status === 'pending' || status === 'failed' || (force && status === 'converted')

/** A file is not deleted while the worker converts it (D-08). */
export const canDelete = (status: EvidenceStatus) => status !== 'converting'
