import { expect, test } from 'vitest'
import { formatZipCode } from './zip-code.ts'

test.each([
  ['01310100', '01310-100'],
  ['123', '123'],
])('the CEP %s is shown as %s (CON-6)', (bare, shown) => expect(formatZipCode(bare)).toBe(shown))
