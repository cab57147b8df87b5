import { FILE_TYPE_LABEL } from '@garantia/shared/evidence/formats'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { duration } from '@garantia/shared/format'
import { useState } from 'react'
import { KIND_ICON } from './kind-icon.tsx'

/** Keeps its shape before, while and after the picture arrives. */
export function EvidenceThumbnail({ file }: { file: EvidenceFile }) {
  const [broken, setBroken] = useState<string>()
  const address = file.thumbnail_url
  return (
    <div className="evidence-thumb">
      {address && address !== broken ? (
        <img src={address} alt="" loading="lazy" decoding="async" onError={() => setBroken(address)} />
      ) : (
        <span className="evidence-thumb-sign" aria-hidden="true">
          {KIND_ICON[file.file_type]}
        </span>
      )}
      <span className="evidence-kind">
        {KIND_ICON[file.file_type]}
        {FILE_TYPE_LABEL[file.file_type]}
      </span>
      {file.duration_seconds !== null && (
        <span className="evidence-duration numeric">{duration(file.duration_seconds)}</span>
      )}
    </div>
  )
}
