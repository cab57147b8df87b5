import { Button } from '@blueprintjs/core'
import { CameraIcon, DocumentOpenIcon, StepForwardIcon } from '@blueprintjs/icons'
import { UPLOAD_ACCEPT } from '@garantia/shared/evidence/formats'
import { type ChangeEvent, type RefObject, useRef } from 'react'
import type { Video } from './video-stream.ts'

interface Props {
  /** The button that a person presses next. */
  main: RefObject<HTMLButtonElement | null>
  video: Video
  label: string
  /** False when nothing is missing: going on is another button's. */
  isNext: boolean
  /** Sends a photo that is asked about; null when none is. */
  onUse: (() => void) | null
  /** They have just changed: a press was meant for those before. */
  isSettling: boolean
  onRepeat: () => void
  onShoot: () => void
  onFiles: (files: File[]) => void
  /** Null when nothing else is missing. */
  onSkip: (() => void) | null
}

/** Below the picture: the camera, or what is to become of a photo. Keys, so that no button becomes another one. */
export function CameraButtons({ main, video, label, isNext, onUse, isSettling, ...on }: Props) {
  const chooser = useRef<HTMLInputElement>(null)
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(currentTarget.files ?? [])]
    currentTarget.value = ''
    if (files.length > 0) on.onFiles(files)
  }
  const settled = (act: () => void) => ({
    'aria-disabled': isSettling || undefined,
    onClick: () => {
      if (!isSettling) act()
    },
  })
  if (onUse)
    return (
      <div className="camera-buttons" key="doubt">
        <Button size="large" text="Usar assim mesmo" {...settled(onUse)} />
        <Button
          ref={main}
          size="large"
          intent="primary"
          text="Fotografar de novo"
          {...settled(on.onRepeat)}
        />
      </div>
    )
  const hasCamera = video.state !== 'missing'
  return (
    <div className="camera-buttons" key="camera">
      <Button
        ref={hasCamera ? null : main}
        size="large"
        intent={isNext && !hasCamera ? 'primary' : 'none'}
        icon={<DocumentOpenIcon />}
        text={
          <>
            <span className="camera-whole">Escolher arquivo</span>
            <span className="camera-short">Arquivo</span>
          </>
        }
        aria-label={`Escolher arquivo: ${label}`}
        onClick={() => chooser.current?.click()}
      />
      {hasCamera && (
        <Button
          ref={main}
          size="large"
          intent={isNext ? 'primary' : 'none'}
          icon={<CameraIcon />}
          text="Fotografar"
          aria-label={`Fotografar: ${label}`}
          disabled={video.state !== 'on'}
          {...settled(on.onShoot)}
        />
      )}
      <Button
        size="large"
        variant="minimal"
        icon={<StepForwardIcon />}
        text="Pular"
        disabled={on.onSkip === null}
        {...settled(on.onSkip ?? (() => {}))}
      />
      <input ref={chooser} type="file" hidden multiple accept={UPLOAD_ACCEPT} onChange={choose} />
    </div>
  )
}
