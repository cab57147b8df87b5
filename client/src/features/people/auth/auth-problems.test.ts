import { describe, expect, test } from 'vitest'
import { UNEXPECTED } from '../../../lib/messages.ts'
import { loginProblem, recoveryProblem, resetProblem, signUpProblem } from './auth-problems.ts'

/** Error shape of the tRPC client: the server's detail is in `data`. */
const refused = (http_status: number, detail: unknown) =>
  Object.assign(new Error('x'), { data: { http_status, detail } })
const issue = (msg: string) => ({ loc: ['body', 'x'], msg, type: 'x' })
const unreached = new TypeError('Failed to fetch')

describe('sign-in error messages (LOGIN-9 to LOGIN-12)', () => {
  test.each([
    [refused(400, 'Incorrect email or password'), 'Usuário ou senha incorretos.'],
    [refused(400, 'Inactive user'), 'Usuário inativo.'],
    [refused(422, [issue('x')]), 'Algo deu errado'],
    [refused(429, 'Muitas tentativas'), UNEXPECTED],
    [unreached, UNEXPECTED],
  ])('%o', (error, text) => expect(loginProblem(error)).toBe(text))
})

describe('sign-up error messages (SIGN-11)', () => {
  test.each([
    [refused(409, 'Já existe um usuário com este email.'), 'Já existe um usuário com este email.'],
    [refused(403, 'O cadastro está desativado.'), 'O cadastro está desativado.'],
    [unreached, 'Erro ao criar conta'],
  ])('%o', (error, text) => expect(signUpProblem(error)).toBe(text))
})

describe('recovery error messages (REC-4, REC-5)', () => {
  test.each([
    [refused(404, 'Not Found'), 'O usuário com este email não existe no sistema.'],
    [refused(429, 'Muitas tentativas'), UNEXPECTED],
    [unreached, UNEXPECTED],
  ])('%o', (error, text) => expect(recoveryProblem(error)).toBe(text))
})

describe('reset error messages (RST-5)', () => {
  test.each([
    [refused(400, 'Invalid token'), 'O link é inválido, já foi usado ou expirou. Peça um novo.'],
    [refused(400, 'Inactive user'), 'Usuário inativo.'],
    [refused(400, 'Outra coisa'), 'Outra coisa'],
    [refused(422, [issue('Primeiro'), issue('Segundo')]), 'Primeiro'],
    [refused(422, []), 'Algo deu errado'],
    [unreached, 'Algo deu errado'],
  ])('%o', (error, text) => expect(resetProblem(error)).toBe(text))
})
