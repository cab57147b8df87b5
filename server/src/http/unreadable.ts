import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'

const MEANING: Partial<Record<string, [status: string, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'A requisição demorou demais para chegar.'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'O cabeçalho da requisição é grande demais.'],
}

const GRACE_MS = 2_000
/**
 * Destroys a connection that was answered for the last time, after a grace in which the answer can be read: who
 * goes on sending, or never closes, would keep the descriptor for ever.
 */
export const giveUp = (socket: Socket) => setTimeout(() => socket.destroy(), GRACE_MS).unref()

/**
 * Answers a request that is not valid HTTP (400, 408 or 431) in the API's error format: no route, hook or
 * error handler sees such a request.
 */
export function refuseUnreadable({ code }: NodeJS.ErrnoException, socket: Socket) {
  if (code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const [status, detail] = MEANING[code ?? ''] ?? ['400 Bad Request', 'A requisição não é HTTP válido.']
  const body = JSON.stringify({ detail })
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${randomUUID()}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  giveUp(socket)
}
