/** Signed in means that an access token is held (STA-1); nothing else is remembered about the session. */
const KEY = 'access_token'

/** `left` = the person signed out; `expired` = the server no longer knows the token. */
type SessionChange = 'started' | 'left' | 'expired'

let onChange: (change: SessionChange) => void = () => {}
/** The one place that clears the cache and moves to another page when the session changes. */
export const watchSession = (listener: (change: SessionChange) => void) => {
  onChange = listener
  window.addEventListener('storage', (event) => {
    if (event.key === KEY && event.newValue === null) listener('left')
  })
}

export const storedToken = () => localStorage.getItem(KEY)
export const isSignedIn = () => storedToken() !== null

export function signIn(access_token: string) {
  localStorage.setItem(KEY, access_token)
  onChange('started')
}
export const signOut = () => endSession('left')
export const expireSession = () => endSession('expired')

/** Many calls may fail together with 401; only the first of them ends the session. */
function endSession(change: SessionChange) {
  if (!isSignedIn()) return
  localStorage.removeItem(KEY)
  onChange(change)
}

/** Only a path of this site may be returned to after sign-in; «//host» and its kin lead elsewhere. */
export function safePath(path: string | undefined) {
  if (!path?.startsWith('/')) return '/'
  const url = new URL(path, location.origin)
  return url.origin === location.origin ? url.pathname + url.search + url.hash : '/'
}

const TUNNELS = ['.ngrok-free.app', '.ngrok.io', '.ngrok.app', '.loca.lt']

/** Headers of every call: the bearer token, and what makes a tunnel skip its warning page (D-44). */
export function callHeaders(): Record<string, string> {
  const token = storedToken()
  const isTunnel = TUNNELS.some((host) => location.hostname.endsWith(host))
  return {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(isTunnel ? { 'ngrok-skip-browser-warning': 'true', 'bypass-tunnel-reminder': 'true' } : {}),
  }
}
