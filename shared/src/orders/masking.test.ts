import { expect, test } from 'vitest'
import { isMaskedWhole } from './masking.ts'

test.each(['52998224725', '12ABC34501DE35', '12abc34501de35', '9bwzzz377vt004251', '11987654321'])(
  'a search for the whole value %s is known as one',
  (word) => expect(isMaskedWhole(word)).toBe(true),
)
test.each(['12ABC34501DE34', 'maria', '330401'])('%s is no whole value', (word) =>
  expect(isMaskedWhole(word)).toBe(false),
)
