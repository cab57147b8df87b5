import { describe, expect, test } from 'vitest'
import { UNEXPECTED } from '../../lib/messages.ts'
import { loginProblem } from './login-problem.ts'

/** As the tRPC client rejects: the server's words are in `data`. */
const refused = (http_status: number, detail: unknown) =>
  Object.assign(new Error('x'), { data: { http_status, detail } })

describe('what the sign-in screen says (LOGIN-9 to LOGIN-12)', () => {
  test.each([
    [refused(400, 'Incorrect email or password'), 'Usuário ou senha incorretos.'],
    [refused(400, 'Inactive user'), 'Usuário inativo.'],
    [refused(422, [{ loc: [], msg: 'x', type: 'x' }]), 'Algo deu errado'],
    [refused(429, 'Muitas tentativas'), UNEXPECTED],
    [new TypeError('Failed to fetch'), UNEXPECTED],
  ])('%o', (error, text) => expect(loginProblem(error)).toBe(text))
})
