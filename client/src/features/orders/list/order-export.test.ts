import { expect, test } from 'vitest'
import { exportQuery } from './order-export.ts'

test('an export requests the selected orders, or those matching the filter', () => {
  expect(exportQuery({ format: 'csv', ids: [3, 1, 2] })).toBe('format=csv&ids=3%2C1%2C2')
  expect(exportQuery({ format: 'xlsx', status: 'pending,ready', brand_id: undefined, search: 'josé' })).toBe(
    'format=xlsx&status=pending%2Cready&search=jos%C3%A9',
  )
})
