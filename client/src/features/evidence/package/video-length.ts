import { useEffect, useState } from 'react'
import { seemingKind } from '../files/file-kind.ts'

/** Some containers the browser cannot read; it does not always say so. */
const PATIENCE_MS = 5_000

/** Seconds of a chosen video, read from its header by the browser; null when it cannot tell. */
function lengthOf(file: File): Promise<number | null> {
  const film = document.createElement('video')
  const address = URL.createObjectURL(file)
  return new Promise<number | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), PATIENCE_MS)
    const end = (seconds: number | null) => {
      clearTimeout(timer)
      resolve(seconds)
    }
    film.preload = 'metadata'
    film.onloadedmetadata = () => end(Number.isFinite(film.duration) ? film.duration : null)
    film.onerror = () => end(null)
    film.src = address
  }).finally(() => {
    film.removeAttribute('src')
    URL.revokeObjectURL(address)
  })
}

const known = new WeakMap<File, number | null>()

/** Lengths of the videos among these files, as far as they are known by now. */
export function useLengths(files: readonly File[]) {
  const [, setRound] = useState(0)
  const next = files.find((file) => seemingKind(file) === 'video' && !known.has(file))
  useEffect(() => {
    if (!next) return
    let isGone = false
    void lengthOf(next).then((seconds) => {
      known.set(next, seconds)
      if (!isGone) setRound((round) => round + 1)
    })
    return () => {
      isGone = true
    }
  }, [next])
  return new Map(files.map((file) => [file, known.get(file) ?? null]))
}
