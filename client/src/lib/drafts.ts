import { useEffect, useRef, useState } from 'react'
import { useMe } from './actor.ts'
import { isSignedIn } from './session.ts'

const PREFIX = 'draft:'
const SAVE_MS = 2_000

/** A file that was chosen before its order, perhaps with what tells its category. */
export interface ChosenFile {
  file: File
  category?: string | null
}
/** Files of forms that are not saved, and of uploads that are not open yet; in memory alone, so that a reload loses them. */
const chosenFiles = new Map<string, readonly ChosenFile[]>()
/** The same each time: forms discard in effects. */
const NO_FILES: File[] = []
/** Keeps the files of a form or an upload; none deletes them. */
export function keepFiles(key: string, files: readonly ChosenFile[]) {
  if (files.length > 0) chosenFiles.set(key, files)
  else chosenFiles.delete(key)
}
export function takeFiles(key: string) {
  const files = chosenFiles.get(key)
  chosenFiles.delete(key)
  return files
}
function deleteDraft(key: string) {
  sessionStorage.removeItem(key)
  chosenFiles.delete(key)
}

/** Save callbacks of the forms being edited. */
const activeSavers = new Set<() => void>()
/** Saves all forms being edited; called when the session expires. */
export const saveDrafts = () => {
  for (const save of activeSavers) save()
}
/** Whether a form with a draft has changes that are not saved. */
export const isEditing = () => activeSavers.size > 0 || chosenFiles.size > 0
const storedDrafts = () => Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX))
export const hasDrafts = () => storedDrafts().length > 0
/** Deletes all drafts on sign-out, so that no customer data stays in the browser. */
export function clearDrafts() {
  for (const key of storedDrafts()) sessionStorage.removeItem(key)
  chosenFiles.clear()
}

/** The stored draft; null when there is none or it cannot be parsed. */
export function readDraft<Content>(key: string): Content | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Content | null
  } catch {
    return null
  }
}

/** Leaves a draft for a form that is about to be opened. */
export const leaveDraft = (key: string, content: unknown) =>
  sessionStorage.setItem(key, JSON.stringify(content))

/** Keys of drafts, per user: on a shared computer nobody sees what another user typed. */
export function useDraftKeys() {
  const { data: me } = useMe()
  const [owner] = useState(me?.id ?? 0)
  return (name: string) => `${PREFIX}${owner}:${name}`
}
/** Whether this person has chosen files that nothing keeps but this page. */
export const hasChosenFiles = (person: number | null) =>
  [...chosenFiles.keys()].some((key) => key.startsWith(`${PREFIX}${person}:`))
/** Names the files that wait for the upload of an order. */
export const uploadOf = (order_id: number) => `envio-os-${order_id}`
export const useDraftKey = (name: string) => useDraftKeys()(name)

/**
 * Saves the result of `read` in sessionStorage every two seconds while the form is dirty. `found` is the
 * draft left by a reload or an expired session; leaving the page on purpose deletes the draft.
 */
export function useDraft<Content>(key: string, isDirty: boolean, read: () => Content) {
  const [found, setFound] = useState(() => readDraft<Content>(key))
  const [files, setFiles] = useState(() => chosenFiles.get(key)?.map(({ file }) => file) ?? NO_FILES)
  const latest = useRef(read)
  latest.current = read
  const isHandedOver = useRef(false)
  const isSaved = useRef(false)
  const save = () => {
    if (!isSaved.current) sessionStorage.setItem(key, JSON.stringify(latest.current()))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: save reads the latest values from a ref
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
    isHandedOver.current = false
    return () => {
      if (isSignedIn() && !isHandedOver.current) deleteDraft(key)
    }
  }, [key])

  return {
    found,
    files,
    setFiles: (next: File[]) => {
      setFiles(next)
      keepFiles(
        key,
        next.map((file) => ({ file })),
      )
    },
    /** Deletes the draft: the user starts over. */
    discard: () => {
      deleteDraft(key)
      setFound(null)
      setFiles(NO_FILES)
    },
    /** Deletes the draft after saving, and stops further saves even if the page is left at once. */
    markSaved: () => {
      isSaved.current = true
      deleteDraft(key)
    },
    /** Keeps the draft for the same form opened elsewhere. */
    handOver: () => {
      if (isDirty) save()
      isHandedOver.current = true
    },
  }
}
