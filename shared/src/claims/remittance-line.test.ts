import { expect, test } from 'vitest'
import { proposeRemittanceColumns, readRemittanceLine } from './remittance-line.ts'

const mapping = { brand_number: 0, os_number: 1, chassis: 2, amount: 3 }
const read = (...cells: string[]) => readRemittanceLine({ line: 2, cells }, mapping)

test('headings are recognised', () =>
  expect(proposeRemittanceColumns(['Nº SG', 'O.S.', 'Final do chassi', 'Valor pago', 'NF'])).toEqual({
    brand_number: 0,
    os_number: 1,
    chassis: 2,
    amount: 3,
    document: 4,
  }))

test.each([
  ['1.234,56', 1234.56],
  ['R$ 0,01', 0.01],
  ['-80,00', -80],
  ['(80,00)', -80],
  ['80,00-', -80],
])('«%s» is %d', (text, amount) => expect(read('SG1', '', '', text)).toMatchObject({ amount }))

test.each([
  ['SG1', '', '', 'Total', 'Deve ser um valor em reais, como 1.234,56'],
  ['SG1', '', '', '0,00', 'O valor não pode ser zero'],
  ['SG1', '', '', '1,005', 'Use no máximo duas casas decimais'],
  ['', '', '', '99,00', 'Sem número na marca nem da OS'],
  ['x'.repeat(61), '', '', '99,00', 'Máximo de 60 caracteres'],
])('«%s» «%s» «%s» «%s» is left out', (number, os, chassis, amount, message) =>
  expect(read(number, os, chassis, amount)).toMatchObject({ line: 2, message }),
)

test('numbers of orders get their zeros back, and a chassis is compared without spaces', () =>
  expect(read('', '123', '377 vt 004251', '10')).toMatchObject({
    brand_number: null,
    os_number: '000123',
    chassis_end: '377VT004251',
  }))
