import { expect, test } from 'vitest'
import { pageWindow } from './pager.tsx'

test.each([
  [1, 3, [1, 2, 3]],
  [1, 14, [1, 2, 3, 4, 5]],
  [2, 14, [1, 2, 3, 4, 5]],
  [7, 14, [5, 6, 7, 8, 9]],
  [14, 14, [10, 11, 12, 13, 14]],
  [99, 14, [10, 11, 12, 13, 14]],
])('page %i of %i shows %j (LIST-20)', (page, pageCount, shown) =>
  expect(pageWindow(page, pageCount)).toEqual(shown),
)
