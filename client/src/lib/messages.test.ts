import { describe, expect, test } from 'vitest'
import { ApiError, messageOf, statusOf, UNEXPECTED, UNREACHABLE } from './messages.ts'

/** Error shape of the tRPC client: the server's detail is in `data`. */
const refused = (http_status: number, detail: unknown) =>
  Object.assign(new Error('x'), { data: { http_status, detail } })

test('a generic message has status, status text and body (ERR-1 422, ERR-2 the others, ERR-3 the three parts)', () => {
  expect(new ApiError(422, undefined, '{"detail":[]}').message).toBe(
    'status: 422; status text: Validation Error; body: {"detail":[]}',
  )
  const names = [400, 401, 403, 404, 409, 413, 415, 429, 500, 502, 503, 507].map(
    (status) => /status text: ([^;]+)/.exec(new ApiError(status, undefined).message)?.[1],
  )
  expect(names).toEqual([
    'Bad Request',
    'Unauthorized',
    'Forbidden',
    'Not Found',
    'Conflict',
    'Payload Too Large',
    'Unsupported Media Type',
    'Too Many Requests',
    'Internal Server Error',
    'Bad Gateway',
    'Service Unavailable',
    'Insufficient Storage',
  ])
  expect(new ApiError(409, 'Já existe').message).toContain('body: Já existe')
})

describe('messages of failed calls (ERR-4, ERR-5)', () => {
  test.each([
    [refused(409, 'Já existe uma OS 1 nesta empresa.'), 'Já existe uma OS 1 nesta empresa.'],
    [
      refused(422, [
        { loc: ['body', 'a'], msg: 'Um', type: 'x' },
        { loc: ['body', 'b'], msg: 'Dois', type: 'x' },
      ]),
      'Um · Dois',
    ],
    [new ApiError(413, 'Arquivo grande demais'), 'Arquivo grande demais'],
    [refused(500, 'Internal Server Error'), UNEXPECTED],
    [refused(403, 'Not enough permissions'), 'Você não tem permissão para esta ação.'],
    [new ApiError(502, undefined), UNEXPECTED],
    [new ApiError(0, undefined), UNREACHABLE],
    [new TypeError('Failed to fetch'), UNREACHABLE],
  ])('%o', (error, text) => expect(messageOf(error)).toBe(text))

  test('the fallback is used only without a detail from the server', () => {
    expect(messageOf(new ApiError(500, undefined), 'Erro desconhecido')).toBe('Erro desconhecido')
    expect(messageOf(refused(400, 'Detalhe'), 'Erro desconhecido')).toBe('Detalhe')
  })
  test('the status is read from tRPC and REST errors', () => {
    expect(statusOf(refused(401, 'Not authenticated'))).toBe(401)
    expect(statusOf(new ApiError(401, undefined))).toBe(401)
    expect(statusOf(new TypeError('Failed to fetch'))).toBeUndefined()
  })
})
