import { useEffect, useState } from 'react'
import { guessFileType } from '../files/guess-file-type.ts'

/** Browsers cannot read some containers and do not always fire an error event. */
const METADATA_TIMEOUT_MS = 5_000

/** Duration of a chosen video in seconds, read by the browser from its header; null when unknown. */
function readDuration(file: File): Promise<number | null> {
  const video = document.createElement('video')
  const address = URL.createObjectURL(file)
  return new Promise<number | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), METADATA_TIMEOUT_MS)
    const end = (seconds: number | null) => {
      clearTimeout(timer)
      resolve(seconds)
    }
    video.preload = 'metadata'
    video.onloadedmetadata = () => end(Number.isFinite(video.duration) ? video.duration : null)
    video.onerror = () => end(null)
    video.src = address
  }).finally(() => {
    video.removeAttribute('src')
    URL.revokeObjectURL(address)
  })
}

const known = new WeakMap<File, number | null>()

/** Durations in seconds of the videos among these files, as far as they have been read. */
export function useVideoDurations(files: readonly File[]) {
  const [, setRound] = useState(0)
  const next = files.find((file) => guessFileType(file) === 'video' && !known.has(file))
  useEffect(() => {
    if (!next) return
    let isGone = false
    void readDuration(next).then((seconds) => {
      known.set(next, seconds)
      if (!isGone) setRound((round) => round + 1)
    })
    return () => {
      isGone = true
    }
  }, [next])
  return new Map(files.map((file) => [file, known.get(file) ?? null]))
}
