import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  NAMING_TOKENS,
  type NamingFacts,
  namingExample,
  namingProblem,
  packagedFileName,
  uniqueFileName,
} from './naming.ts'

const facts: NamingFacts = {
  os_number: '123456',
  chassis: '9BGXX00X00B123456',
  plate: 'ABC1D23',
  category: 'pecas',
  brand: 'Citroën Açaí',
  company_tax_id: '12ABC34501DE35',
  at: new Date('2026-11-21T01:00:00Z'),
}

test.each([
  ['{os}_{chassi8}_{categoria}_{seq2}', '123456_0B123456_pecas_01.jpg'],
  ['{chassi6}_{categoria}_{seq2}', '123456_pecas_01.jpg'],
  ['{placa}_{os}_{categoria}_{seq2}', 'ABC1D23_123456_pecas_01.jpg'],
  ['{marca}-{data}-{cnpj}', 'Citroen-Acai-20261120-12ABC34501DE35.jpg'],
  ['', 'evidencia_01.jpg'],
  ['{nada}', 'nada.jpg'],
])('%s → %s', (template, name) => expect(packagedFileName(template, facts, 1, 'jpg')).toBe(name))

test('an order without chassis, plate and category still gets a name', () =>
  expect(
    packagedFileName(
      '{chassi8}_{placa}_{categoria}',
      { ...facts, chassis: null, plate: null, category: null },
      1,
      'pdf',
    ),
  ).toBe('sem-chassi_sem-placa_evidencia.pdf'))

test('the example on a card follows the template', () =>
  expect(namingExample('OS{os}_{categoria}_{seq2}', 'Fiat')).toBe('OS123456_defeito_01.jpg'))

test('two files never share a name, whatever the template', () =>
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...NAMING_TOKENS.map((token) => `{${token}}`), '_', 'ç', '/..'), {
        maxLength: 6,
      }),
      (parts) => {
        const taken: string[] = []
        for (let n = 0; n < 5; n++) taken.push(uniqueFileName(parts.join(''), facts, 1, 'jpg', taken))
        expect(new Set(taken.map((name) => name.toLowerCase())).size).toBe(5)
        for (const name of taken) expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]*\.jpg$/)
      },
    ),
  ))

test.each([
  ['{os}_{chassi8}_{categoria}_{seq2}', null],
  ['OS{os}.{data}-{seq2}', null],
  ['', 'Informe o modelo de nome'],
  ['{os}_{vin}', 'Variável desconhecida: {vin}'],
  ['{os}_{}', 'Variável desconhecida: {}'],
  ['{os', 'Chave sem par: escreva as variáveis como {os}'],
  ['peça {os}', 'Fora das variáveis use apenas letras sem acento, números, ponto, hífen e sublinhado'],
  ['../{os}', 'Fora das variáveis use apenas letras sem acento, números, ponto, hífen e sublinhado'],
  ['a'.repeat(201), 'Máximo de 200 caracteres'],
])('the template %s is checked: %s (D-33)', (template, problem) =>
  expect(namingProblem(template)).toBe(problem),
)
