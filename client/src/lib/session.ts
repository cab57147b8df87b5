import { IDLE_HEADER } from '@garantia/shared/auth/idle'
import { isIdle } from './idle.ts'

/** Database of the browser with what a phone needs of orders without network. */
export const KEPT_DATA = 'guardados'
/** Database of the browser with the files that other apps have shared, until an order is chosen for them. */
export const SHARED_FILES = 'compartilhados'

/** Signed in means that an access token is stored under it (STA-1); no other session state is kept. */
export const TOKEN_KEY = 'access_token'

/** `left`: the user signed out; `expired`: the server no longer accepts the token. */
type SessionChange = 'started' | 'left' | 'expired'

let onChange: (change: SessionChange) => void = () => {}
/**
 * Registers the one listener that clears the cache and navigates when the session changes, also in another
 * tab.
 */
export const watchSession = (listener: (change: SessionChange) => void) => {
  onChange = listener
  window.addEventListener('storage', (event) => {
    if (event.key === TOKEN_KEY && event.newValue === null) listener('left')
  })
  // The back/forward cache keeps whole pages, which hear of nothing meanwhile.
  let token = storedToken()
  window.addEventListener('pagehide', () => {
    token = storedToken()
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || token === storedToken()) return
    document.documentElement.hidden = true
    location.reload()
  })
}

export const storedToken = () => localStorage.getItem(TOKEN_KEY)
/** Whether this page was signed out because the server no longer accepts the token. */
let isExpired = false
export const hasExpired = () => isExpired
export const isSignedIn = () => storedToken() !== null

/** Stores the token and notifies the listener of `watchSession`. */
export function signIn(access_token: string) {
  isExpired = false
  localStorage.setItem(TOKEN_KEY, access_token)
  onChange('started')
}
/** Ends the session at the user's request; a no-op when signed out. */
export const signOut = () => endSession('left')
/** Ends the session after a 401; a no-op when signed out. */
export const expireSession = () => endSession('expired')

/** Many calls may fail with 401 together; only the first one ends the session. */
function endSession(change: SessionChange) {
  if (!isSignedIn()) return
  // What a phone keeps of orders is for whoever is signed in.
  window.indexedDB?.deleteDatabase(KEPT_DATA)
  // Those of somebody whose session has expired are there when the same person signs in again.
  if (change === 'left') window.indexedDB?.deleteDatabase(SHARED_FILES)
  localStorage.removeItem(TOKEN_KEY)
  isExpired = change === 'expired'
  onChange(change)
}

/** The path to open after sign-in, limited to this origin; «//host» and the like become '/'. */
export function safePath(path: string | undefined) {
  if (!path?.startsWith('/')) return '/'
  const url = new URL(path, location.origin)
  return url.origin === location.origin ? url.pathname + url.search + url.hash : '/'
}

const TUNNELS = ['.ngrok-free.app', '.ngrok.io', '.ngrok.app', '.loca.lt']

/** Headers of every call: the bearer token, whether nobody is at the page, and those that make a tunnel skip its warning page (D-44). */
export function callHeaders(): Record<string, string> {
  const token = storedToken()
  const isTunnel = TUNNELS.some((host) => location.hostname.endsWith(host))
  return {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(isIdle() ? { [IDLE_HEADER]: '1' } : {}),
    ...(isTunnel ? { 'ngrok-skip-browser-warning': 'true', 'bypass-tunnel-reminder': 'true' } : {}),
  }
}
