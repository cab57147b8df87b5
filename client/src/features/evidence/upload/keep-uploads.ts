import { isOver, type UploadItem, type UploadStore } from './upload-item.ts'
import type { createUploadQueue } from './upload-queue.ts'

type Queue = Pick<
  ReturnType<typeof createUploadQueue>,
  'subscribe' | 'items' | 'owner' | 'addKept' | 'setKept'
>

/**
 * Has the device keep what is sent off until it has arrived, is removed or can never arrive, and lists what pages
 * that are gone have left: at once, when somebody signs in, and whenever the caller asks for it.
 */
export function keepUploads(queue: Queue, store: UploadStore) {
  const kept = new Map<string, { person: number; isPaused: boolean }>()
  let owner: number | null = null
  let last: Promise<unknown> = Promise.resolve()
  // In the order of the calls: what is forgotten while it is being kept is not there afterwards.
  const inOrder = <Result>(work: () => Promise<Result>) => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }

  function keep(item: UploadItem) {
    kept.set(item.id, { person: item.person, isPaused: false })
    inOrder(() => store.keep(item)).then(
      () => queue.setKept(item.id, true),
      () => queue.setKept(item.id, false),
    )
  }
  function forget(ids: readonly string[]) {
    if (ids.length === 0) return
    for (const id of ids) kept.delete(id)
    // What cannot be forgotten is sent once more one day, and is there already then.
    inOrder(() => store.forget(ids)).catch(() => {})
  }
  function setPaused(changed: readonly UploadItem[], isPaused: boolean) {
    if (changed.length === 0) return
    for (const { id, person } of changed) kept.set(id, { person, isPaused })
    const ids = changed.map(({ id }) => id)
    inOrder(() => store.setPaused(ids, isPaused)).catch(() => {})
  }
  async function takeOver() {
    const person = queue.owner()
    if (person === null) return
    // Another page may have what is not got here; it is tried again with the next look.
    const left = await inOrder(() => store.takeOver(person)).catch(() => [])
    if (left.length === 0) return
    for (const { id, is_paused } of left) kept.set(id, { person, isPaused: is_paused })
    queue.addKept(person, left)
  }

  function follow() {
    const person = queue.owner()
    const items = queue.items()
    const needed = new Set(items.filter((item) => !isFinal(item)).map(({ id }) => id))
    // Those of somebody who has signed out are not listed, and wait.
    forget([...kept.keys()].filter((id) => kept.get(id)?.person === person && !needed.has(id)))
    for (const item of items) if (!kept.has(item.id) && item.state !== 'chosen' && !isOver(item)) keep(item)
    const changed = (isPaused: boolean) =>
      items.filter((item) => isHeld(item) === isPaused && kept.get(item.id)?.isPaused === !isPaused)
    setPaused(changed(true), true)
    setPaused(changed(false), false)
    if (person === owner) return
    owner = person
    void takeOver()
  }
  queue.subscribe(follow)
  follow()
  return { takeOver }
}

/** It has arrived, or never will. */
export const isFinal = (item: UploadItem) =>
  isOver(item) && (item.state !== 'refused' || item.is_about_file === true)
/** Waits for somebody, also on the page that takes it over. */
const isHeld = ({ state }: UploadItem) => state === 'paused' || state === 'refused'
