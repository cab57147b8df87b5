import { CLIENT_SCRIPT_HEADER } from '@garantia/shared/client-script'

/** Where a page notes for which version it was loaded anew, and when: while servers are replaced, both answer. */
const LOADED_FOR = 'loaded_for'
const REPLACING_MS = 10 * 60_000

let own: string | undefined
let newer: string | undefined
let whenOld = () => {}
let isPostponed = false

/**
 * Calls back once when the server brings another client than the one that this script starts, as after an update or a
 * day without network.
 */
export function watchVersion(script: string, act: () => void) {
  own = script
  whenOld = act
}
/** The next screen needs what this page has in its memory. */
export const postponeNewVersion = () => {
  isPostponed = true
}
/** Asked with each new screen: whether a page loaded anew would be another version, and nothing speaks against it. */
export function shouldLoadNewVersion() {
  const wasPostponed = isPostponed
  isPostponed = false
  return newer !== undefined && !wasPostponed
}

/** Names the version of this page. */
export const ownVersion = () => own

export function loadNewVersion() {
  if (newer) sessionStorage.setItem(LOADED_FOR, `${newer} ${Date.now()}`)
  location.reload()
}

/** Looks in an answer of the server for the version that it brings. */
export function compareVersion({ headers }: Response) {
  const served = headers.get(CLIENT_SCRIPT_HEADER)
  if (newer || !own || !served || served === own) return
  const [version, at] = sessionStorage.getItem(LOADED_FOR)?.split(' ') ?? []
  if (served === version && Number(at) > Date.now() - REPLACING_MS) return
  newer = served
  whenOld()
}
