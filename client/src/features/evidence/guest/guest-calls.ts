import type { GuestView } from '@garantia/shared/evidence/guest-link'
import { API, toApiError } from '../../../lib/files.ts'
import { ApiError } from '../../../lib/messages.ts'
import { callHeaders } from '../../../lib/session.ts'

/** Headers of a call by a link: never those of somebody who is signed in here. */
export function guestHeaders(token: string) {
  const { authorization: _, ...others } = callHeaders()
  return { ...others, authorization: `Guest ${token}` }
}

async function call(token: string, path: string) {
  const response = await fetch(`${API}/guest${path}`, { headers: guestHeaders(token) }).catch(() => {
    throw new ApiError(0, undefined)
  })
  if (!response.ok) throw toApiError(response.status, await response.text())
  return response
}

/** What the page of a link shows. Throws ApiError, with status 0 when the server was not reached. */
export const readGuest = async (token: string) => (await (await call(token, '')).json()) as GuestView

/** The thumbnail of a file that has arrived by the link. */
export const readThumbnail = async (token: string, id: string) =>
  (await call(token, `/files/${id}/thumbnail`)).blob()
