import { useSyncExternalStore } from 'react'
import { compareVersion } from './app-version.ts'

const HEALTH = '/api/v1/utils/health-check/'
/** How often a server that does not answer is asked again. */
const PROBE_EVERY_MS = 3_000
const ANSWERS_WITHIN_MS = 10_000
/** Statuses of a proxy whose server is away. */
const AWAY = [502, 504]

let isAway = false
let probing: Promise<void> | undefined
let nextProbe: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const onReturn = new Set<() => void>()
/** Saves that are sent again when the server is back. */
const saves = new Set<() => void>()

const publish = () => {
  for (const listener of listeners) listener()
}
const answers = () =>
  fetch(HEALTH, { cache: 'no-store', signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }).then(
    ({ status }) => !AWAY.includes(status),
    () => false,
  )
/** Asks whether the server is there: a single call may fail for reasons of its own. */
function probe() {
  probing ??= answers().then((isThere) => {
    probing = undefined
    const wasAway = isAway
    isAway = !isThere
    clearTimeout(nextProbe)
    if (isAway) nextProbe = setTimeout(probe, PROBE_EVERY_MS)
    if (isAway !== wasAway) publish()
    if (wasAway && isThere) for (const act of [...onReturn, ...saves]) act()
  })
  return probing
}

/** Calls back whenever the server answers again, and asks at once when the browser has lost or found its network. */
export function watchConnection(whenBack: () => void) {
  onReturn.add(whenBack)
  for (const event of ['online', 'offline']) window.addEventListener(event, () => void probe())
}

/**
 * The fetch of every call. When it fails, it is known whether the server is away. A read that fails just before the
 * server is back is sent again: what waited for its return was called before this failure was known.
 */
export async function watchedFetch(url: RequestInfo | URL, options?: RequestInit) {
  try {
    const response = await fetch(url, options)
    compareVersion(response)
    if (!AWAY.includes(response.status) || !(await shouldSendAgain(options))) return response
  } catch (error) {
    if (options?.signal?.aborted || !(await shouldSendAgain(options))) throw error
  }
  return fetch(url, options)
}

/** Asks whether the server is there; true for a read when it was away until now. */
async function shouldSendAgain({ method = 'GET' }: RequestInit = {}) {
  const wasAway = isAway
  await probe()
  return wasAway && !isAway && method === 'GET'
}

export const isServerAway = () => isAway

/** Sends a save again as soon as the server is back; returns a function that gives it up. */
export function saveOnReturn(save: () => void) {
  const forget = () => {
    saves.delete(once)
    publish()
  }
  const once = () => {
    forget()
    save()
  }
  saves.add(once)
  publish()
  return forget
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
/** How many saves wait for the server; null while it answers. */
export const useWaitingSaves = () => useSyncExternalStore(subscribe, () => (isAway ? saves.size : null))
