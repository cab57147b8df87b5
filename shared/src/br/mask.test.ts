import { expect, test } from 'vitest'
import { isMasked, maskEmail } from './mask.ts'

test.each([
  ['maria@mail.example', 'm•••@mail.example'],
  ['m@mail.example', '•••@mail.example'],
  ['"a@b"@mail.example', '"•••@mail.example'],
  ['no address', '•••'],
])('%s is shown as %s', (address, shown) => {
  expect(maskEmail(address)).toBe(shown)
  expect(isMasked(shown)).toBe(true)
  expect(isMasked(address)).toBe(false)
})
