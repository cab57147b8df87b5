import type { Detail } from '@garantia/shared/errors'
import { ApiError } from './messages.ts'
import { callHeaders, expireSession } from './session.ts'

/** Base path of the REST API. */
export const API = '/api/v1'

/**
 * Downloads a file with the session's token and saves it under the name given by the server. Throws ApiError,
 * with status 0 when the server was not reached.
 */
export async function download(path: string, fallbackName: string) {
  const response = await fetch(`${API}${path}`, { headers: callHeaders(), credentials: 'include' }).catch(
    () => {
      throw new ApiError(0, undefined)
    },
  )
  if (!response.ok) throw toApiError(response.status, await response.text())
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = nameIn(response.headers.get('content-disposition')) ?? fallbackName
  link.click()
  // The browser reads the blob after the click returns; revoking at once would cancel some downloads.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** An unsuccessful response as an error; 401 also ends the session (STA-3). */
export function toApiError(status: number, body: string) {
  if (status === 401) expireSession()
  try {
    return new ApiError(status, (JSON.parse(body) as { detail?: Detail }).detail, body)
  } catch {
    return new ApiError(status, undefined, body)
  }
}

/** File name of a Content-Disposition header: filename*=UTF-8''… takes precedence over filename="…". */
export function nameIn(header: string | null) {
  const encoded = header?.match(/filename\*\s*=\s*utf-8''([^;]+)/i)?.[1]
  if (encoded) return decodeURIComponent(encoded.trim())
  return header?.match(/filename\s*=\s*"?([^";]+)"?/i)?.[1]
}
