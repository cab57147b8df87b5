import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { type RefObject, useMemo } from 'react'
import Lightbox, { type Slide, type ZoomRef } from 'yet-another-react-lightbox'
import Inline from 'yet-another-react-lightbox/plugins/inline'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import 'yet-another-react-lightbox/styles.css'
import {
  ComparisonSlide,
  DocumentSlide,
  Picture,
  type SlideActionProps,
  VideoSlide,
} from './viewer-slides.tsx'
import './viewer-stage.css'

declare module 'yet-another-react-lightbox' {
  interface GenericSlide {
    evidence_id?: number
  }
  interface SlideEvidence extends GenericSlide {
    type: 'evidence'
  }
  interface SlideTypes {
    evidence: SlideEvidence
  }
}

const LABELS = {
  Previous: 'Arquivo anterior',
  Next: 'Próximo arquivo',
  'Photo gallery': 'Arquivos da OS',
  Carousel: 'galeria',
  Slide: 'arquivo',
  '{index} of {total}': '{index} de {total}',
}
/** Up to three screen pixels per image pixel: enough to read an engraving. */
const ZOOM_PIXELS = 3

interface Props extends SlideActionProps {
  files: readonly EvidenceFile[]
  index: number
  isComparing: boolean
  zoomRef: RefObject<ZoomRef | null>
  onIndex: (index: number) => void
  onZoom: (zoom: number) => void
}

/** Carousel of the files; photos zoom by pinch, double click and buttons. */
export function ViewerStage({ files, index, isComparing, zoomRef, onIndex, onZoom, ...actionProps }: Props) {
  const slides = useMemo(() => files.map((file) => slideOf(file, isComparing)), [files, isComparing])
  const byId = new Map(files.map((file) => [file.id, file]))
  return (
    <div ref={preventNativeTouch} className="viewer-stage">
      <Lightbox
        plugins={[Inline, Zoom]}
        slides={slides}
        index={index}
        labels={LABELS}
        className="viewer-strip"
        carousel={{ finite: true, preload: 1, padding: 0, spacing: '10%' }}
        controller={{ closeOnBackdropClick: false }}
        zoom={{ ref: zoomRef, maxZoomPixelRatio: ZOOM_PIXELS }}
        toolbar={{ buttons: [] }}
        on={{ view: ({ index }) => onIndex(index), zoom: ({ zoom }) => onZoom(zoom) }}
        render={{
          buttonZoom: () => null,
          ...(files.length < 2 && { buttonPrev: () => null, buttonNext: () => null }),
          slide: ({ slide, offset }) => {
            const file = byId.get(slide.evidence_id ?? 0)
            if (!file) return null
            const shown = file.converted_url ? 'converted' : 'original'
            if (file.file_type === 'video')
              return <VideoSlide file={file} copy={shown} isCurrent={offset === 0} {...actionProps} />
            if (file.file_type !== 'image') return <DocumentSlide file={file} {...actionProps} />
            return isComparing && file.converted_url ? (
              <ComparisonSlide file={file} />
            ) : (
              <Picture file={file} copy={shown} />
            )
          },
        }}
      />
    </div>
  )
}

/**
 * Prevents the browser's own touch handling: the carousel follows the finger itself, and a fling seen by the
 * browser too would swallow the next tap.
 */
function preventNativeTouch(stage: HTMLElement | null) {
  const handleTouchMove = (event: TouchEvent) => {
    // Videos are seeked with the browser's own controls.
    const isOnVideo = event.target instanceof Element && event.target.closest('video')
    if (event.cancelable && !isOnVideo) event.preventDefault()
  }
  stage?.addEventListener('touchmove', handleTouchMove, { passive: false })
  return () => stage?.removeEventListener('touchmove', handleTouchMove)
}

function slideOf(file: EvidenceFile, isPaired: boolean): Slide {
  const common = { key: String(file.id), evidence_id: file.id }
  if (file.file_type !== 'image' || (isPaired && file.converted_url)) return { type: 'evidence', ...common }
  const src = file.converted_url ?? file.original_url ?? file.thumbnail_url ?? ''
  const isOnSide = src !== file.converted_url && file.rotation % 180 !== 0
  const [width, height] = isOnSide ? [file.height, file.width] : [file.width, file.height]
  return { type: 'image', src, ...common, ...(width && height && { width, height }) }
}
