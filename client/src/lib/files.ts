import type { Detail } from '@garantia/shared/errors'
import { confirmed } from './confirmation.ts'
import { watchedFetch } from './connection.ts'
import { ApiError } from './messages.ts'
import { callHeaders, expireSession } from './session.ts'

/** Base path of the REST API. */
export const API = '/api/v1'

/**
 * Downloads a file with the session's token and saves it under the name given by the server; asks for the password first
 * when the call needs it. Throws ApiError, with status 0 when the server was not reached.
 */
export async function download(path: string, fallbackName: string) {
  const response = await confirmed(async () => {
    const request = { headers: callHeaders(), credentials: 'include' } as const
    const response = await watchedFetch(`${API}${path}`, request).catch(() => {
      throw new ApiError(0, undefined)
    })
    if (!response.ok) throw toApiError(response.status, await response.text())
    return response
  })
  saveBlob(await response.blob(), nameIn(response.headers.get('content-disposition')) ?? fallbackName)
}

/** Saves data of this page as a file. */
export function saveBlob(blob: Blob, name: string) {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the blob after the click returns; revoking at once would cancel some downloads.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/**
 * Sends one file as multipart and returns the answer. Throws ApiError, with status 0 when the server was not
 * reached.
 */
export async function sendFile<Answer>(path: string, file: File): Promise<Answer> {
  const body = new FormData()
  body.append('file', file)
  const request = { method: 'POST', headers: callHeaders(), credentials: 'include', body } as const
  const response = await fetch(`${API}${path}`, request).catch(() => {
    throw new ApiError(0, undefined)
  })
  const answer = await response.text()
  if (!response.ok) throw toApiError(response.status, answer)
  return JSON.parse(answer) as Answer
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
