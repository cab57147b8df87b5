import { type RefObject, useCallback, useEffect, useState } from 'react'

/** What browsers know of a camera beyond what TypeScript does (W3C Image Capture). */
interface CameraAbilities {
  torch?: boolean
  zoom?: { min: number; max: number; step: number }
}
interface CameraSettings {
  torch?: boolean
  zoom?: number
}

export type Video =
  | { state: 'starting' }
  | { state: 'on'; track: MediaStreamTrack; abilities: CameraAbilities }
  /** Why there is no picture, in Portuguese. */
  | { state: 'missing'; reason: string }

const REASONS: Record<string, string> = {
  NotAllowedError: 'O navegador não deixou usar a câmera. Permita-a nas configurações deste site.',
  NotFoundError: 'Este aparelho não tem câmera.',
  NotReadableError: 'Outro programa está usando a câmera.',
}
const INSECURE = 'O navegador só dá a câmera a páginas com https.'
const UNKNOWN = 'Este navegador não dá a câmera a páginas.'
const UNOPENED = 'A câmera não abriu.'
const LOST = 'A câmera parou.'

/** Of the camera at the back where there is one, with as many pixels as it has. */
const WANTED: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: { ideal: 'environment' }, width: { ideal: 3840 }, height: { ideal: 2160 } },
}

/** The picture of the device's camera, from the first rendering to the last. `start` asks for it again. */
export function useVideoStream(element: RefObject<HTMLVideoElement | null>) {
  const [video, setVideo] = useState<Video>({ state: 'starting' })
  const [tries, setTries] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks again
  useEffect(() => {
    let isOver = false
    let stream: MediaStream | undefined
    const open = async () => {
      if (!navigator.mediaDevices)
        return setVideo({ state: 'missing', reason: window.isSecureContext ? UNKNOWN : INSECURE })
      try {
        stream = await navigator.mediaDevices.getUserMedia(WANTED)
      } catch (error) {
        const reason = REASONS[(error as DOMException).name] ?? UNOPENED
        if (!isOver) setVideo({ state: 'missing', reason })
        return
      }
      const [track] = stream.getVideoTracks()
      if (isOver || !track) return stopAll(stream)
      track.addEventListener('ended', () => setVideo({ state: 'missing', reason: LOST }))
      if (element.current) {
        element.current.srcObject = stream
        await firstFrame(element.current)
      }
      if (!isOver)
        setVideo({ state: 'on', track, abilities: (track.getCapabilities?.() ?? {}) as CameraAbilities })
    }
    void open()
    return () => {
      isOver = true
      if (stream) stopAll(stream)
    }
  }, [tries, element])

  const start = useCallback(() => {
    setVideo({ state: 'starting' })
    setTries((before) => before + 1)
  }, [])
  return { video, start }
}

const firstFrame = (video: HTMLVideoElement) =>
  new Promise<void>((resolve) => video.addEventListener('loadeddata', () => resolve(), { once: true }))

const stopAll = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop()
}

/** Sets torch or zoom; false when the camera refuses. */
export const applySettings = (track: MediaStreamTrack, settings: CameraSettings) =>
  track.applyConstraints({ advanced: [settings as MediaTrackConstraintSet] }).then(
    () => true,
    () => false,
  )
/** What the camera is set to. */
export const settingsOf = (track: MediaStreamTrack) => track.getSettings() as CameraSettings
