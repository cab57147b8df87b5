import { expect, test } from 'vitest'
import { isMadeOfNames } from './weak-password.ts'

const owner = { full_name: 'José da Conceição Lima', email: 'ze.lima@concessionaria.com.br' }

test.each([
  ['conceicao1990', true],
  ['JOSÉ-lima-2026', true],
  ['ze.lima@123', true],
  ['Garantia@2026', true],
  ['garantialima!', true],
  ['limao com sal grosso', false],
  ['a casa do josé é azul', false],
  ['correto cavalo bateria', false],
  ['12345678901', false],
])('«%s» is made of names: %s', (password, is) => {
  expect(isMadeOfNames(password, owner)).toBe(is)
})
