import { expect, test } from 'vitest'
import { escapeWideFormula } from './csv.ts'

test.each(['＝1+1', '＋1', '－1', '＠SUM(1)'])('%s is written as text', (text) => {
  expect(escapeWideFormula(text)).toBe(`'${text}`)
})

test.each(['', 'Ana ＝ Bia', '=1', 'Café'])('%s stays as it is', (text) => {
  expect(escapeWideFormula(text)).toBe(text)
})
