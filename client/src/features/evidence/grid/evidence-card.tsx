import { EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import type { Reading, SuggestedCategory } from '@garantia/shared/evidence/reading'
import { readText } from '@garantia/shared/evidence/reading-warnings'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { EVIDENCE_STATUS } from '@garantia/shared/evidence/status'
import { memo } from 'react'
import { StatusBadge } from '../../../ui/feedback/badge.tsx'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import type { CardRights, FileAction } from '../files/card-actions.ts'
import { EvidenceButtons } from './evidence-buttons.tsx'
import { EvidenceOutcome } from './evidence-outcome.tsx'
import { EvidenceThumbnail } from './evidence-thumbnail.tsx'
import './evidence-card.css'

interface Props extends CardRights {
  file: EvidenceFile
  isInTabOrder: boolean
  isBusy: boolean
  isSelected: boolean
  /** Null where nothing can be done with a selection. */
  onSelect: ((file: EvidenceFile, isRange: boolean) => void) | null
  act: (action: FileAction, file: EvidenceFile) => void
}

/** One file of the order (EVI-5 to EVI-14). Memoized: rendered again only when this file changes. */
export const EvidenceCard = memo(function EvidenceCard({
  file,
  isInTabOrder,
  isSelected,
  onSelect,
  ...actionProps
}: Props) {
  const name = `evidencia-${file.id}`
  const hint = useKeyHint()
  return (
    <li>
      <article
        className={isSelected ? 'evidence-card is-selected' : 'evidence-card'}
        data-card={file.id}
        tabIndex={isInTabOrder ? 0 : -1}
        aria-labelledby={name}
      >
        <EvidenceThumbnail file={file} onView={() => actionProps.act('view', file)} />
        {onSelect && (
          <label className="evidence-select">
            <input
              type="checkbox"
              aria-label={`Selecionar ${file.original_filename}`}
              {...hint('Selecionar', 'x')}
              checked={isSelected}
              onChange={() => {}}
              onClick={(event) => {
                onSelect(file, event.shiftKey)
                // Keys continue on the card.
                event.currentTarget.closest<HTMLElement>('[data-card]')?.focus({ preventScroll: true })
              }}
            />
          </label>
        )}
        <div className="evidence-text">
          <div className="evidence-badges">
            <StatusBadge badge={EVIDENCE_STATUS[file.status]} />
            {file.reading && <ReadingBadge verdict={file.reading.verdict} />}
            {file.evidence_category && (
              <span className="evidence-category clip" title={EVIDENCE_CATEGORY[file.evidence_category]}>
                {EVIDENCE_CATEGORY[file.evidence_category]}
              </span>
            )}
            {file.suggested_category && (
              <Suggestion
                suggested={file.suggested_category}
                onAccept={actionProps.mayChange ? () => actionProps.act('accept-category', file) : null}
              />
            )}
          </div>
          <h2 id={name} className="evidence-name clip" title={file.original_filename}>
            {file.original_filename}
          </h2>
          {file.description && (
            <p className="evidence-description" title={file.description}>
              {file.description}
            </p>
          )}
          <EvidenceOutcome file={file} />
        </div>
        <EvidenceButtons file={file} {...actionProps} />
      </article>
    </li>
  )
})

/** Only what decides something; the text and its place are in the viewer. */
const READING_BADGE = {
  match: { label: 'Confere', title: 'O texto lido na foto é o da OS' },
  mismatch: { label: 'Verifique', title: 'O texto lido na foto não é o da OS' },
}
function ReadingBadge({ verdict }: { verdict: Reading['verdict'] }) {
  if (verdict !== 'match' && verdict !== 'mismatch') return null
  const { label, title } = READING_BADGE[verdict]
  return (
    <span className={`evidence-reading is-${verdict}`} title={title}>
      {label}
    </span>
  )
}

interface SuggestionProps {
  suggested: SuggestedCategory
  /** Null where the category cannot be changed. */
  onAccept: (() => void) | null
}
/** The category that a photo without one seems to have, as a press that gives it. */
function Suggestion({ suggested: { category, kind, text }, onAccept }: SuggestionProps) {
  const hint = useKeyHint()
  const label = EVIDENCE_CATEGORY[category]
  if (!onAccept) return null
  return (
    <button
      type="button"
      className="evidence-suggestion clip"
      aria-label={`Usar a categoria ${label}: a foto parece mostrar ${readText(kind, text)}`}
      {...hint(`A foto parece mostrar ${readText(kind, text)}. Usar esta categoria`, 'y')}
      onClick={onAccept}
    >
      {label}?
    </button>
  )
}
