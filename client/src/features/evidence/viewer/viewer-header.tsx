import { EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { EVIDENCE_STATUS } from '@garantia/shared/evidence/status'
import { StatusBadge } from '../../../ui/feedback/badge.tsx'
import { dialogTitle } from '../../../ui/overlay/dialog-focus.ts'

interface Props {
  titleId: string
  file: EvidenceFile
  index: number
  total: number
}

export const ViewerHeader = ({ titleId, file, index, total }: Props) => (
  <header className="viewer-header viewer-title">
    <h2 id={titleId} {...dialogTitle} className="clip" title={file.original_filename}>
      {file.original_filename}
    </h2>
    <p>
      <span className="numeric muted">
        {index + 1} de {total}
      </span>
      <StatusBadge badge={EVIDENCE_STATUS[file.status]} />
      {file.evidence_category && (
        <span className="evidence-category clip">{EVIDENCE_CATEGORY[file.evidence_category]}</span>
      )}
    </p>
  </header>
)

/** Screen reader text when another file is shown or the current one changes. */
export const positionOf = (
  { original_filename, status, evidence_category, rotation }: EvidenceFile,
  index: number,
  total: number,
) =>
  [
    `${index + 1} de ${total}: ${original_filename}`,
    EVIDENCE_STATUS[status].label,
    evidence_category ? EVIDENCE_CATEGORY[evidence_category] : 'Sem categoria',
    rotation !== 0 && `girada ${rotation}°`,
  ]
    .filter(Boolean)
    .join(', ')
