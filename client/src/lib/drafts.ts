import { useEffect, useRef, useState } from 'react'
import { useMe } from './actor.ts'
import { isSignedIn } from './session.ts'

const PREFIX = 'draft:'
const SAVE_MS = 2_000

/** What is being typed on this screen right now; a session that ends must not take it along. */
const activeSavers = new Set<() => void>()
export const saveDrafts = () => {
  for (const save of activeSavers) save()
}
/** Whoever signs out leaves no customer's data behind. */
export function clearDrafts() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
}

export function readDraft<Content>(key: string): Content | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Content | null
  } catch {
    return null
  }
}

/** Drafts belong to a person and a tab: on a shared desk nobody finds what somebody else typed. */
export const useDraftKey = (name: string) => {
  const { data: me } = useMe()
  const [owner] = useState(me?.id ?? 0)
  return `${PREFIX}${owner}:${name}`
}

/**
 * Keeps what `read` answers in this tab every two seconds while there is something to lose. `found` is what
 * was left behind by a reload or an ended session; leaving on purpose leaves nothing.
 */
export function useDraft<Content>(key: string, isDirty: boolean, read: () => Content) {
  const [found, setFound] = useState(() => readDraft<Content>(key))
  const latest = useRef(read)
  latest.current = read
  const isHandedOn = useRef(false)
  const isSaved = useRef(false)
  const save = () => {
    if (!isSaved.current) sessionStorage.setItem(key, JSON.stringify(latest.current()))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: save reads its latest from a ref
  useEffect(() => {
    if (!isDirty) return
    activeSavers.add(save)
    const timer = setInterval(save, SAVE_MS)
    window.addEventListener('pagehide', save)
    return () => {
      activeSavers.delete(save)
      window.removeEventListener('pagehide', save)
      clearInterval(timer)
    }
  }, [key, isDirty])
  useEffect(() => {
    isHandedOn.current = false
    return () => {
      if (isSignedIn() && !isHandedOn.current) sessionStorage.removeItem(key)
    }
  }, [key])

  return {
    found,
    /** The person would rather begin anew. */
    discard: () => {
      sessionStorage.removeItem(key)
      setFound(null)
    },
    /** What was typed is with the server: nothing of it is kept any more, however soon the page is left. */
    markSaved: () => {
      isSaved.current = true
      sessionStorage.removeItem(key)
    },
    /** The same form opens elsewhere and goes on with it. */
    handOver: () => {
      if (isDirty) save()
      isHandedOn.current = true
    },
  }
}
