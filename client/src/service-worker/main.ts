import { isServerAddress } from '@garantia/shared/server-addresses'
import { cleanupOutdatedCaches, matchPrecache, precache } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { keepSharedFiles } from '../lib/shared-files.ts'

/** The files of this build, written by server/launch/service-worker.mjs. */
declare const BUILT_FILES: { url: string; revision: string | null; integrity?: string }[]

/** A page that waits longer is shown as it was kept. */
const NETWORK_MS = 4_000
/** What a page needs before it shows anything is waited for less. */
const BEFORE_PAGE_MS = 1_000
const PAGE = '/index.html'

precache(BUILT_FILES)
cleanupOutdatedCaches()

/**
 * Pages come from the server as long as it answers, so that no old one meets a new API; without it, as they were kept.
 * What the server says of orders and people is never kept here.
 */
registerRoute(
  ({ request, url }) => request.mode === 'navigate' && !isServerAddress(url.pathname),
  async ({ request }) => (await fromServer(request)) ?? (await matchPrecache(PAGE)) ?? Response.error(),
)

/** Named by their content: the same for ever. */
registerRoute(
  ({ url }) => url.pathname.startsWith('/assets/'),
  async ({ request }) => (await matchPrecache(request)) ?? fetch(request),
)

/** The few others of the build. */
registerRoute(
  ({ sameOrigin, url }) => sameOrigin && BUILT_FILES.some((file) => file.url === url.pathname),
  async ({ request }) =>
    (await fromServer(request, BEFORE_PAGE_MS)) ?? (await matchPrecache(request)) ?? Response.error(),
)

/**
 * What another app shares: kept on the device, for the page that shows it and asks who shared it. Chromium sends
 * `Origin: null` both for an app and for a site that conceals itself, so that only a site that is named can be refused
 * here; `Sec-Fetch-Site` is not shown to service workers.
 */
registerRoute(
  ({ url }) => url.pathname === '/compartilhar',
  async ({ request }) => {
    const origin = request.headers.get('origin')
    if (origin !== null && origin !== 'null' && origin !== location.origin)
      return Response.redirect('/compartilhar?erro=site', 303)
    const isKept = await keepFilesOf(request).then(
      () => true,
      () => false,
    )
    return Response.redirect(isKept ? '/compartilhar' : '/compartilhar?erro=espaco', 303)
  },
  'POST',
)
async function keepFilesOf(request: Request) {
  const entries = (await request.formData()).getAll('files')
  // A form without files has an empty one.
  await keepSharedFiles(entries.filter((entry) => entry instanceof File).filter(({ size }) => size > 0))
}

async function fromServer(request: Request, within = NETWORK_MS) {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), within)
  try {
    const response = await fetch(request, { signal: late.signal })
    return response.status < 500 ? response : null
  } catch {
    return null
  } finally {
    // What has begun to arrive is not cut off.
    clearTimeout(timer)
  }
}
