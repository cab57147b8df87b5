import { describe, expect, test } from 'vitest'
import { certain, finderOf } from '../../server/src/features/records/privacy/mentions.ts'

const FORMS = {
  names: ['José Antônio d’Ávila Souza'],
  numbers: ['52998224725', '11987654321'],
  emails: ['jose.souza@exemplo.com.br'],
}
const finder = finderOf(FORMS, 'Titular 0a1b')

describe('a customer is found in texts (D-85)', () => {
  test.each([
    ['José Antônio d’Ávila Souza pediu urgência', 'Titular 0a1b pediu urgência'],
    ['CLIENTE: JOSE ANTONIO D’AVILA SOUZA.', 'CLIENTE: Titular 0a1b.'],
    ['falar com José Souza amanhã', 'falar com Titular 0a1b amanhã'],
    ['RG_jose_souza.jpg', 'RG_Titular 0a1b.jpg'],
    ['jose_souza.jpg', 'Titular 0a1b.jpg'],
    ['CPF 529.982.247-25', 'CPF Titular 0a1b'],
    ['CPF 52998224725', 'CPF Titular 0a1b'],
    ['ligar (11) 98765-4321', 'ligar Titular 0a1b'],
    ['ligar 11 98765 4321', 'ligar Titular 0a1b'],
    ['Jose.Souza@Exemplo.com.br', 'Titular 0a1b'],
    // Others, whose name only begins or ends like it.
    ['Josélia Souza', 'Josélia Souza'],
    ['José Souzas', 'José Souzas'],
    ['152998224725', '152998224725'],
    ['Peça 5299822472', 'Peça 5299822472'],
  ])('%s', (text, expected) => {
    expect(finder.without(text)).toBe(expected)
    expect(finder.isIn(text)).toBe(text !== expected)
  })

  test('inside of lists and objects, of which everything else stays', () => {
    expect(finder.without({ a: ['José Souza', 1, null], b: { c: true } })).toEqual({
      a: ['Titular 0a1b', 1, null],
      b: { c: true },
    })
  })

  test('a single first name counts only where the order is theirs', () => {
    const ana = { names: ['Ana'], numbers: [], emails: [] }
    expect(finderOf(ana, 'X').isIn('Ana pediu')).toBe(true)
    expect(finderOf(certain(ana), 'X').isIn('Ana pediu')).toBe(false)
  })

  test('with signs in name and e-mail that mean something in a pattern', () => {
    const forms = {
      names: ["Ana-Rita (Lia) D'Ávila+Sá"],
      numbers: [],
      emails: ['ana-rita+os@exemplo.com.br'],
    }
    const { without } = finderOf(forms, 'X')
    expect(without("de ANA-RITA (LIA) D'AVILA+SA, ana-rita+os@exemplo.com.br")).toBe('de X, X')
  })
})
