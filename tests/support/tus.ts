import type { LightMyRequestResponse } from 'fastify'
import type { Caller } from './test-app.ts'

export const TUS = { 'tus-resumable': '1.0.0' }
export const CHUNK_CONTENT_TYPE = 'application/offset+octet-stream'

/** `Upload-Metadata` as a client writes it. */
export const metadata = (fields: Record<string, string | number>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(String(value)).toString('base64')}`)
    .join(',')

export const creationHeaders = (size: number, fields: Record<string, string | number>) => ({
  ...TUS,
  'upload-length': String(size),
  'upload-metadata': metadata(fields),
})
export const chunkHeaders = (offset: number) => ({
  ...TUS,
  'content-type': CHUNK_CONTENT_TYPE,
  'upload-offset': String(offset),
})

/** Creates an upload and returns its path below /api/v1. */
export async function createUpload(
  caller: Caller,
  order_id: number,
  size: number,
  fields: Record<string, string> = {},
) {
  const headers = creationHeaders(size, { order_id, filename: 'foto.jpg', ...fields })
  const answer = await caller.api('POST', '/uploads', undefined, headers)
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${answer.body}`)
  return String(answer.headers.location).replace('/api/v1', '')
}

/** Sends a file in chunks of this size; returns the response that refused it, or the last one. */
export async function uploadInChunks(
  caller: Caller,
  order_id: number,
  { filename, content, ...fields }: { filename: string; content: Buffer; [field: string]: string | Buffer },
  piece = content.length,
): Promise<LightMyRequestResponse> {
  const headers = creationHeaders(content.length, {
    order_id,
    filename,
    ...(fields as Record<string, string>),
  })
  let answer = await caller.api('POST', '/uploads', undefined, headers)
  const path = String(answer.headers.location).replace('/api/v1', '')
  for (let at = 0; at < content.length && answer.statusCode < 400; at += piece)
    answer = await caller.api('PATCH', path, content.subarray(at, at + piece), chunkHeaders(at))
  return answer
}
