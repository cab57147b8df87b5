import { keepUploads } from '../../features/evidence/upload/keep-uploads.ts'
import { uploadStore } from '../../features/evidence/upload/upload-store.ts'
import { uploads } from '../../features/evidence/upload/uploads.ts'
import { watchConnection } from '../../lib/connection.ts'
import { isSignedIn } from '../../lib/session.ts'
import { readSharedFiles } from '../../lib/shared-files.ts'
import { queryClient, trpcUtils } from '../../lib/trpc.ts'
import { isTouch } from '../../ui/page/pointer.ts'
import { keepOrders } from './keep-orders.ts'
import { dropOldAnswers, isAnswerTo, keepAnswers } from './kept-answers.ts'
import { keepApp } from './service-worker.ts'

/** Once the first screen is there; not all at the same moment after a restart of the server. */
const FIRST_MS = 5_000
const SPREAD_MS = 5_000
const AGAIN_MS = 30 * 60_000

/** Has this device open the app without network, and a phone or tablet the last orders. Nothing for guests. */
export function workOffline() {
  let hasBegun = false
  const begin = () => {
    if (hasBegun || !isSignedIn()) return
    hasBegun = true
    void keepApp()
    void claimSharedFiles()
  }
  setTimeout(begin, FIRST_MS)
  onSignedIn(() => void claimSharedFiles())
  // The storage of a desk is open to whoever sits there next (48). Without TLS pages have neither locks, by which they
  // tell what those that are gone have left, nor hashes, by which a session is named.
  if (!isTouch() || !isSecureContext) return

  const { takeOver } = keepUploads(uploads, uploadStore)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void takeOver()
  })
  keepAnswers(queryClient)
  const keep = () => {
    setTimeout(() => void keepOrders().catch(() => {}), FIRST_MS + Math.random() * SPREAD_MS)
  }
  keep()
  setInterval(keep, AGAIN_MS)
  watchConnection(keep)
  document.addEventListener('visibilitychange', keep)
  setTimeout(() => void dropOldAnswers().catch(() => {}), FIRST_MS)
  onSignedIn(() => {
    begin()
    keep()
  })
}

const onSignedIn = (act: () => void) =>
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || !isAnswerTo(event.query, 'account.me'))
      return
    act()
  })

/** Forgets what is older than a day and what others have shared; what is shared from now on is of this person. */
async function claimSharedFiles() {
  try {
    const { id } = await trpcUtils.account.me.ensureData()
    if (isSignedIn()) await readSharedFiles(id)
  } catch {
    // The browser keeps nothing, or the server is away: the page of these files asks again.
  }
}
