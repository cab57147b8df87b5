import { expect, test } from 'vitest'
import { type ImportLine, type ImportTarget, lineJudge, proposeMapping } from './import-line.ts'

const TARGET: ImportTarget = {
  mapping: { os_number: 0, customer_document: 1, parts_value: 2, opened_at: 3, brand_id: 4, vehicle_year: 5 },
  company_id: 3,
  brand_id: null,
  brands: [{ id: 9, slug: 'caoa-chery', display_name: 'CAOA Chery' }],
}
const judgeLines = (lines: readonly ImportLine[], target: ImportTarget) => lines.map(lineJudge(target))
const judge = (cells: readonly string[], target: Partial<ImportTarget> = {}) =>
  judgeLines([{ line: 2, cells }], { ...TARGET, ...target })[0]
const readAs = (field: keyof ImportTarget['mapping'], text: string) => {
  const judged = judge(['1', text], { mapping: { os_number: 0, [field]: 1 }, brand_id: 9 })
  return judged && 'order' in judged
    ? judged.order[field as 'parts_value']
    : judged?.problems.map(({ message }) => message).join()
}

test('headings are recognised without accents, case and points', () => {
  expect(
    proposeMapping([
      'Nº O.S.',
      'DATA ABERTURA',
      'Cliente',
      'CPF/CNPJ',
      'Chassi',
      'KM',
      'Vlr. Peças',
      'Outra',
    ]),
  ).toEqual({
    os_number: 0,
    opened_at: 1,
    customer_name: 2,
    customer_document: 3,
    vehicle_chassis: 4,
    vehicle_mileage: 5,
    parts_value: 6,
  })
  expect(proposeMapping(['Número da OS', 'Marca', 'Quilometragem', 'Valor do serviço'])).toEqual({
    os_number: 0,
    brand_id: 1,
    vehicle_mileage: 2,
    service_value: 3,
  })
  expect(proposeMapping(['A', 'B'])).toEqual({})
})

test.each([
  ['parts_value', '1.234,56', 1234.56],
  ['parts_value', 'R$ 1.234', 1234],
  ['parts_value', '1234.5', 1234.5],
  ['parts_value', '10,999', 'Use no máximo duas casas decimais'],
  ['parts_value', '1,234.56', 'Deve ser um valor em reais, como 1.234,56'],
  ['parts_value', '-5,00', 'O valor não pode ser negativo'],
  ['vehicle_mileage', '45.210 km', 45210],
  ['vehicle_mileage', 'muitos', 'Deve ser um número de quilômetros'],
  ['vehicle_year', '2023/2024', 2024],
  ['vehicle_year', '1850', 'O ano deve ser a partir de 1900'],
  ['opened_at', '31/01/2026 14:30', '2026-01-31T03:00:00.000Z'],
  ['opened_at', '2026-01-31', '2026-01-31T03:00:00.000Z'],
  ['opened_at', '31/02/2026', 'Data inválida (dd/mm/aaaa)'],
  ['opened_at', '01/01/2999', 'A data de abertura não pode estar no futuro'],
  ['customer_document', '529.982.247-25', '52998224725'],
  ['customer_document', '1234567891', 'CPF/CNPJ inválido'],
  ['customer_document', '191', '00000000191'],
  ['customer_phone', '+55 (11) 98765-4321', '11987654321'],
  ['customer_phone', '123', 'Telefone inválido'],
  ['vehicle_plate', 'abc-1234', 'ABC1234'],
  ['vehicle_chassis', '9bwzzz377vt004251', '9BWZZZ377VT004251'],
  ['vehicle_chassis', '9BW', 'Chassi deve ter 17 caracteres'],
] as const)('%s «%s» → %s', (field, text, value) => expect(readAs(field, text)).toBe(value))

test('a line becomes the order that the form would send', () =>
  expect(judge(['123', '52998224725', '10,5', '05/01/2026', 'Caoa-Chery', ''])).toEqual({
    line: 2,
    order: {
      os_number: '000123',
      company_id: 3,
      brand_id: 9,
      customer_document: '52998224725',
      parts_value: 10.5,
      opened_at: '2026-01-05T03:00:00.000Z',
    },
  }))

test('every problem of a line is named with its field and cell', () =>
  expect(judge(['12a', '1', 'x', 'ontem', 'Lada', '24'])).toEqual({
    line: 2,
    problems: [
      {
        line: 2,
        os_number: '12a',
        field: 'os_number',
        value: '12a',
        message: 'Número da OS deve ter 6 dígitos',
      },
      {
        line: 2,
        os_number: '12a',
        field: 'brand_id',
        value: 'Lada',
        message: 'Marca desconhecida, desativada ou não atendida pela empresa',
      },
      {
        line: 2,
        os_number: '12a',
        field: 'opened_at',
        value: 'ontem',
        message: 'Data inválida (dd/mm/aaaa)',
      },
      { line: 2, os_number: '12a', field: 'customer_document', value: '1', message: 'CPF/CNPJ inválido' },
      {
        line: 2,
        os_number: '12a',
        field: 'vehicle_year',
        value: '24',
        message: 'O ano deve ser a partir de 1900',
      },
      {
        line: 2,
        os_number: '12a',
        field: 'parts_value',
        value: 'x',
        message: 'Deve ser um valor em reais, como 1.234,56',
      },
    ],
  }))

test('a number that occurs again is refused, and a line without brand takes the default one', () => {
  const lines = [2, 3].map((line) => ({ line, cells: ['7', '', '', '', ''] }))
  expect(judgeLines(lines, { ...TARGET, brand_id: 9 })).toEqual([
    { line: 2, order: { os_number: '000007', company_id: 3, brand_id: 9 } },
    {
      line: 3,
      problems: [
        {
          line: 3,
          os_number: '000007',
          field: 'os_number',
          value: '000007',
          message: 'Número repetido no arquivo: já está na linha 2',
        },
      ],
    },
  ])
  expect(judgeLines(lines.slice(0, 1), TARGET)[0]).toMatchObject({
    problems: [{ field: 'brand_id', message: 'Marca é obrigatória' }],
  })
})
