import { expect, test } from 'vitest'
import {
  afterEnter,
  changedRows,
  compacted,
  pastedRows,
  readTyped,
  withBlank,
  withoutRow,
} from './typed-lines.ts'

const blank = { brand_number: '', os_number: '', chassis: '', amount: '' }

test('there is always a blank line to go on with, and only one', () => {
  const one = withBlank([])
  expect(one).toEqual([{ ...blank, key: 1 }])
  expect(withBlank(one)).toEqual(one)
  const two = changedRows(one, 0, 'brand_number', 'SG1')
  expect(two).toEqual([
    { ...blank, brand_number: 'SG1', key: 1 },
    { ...blank, key: 2 },
  ])
  expect(withoutRow(two, 0)).toEqual([{ ...blank, key: 2 }])
  expect(compacted([...one, ...changedRows([], 0, 'amount', '')])).toHaveLength(1)
})

test('cells of a spreadsheet fill lines from where they are pasted, and no more columns than there are', () => {
  const rows = pastedRows(withBlank([]), 0, 'os_number', '000123\t4251\t1.234,56\tmais\r\n000124\t\t-10\r\n')
  expect(rows).toEqual([
    { ...blank, os_number: '000123', chassis: '4251', amount: '1.234,56', key: 1 },
    { ...blank, os_number: '000124', amount: '-10', key: 2 },
    { ...blank, key: 3 },
  ])
})

test('typed lines are read as those of a file, with what is wrong in which column', () => {
  const rows = pastedRows(
    withBlank([]),
    0,
    'brand_number',
    'SG1\t\t\t(10,50)\n\t\t\t5\nSG2\t\t\tx\n\t7\ta-b1\t1',
  )
  const { lines, problems } = readTyped(rows)
  expect(lines).toEqual([
    { line: 1, brand_number: 'SG1', os_number: null, chassis_end: null, document: null, amount: -10.5 },
    { line: 4, brand_number: null, os_number: '000007', chassis_end: 'AB1', document: null, amount: 1 },
  ])
  expect(problems).toMatchObject([
    { line: 2, field: 'brand_number', message: 'Sem número na marca nem da OS' },
    { line: 3, field: 'amount' },
  ])
})

test('Enter skips what the line does not need', () => {
  const row = { ...blank, brand_number: 'SG1', key: 1 }
  expect(afterEnter(row, 'brand_number')).toEqual({ column: 'amount', isNext: false })
  expect(afterEnter({ ...blank, key: 1 }, 'brand_number')).toEqual({ column: 'os_number', isNext: false })
  expect(afterEnter(row, 'os_number')).toEqual({ column: 'chassis', isNext: false })
  expect(afterEnter(row, 'chassis')).toEqual({ column: 'amount', isNext: false })
  expect(afterEnter(row, 'amount')).toEqual({ column: 'brand_number', isNext: true })
})
