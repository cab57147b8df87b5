import { expect, test } from 'vitest'
import { rowsBetween, withCurrentRows } from './row-selection.ts'

const rows = [{ id: 9 }, { id: 4 }, { id: 7 }, { id: 1 }]

test.each([
  ['downwards', 9, 7, [9, 4, 7]],
  ['upwards', 1, 4, [4, 7, 1]],
  ['one row', 4, 4, [4]],
  ['from a row of another page', 99, 7, [7]],
  ['to a row that is gone', 9, 99, []],
])('range %s', (_, from, to, ids) => expect(rowsBetween(rows, from, to).map(({ id }) => id)).toEqual(ids))

test('a selected row on the page is current; one on another page stays as selected', () => {
  const chosen = [
    { id: 4, status: 'aberta' },
    { id: 30, status: 'aberta' },
  ]
  const shown = [
    { id: 9, status: 'aberta' },
    { id: 4, status: 'fechada' },
  ]
  expect(withCurrentRows(chosen, shown)).toEqual([
    { id: 4, status: 'fechada' },
    { id: 30, status: 'aberta' },
  ])
})
