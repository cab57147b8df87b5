import { Button } from '@blueprintjs/core'
import { RefreshIcon } from '@blueprintjs/icons'
import type { EvidenceRules } from '@garantia/shared/brands/schema'
import { type EstimatedFile, estimatePackage, estimateText } from '@garantia/shared/evidence/estimate'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { guessFileType } from '../files/guess-file-type.ts'
import type { UploadItem } from '../upload/upload-item.ts'
import { useVideoDurations } from './use-video-durations.ts'

interface Props {
  rules: EvidenceRules | undefined
  present: readonly EvidenceFile[]
  /** Files chosen for upload; those sent, already on the order or refused are ignored. */
  items: readonly UploadItem[]
  /** Asks for confirmation, then converts already converted files again. */
  onReconvert?: (() => void) | null
}

/**
 * Estimates whether all files will fit the brand's package limit, before anything is sent or converted
 * (beyond 2.1).
 */
export function PackageFitNotice({ rules, present, items, onReconvert }: Props) {
  const coming = items.filter(({ state }) => !FINISHED_STATES.includes(state))
  const lengths = useVideoDurations(coming.map(({ file }) => file))
  const files = [
    ...present.map(presentFile),
    ...coming.map(({ key, file }) => comingFile(key, file, lengths.get(file) ?? null)),
  ]
  if (!rules || files.every(({ committed_bytes }) => committed_bytes !== null)) return null
  const estimate = estimatePackage(files, rules.max_file_size_mb)
  return (
    <div
      className={`package-fit-notice ${estimate.fits ? 'is-within-limit' : 'is-over-limit'}`}
      role="status"
    >
      <p className="numeric">{estimateText(estimate)}</p>
      {estimate.advice.length > 0 && (
        <ul>
          {estimate.advice.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {estimate.fitsReconverted && (
        <p>
          Cabe se os arquivos prontos forem convertidos de novo, menores.{' '}
          {onReconvert && (
            <Button
              size="small"
              icon={<RefreshIcon />}
              text="Converter todos de novo"
              onClick={onReconvert}
            />
          )}
        </p>
      )}
    </div>
  )
}

const FINISHED_STATES: readonly UploadItem['state'][] = ['sent', 'already_there', 'refused']

const presentFile = (file: EvidenceFile): EstimatedFile => ({
  id: file.id,
  name: file.original_filename,
  file_type: file.file_type,
  file_size: file.file_size,
  pixels: file.width && file.height ? file.width * file.height : null,
  duration_seconds: file.duration_seconds,
  pages: file.pages,
  committed_bytes: file.status === 'converted' ? file.converted_size : null,
})
/** Files not uploaded yet get negative ids, which no row has. */
const comingFile = (key: number, file: File, duration_seconds: number | null): EstimatedFile => ({
  id: -key,
  name: file.name,
  file_type: guessFileType(file) ?? 'document',
  file_size: file.size,
  pixels: null,
  duration_seconds,
  committed_bytes: null,
})
