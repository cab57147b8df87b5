import { Button, Slider } from '@blueprintjs/core'
import { ArrowsHorizontalIcon, FlashIcon, RepeatIcon } from '@blueprintjs/icons'
import { type RefObject, useState } from 'react'
import { CameraOutline } from './camera-outline.tsx'
import type { OutlineKind } from './guides.ts'
import { hasMotion, LEVEL_WITHIN, mayReadMotion, useTilt } from './level.ts'
import { applySettings, settingsOf, type Video } from './video-stream.ts'

/** A photo that was taken, with what is wrong with it. */
export interface Still {
  url: string
  sentences: readonly string[]
}

interface Props {
  element: RefObject<HTMLVideoElement | null>
  video: Video
  /** Stands in front of the camera's picture. */
  still: Still | null
  /** The camera focuses, which may take seconds. */
  isTaking: boolean
  outline: OutlineKind
  onRetry: () => void
}

/** What the camera sees, what it is to be filled with, and what the camera can do. */
export function CameraStage({ element, video, still, isTaking, outline, onRetry }: Props) {
  const [isLevelled, setIsLevelled] = useState(false)
  const tilt = useTilt(isLevelled)
  return (
    <div className={`camera-stage${isTaking ? ' is-taking' : ''}`} aria-busy={isTaking}>
      <video ref={element} autoPlay muted playsInline aria-label="Imagem da câmera" />
      {video.state === 'starting' && <p className="camera-message">Abrindo a câmera…</p>}
      {video.state === 'missing' && (
        <div className="camera-message" role="alert">
          <p>{video.reason} Escolha os arquivos de cada categoria.</p>
          <Button icon={<RepeatIcon />} text="Tentar a câmera de novo" onClick={onRetry} />
        </div>
      )}
      {video.state === 'on' && (
        // Under a still it keeps what torch and zoom are set to.
        <div hidden={still !== null}>
          <CameraOutline kind={outline} />
          {tilt !== null && (
            <span
              className={`camera-horizon${Math.abs(tilt) <= LEVEL_WITHIN ? ' is-level' : ''}`}
              style={{ rotate: `${tilt}deg` }}
              aria-hidden="true"
            />
          )}
          <Abilities video={video} isLevelled={isLevelled} onLevel={setIsLevelled} />
        </div>
      )}
      {still && (
        <>
          <img className="camera-still" src={still.url} alt="Foto que acaba de ser feita" />
          <p className="camera-message is-low">{still.sentences.join(' ')}</p>
        </>
      )}
    </div>
  )
}

interface AbilitiesProps {
  video: Video & { state: 'on' }
  isLevelled: boolean
  onLevel: (isOn: boolean) => void
}

/** Torch and zoom where the camera has them, and a level where the device knows where below is. */
function Abilities({ video: { track, abilities }, isLevelled, onLevel }: AbilitiesProps) {
  const [isLit, setIsLit] = useState(false)
  const [zoom, setZoom] = useState(() => settingsOf(track).zoom ?? abilities.zoom?.min ?? 1)
  const light = async () => {
    if (await applySettings(track, { torch: !isLit })) setIsLit(!isLit)
  }
  const level = async () => onLevel(!isLevelled && (await mayReadMotion()))
  const { zoom: range } = abilities
  return (
    <fieldset className="camera-abilities" aria-label="Câmera">
      {abilities.torch && (
        <Button
          icon={<FlashIcon />}
          text="Lanterna"
          active={isLit}
          aria-pressed={isLit}
          onClick={() => void light()}
        />
      )}
      {hasMotion() && (
        <Button
          className="only-touch"
          icon={<ArrowsHorizontalIcon />}
          text="Nível"
          active={isLevelled}
          aria-pressed={isLevelled}
          onClick={() => void level()}
        />
      )}
      {range && range.max > range.min && (
        <Slider
          className="camera-zoom"
          min={range.min}
          max={range.max}
          stepSize={range.step || 0.1}
          value={zoom}
          labelRenderer={false}
          handleHtmlProps={{ 'aria-label': 'Zoom' }}
          onChange={(next) => {
            setZoom(next)
            void applySettings(track, { zoom: next })
          }}
        />
      )}
    </fieldset>
  )
}
