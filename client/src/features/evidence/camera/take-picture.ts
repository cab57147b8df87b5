/** W3C Image Capture, which TypeScript does not know. */
interface StillCamera {
  takePhoto(): Promise<Blob>
}
declare const ImageCapture: { new (track: MediaStreamTrack): StillCamera } | undefined

/** A still takes the camera's time to focus; after this long the picture on the screen is taken instead. */
const STILL_MS = 4_000
const JPEG_QUALITY = 0.95

/**
 * A JPEG of what the camera sees: a still with all its pixels where the browser can ask for one, else the picture on
 * the screen. Throws when there is neither.
 */
export async function takePicture(video: HTMLVideoElement, track: MediaStreamTrack): Promise<Blob> {
  const still = await stillOf(track)
  return still?.type === 'image/jpeg' ? still : frameOf(video)
}

async function stillOf(track: MediaStreamTrack) {
  if (typeof ImageCapture === 'undefined') return null
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), STILL_MS))
  return Promise.race([new ImageCapture(track).takePhoto().catch(() => null), late])
}

async function frameOf(video: HTMLVideoElement) {
  const canvas = document.createElement('canvas')
  const drawing = canvas.getContext('2d')
  if (!drawing || video.videoWidth === 0) throw new Error('no picture')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  drawing.drawImage(video, 0, 0)
  return new Promise<Blob>((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('no picture'))),
      'image/jpeg',
      JPEG_QUALITY,
    ),
  )
}
