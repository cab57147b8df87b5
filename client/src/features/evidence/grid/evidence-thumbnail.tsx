import { FILE_TYPE_LABEL } from '@garantia/shared/evidence/formats'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { counted, duration } from '@garantia/shared/format'
import { useState } from 'react'
import { FILE_TYPE_ICON } from './file-type-icon.tsx'
import './evidence-card.css'

interface Props {
  file: EvidenceFile
  /** Absent where the thumbnail is only decoration beside a name. */
  onView?: () => void
}

/** Keeps its dimensions before, during and after loading. */
export function EvidenceThumbnail({ file, onView }: Props) {
  const [broken, setBroken] = useState<string>()
  const address = file.thumbnail_url
  const picture =
    address && address !== broken ? (
      <img
        src={address}
        alt=""
        data-turn={file.rotation}
        loading="lazy"
        decoding="async"
        onError={() => setBroken(address)}
      />
    ) : (
      <span className="evidence-thumb-icon" aria-hidden="true">
        {FILE_TYPE_ICON[file.file_type]}
      </span>
    )
  return (
    <div className="evidence-thumb">
      {onView ? (
        // The card itself opens the viewer on Enter: one tab stop per card.
        <button
          type="button"
          className="evidence-view"
          tabIndex={-1}
          aria-label={`Ver ${file.original_filename}`}
          onClick={onView}
        >
          {picture}
        </button>
      ) : (
        picture
      )}
      <span className="evidence-kind">
        {FILE_TYPE_ICON[file.file_type]}
        {FILE_TYPE_LABEL[file.file_type]}
      </span>
      {measure(file) && <span className="evidence-duration numeric">{measure(file)}</span>}
    </div>
  )
}

/** Duration of a video or number of pages. */
const measure = ({ duration_seconds, pages }: EvidenceFile) =>
  duration_seconds !== null
    ? duration(duration_seconds)
    : pages !== null && counted(pages, 'página', 'páginas')
