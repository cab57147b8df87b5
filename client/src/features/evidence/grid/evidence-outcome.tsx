import { ProgressBar } from '@blueprintjs/core'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { bytes, percentSaved } from '@garantia/shared/format'

/**
 * Two lines in every state, so that the card height is stable while polling; only an error message may take
 * more.
 */
export function EvidenceOutcome({ file }: { file: EvidenceFile }) {
  return (
    <div className="evidence-outcome numeric">
      <p>
        {bytes(file.file_size)}
        {file.converted_size !== null && !isSame(file.file_size, file.converted_size) && (
          <>
            {' '}
            <span aria-hidden="true">→</span>
            <span className="visually-hidden">convertido para</span>{' '}
            <strong>{bytes(file.converted_size)}</strong>{' '}
            <SizeReduction original={file.file_size} converted={file.converted_size} />
          </>
        )}
      </p>
      <SecondLine file={file} />
    </div>
  )
}

/** As they are shown: an arrow between two equal sizes says nothing. */
const isSame = (original: number, converted: number) => bytes(original) === bytes(converted)

const SizeReduction = ({ original, converted }: { original: number; converted: number }) => {
  const percent = percentSaved(original, converted)
  return (
    <span className={percent > 0 ? 'evidence-saved' : 'muted'}>{percent > 0 ? `−${percent} %` : '0 %'}</span>
  )
}

function SecondLine({ file }: { file: EvidenceFile }) {
  if (file.status === 'converting') return <ConversionProgress file={file} />
  if (file.status === 'failed')
    return <p className="evidence-reason">{file.error ?? 'A conversão falhou.'}</p>
  if (file.status === 'converted')
    return (
      <p className="clip muted" title={file.converted_filename ?? undefined}>
        {file.converted_filename}
      </p>
    )
  return <p className="muted">Ainda não convertido</p>
}

function ConversionProgress({
  file: { progress, queue_position, original_filename },
}: {
  file: EvidenceFile
}) {
  const text = queue_position === null ? `${progress} %` : `na fila: ${queue_position}º`
  return (
    <div className="evidence-running">
      <ProgressBar
        value={progress / 100}
        animate={false}
        stripes={false}
        aria-label={`Conversão de ${original_filename}`}
        aria-valuetext={text}
      />
      <span>{text}</span>
    </div>
  )
}
