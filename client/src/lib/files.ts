import type { Detail } from '@garantia/shared/errors'
import type { UploadFields, UploadResult } from '@garantia/shared/evidence/schema'
import { ApiError } from './messages.ts'
import { callHeaders, expireSession } from './session.ts'

const API = '/api/v1'

interface UploadOptions extends Partial<UploadFields> {
  /** Share of the file that has left this machine, 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/**
 * One file per request, so that a bad one holds up nobody. XMLHttpRequest, because fetch reports no upload
 * progress; the fields go before the file, because the server reads the form as it arrives.
 */
export function uploadFile(orderId: number, file: File, options: UploadOptions = {}) {
  const { category, description, onProgress, signal } = options
  const form = new FormData()
  if (category) form.append('category', category)
  if (description) form.append('description', description)
  form.append('files', file, file.name)
  return new Promise<UploadResult>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open('POST', `${API}/evidence/${orderId}/upload`)
    request.withCredentials = true
    for (const [name, value] of Object.entries(callHeaders())) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total)
    }
    request.onload = () =>
      request.status < 300
        ? resolve(JSON.parse(request.responseText) as UploadResult)
        : reject(refusal(request.status, request.responseText))
    request.onerror = () => reject(new ApiError(0, undefined))
    request.onabort = () => reject(new DOMException('Envio cancelado', 'AbortError'))
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) return reject(new DOMException('Envio cancelado', 'AbortError'))
    request.send(form)
  })
}

/** Fetches a file with the session's token and saves it under the name the server gave it. */
export async function download(path: string, fallbackName: string) {
  const response = await fetch(`${API}${path}`, { headers: callHeaders(), credentials: 'include' }).catch(
    () => {
      throw new ApiError(0, undefined)
    },
  )
  if (!response.ok) throw refusal(response.status, await response.text())
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = nameIn(response.headers.get('content-disposition')) ?? fallbackName
  link.click()
  // The browser reads the blob after the click has returned; revoking at once would cancel some downloads.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

function refusal(status: number, body: string) {
  if (status === 401) expireSession()
  try {
    return new ApiError(status, (JSON.parse(body) as { detail?: Detail }).detail, body)
  } catch {
    return new ApiError(status, undefined, body)
  }
}

/** The file name of a Content-Disposition header: filename*=UTF-8''… wins over filename="…". */
export function nameIn(header: string | null) {
  const encoded = header?.match(/filename\*\s*=\s*utf-8''([^;]+)/i)?.[1]
  if (encoded) return decodeURIComponent(encoded.trim())
  return header?.match(/filename\s*=\s*"?([^";]+)"?/i)?.[1]
}
