import { Button } from '@blueprintjs/core'
import { DownloadIcon, ImportIcon, RefreshIcon } from '@blueprintjs/icons'
import { FILE_TYPE_LABEL } from '@garantia/shared/evidence/formats'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { canConvert } from '@garantia/shared/evidence/status'
import { bytes, counted } from '@garantia/shared/format'
import { useEffect, useRef, useState } from 'react'
import type { FileAction } from '../files/card-actions.ts'
import { FILE_TYPE_ICON } from '../grid/file-type-icon.tsx'

export interface SlideActionProps {
  mayConvert: boolean
  isBusy: boolean
  act: (action: FileAction, file: EvidenceFile) => void
}

export const ProcessButton = ({
  file,
  isBusy,
  act,
}: Pick<SlideActionProps, 'isBusy' | 'act'> & { file: EvidenceFile }) => (
  <Button icon={<RefreshIcon />} text="Processar" loading={isBusy} onClick={() => act('convert', file)} />
)

/** Falls back to the thumbnail for formats the browser cannot display, mainly HEIC and TIFF. */
export function Picture({ file, copy }: { file: EvidenceFile; copy: 'original' | 'converted' }) {
  const wanted = copy === 'converted' ? file.converted_url : file.original_url
  const [refused, setRefused] = useState<string | null>(null)
  const [seen, setSeen] = useState<string | null>(null)
  const isRefused = wanted === null || refused === wanted
  const address = isRefused ? file.thumbnail_url : wanted
  // The converted copy is already rotated; everything else is rotated by CSS.
  const turn = copy === 'converted' ? 0 : file.rotation
  return (
    <span className="viewer-picture" data-turn={turn}>
      {seen !== address && file.thumbnail_url && (
        <img className="viewer-placeholder" src={file.thumbnail_url} alt="" draggable={false} />
      )}
      {address ? (
        <img
          src={address}
          alt={file.original_filename}
          draggable={false}
          decoding="async"
          onLoad={() => setSeen(address)}
          onError={() => setRefused(wanted)}
        />
      ) : (
        <span className="viewer-type-icon" aria-hidden="true">
          {FILE_TYPE_ICON[file.file_type]}
        </span>
      )}
      {isRefused && (
        <span className="viewer-note">
          {address
            ? 'Prévia: este navegador não mostra o formato do original.'
            : 'Este navegador não mostra o formato do original.'}
        </span>
      )}
    </span>
  )
}

/** Original and converted side by side, each with its size. */
export const ComparisonSlide = ({ file }: { file: EvidenceFile }) => (
  <div className="viewer-pair">
    <figure>
      <Picture file={file} copy="original" />
      <figcaption className="numeric">Original · {bytes(file.file_size)}</figcaption>
    </figure>
    <figure>
      <Picture file={file} copy="converted" />
      <figcaption className="numeric">Convertido · {bytes(file.converted_size ?? 0)}</figcaption>
    </figure>
  </div>
)

export function VideoSlide({
  file,
  copy,
  isCurrent,
  mayConvert,
  isBusy,
  act,
}: SlideActionProps & { file: EvidenceFile; copy: 'original' | 'converted'; isCurrent: boolean }) {
  const player = useRef<HTMLVideoElement>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const address = copy === 'converted' ? file.converted_url : file.original_url
  useEffect(() => {
    if (!isCurrent) player.current?.pause()
  }, [isCurrent])
  if (address && refused !== address)
    return (
      // biome-ignore lint/a11y/useMediaCaption: workshop videos have no captions
      <video
        ref={player}
        key={address}
        className="viewer-video"
        src={address}
        poster={file.thumbnail_url ?? undefined}
        controls
        playsInline
        preload={isCurrent ? 'metadata' : 'none'}
        aria-label={file.original_filename}
        onError={() => setRefused(address)}
      />
    )
  return (
    <div className="viewer-fallback">
      {file.thumbnail_url && (
        <img className="viewer-poster" src={file.thumbnail_url} alt="" draggable={false} />
      )}
      <p>Este navegador não toca o formato do original. Converta para assistir.</p>
      {canConvert(file.status) && mayConvert && <ProcessButton file={file} isBusy={isBusy} act={act} />}
    </div>
  )
}

/**
 * The browser's PDF viewer does not run in a sandbox, so documents are not embedded, only offered as
 * downloads.
 */
export const DocumentSlide = ({ file, isBusy, act }: SlideActionProps & { file: EvidenceFile }) => (
  <div className="viewer-fallback">
    <span className="viewer-type-icon" aria-hidden="true">
      {FILE_TYPE_ICON[file.file_type]}
    </span>
    <p className="numeric">
      {[
        FILE_TYPE_LABEL[file.file_type],
        file.pages !== null && counted(file.pages, 'página', 'páginas'),
        bytes(file.file_size),
      ]
        .filter(Boolean)
        .join(' · ')}
    </p>
    <div className="viewer-fallback-buttons">
      {file.converted_url && (
        <Button
          icon={<DownloadIcon />}
          text="Baixar convertido"
          disabled={isBusy}
          onClick={() => act('download', file)}
        />
      )}
      <Button
        icon={<ImportIcon />}
        text="Baixar original"
        disabled={isBusy}
        onClick={() => act('original', file)}
      />
    </div>
  </div>
)
