import { expect, test } from 'vitest'
import { logoSizeProblem } from './logo.ts'

test.each([
  [48, 48, null],
  [4_000, 4_000, null],
  [47, 200, 'O logotipo tem 47 × 200 px; cada lado precisa ter de 48 a 4.000 px.'],
  [4_001, 200, 'O logotipo tem 4.001 × 200 px; cada lado precisa ter de 48 a 4.000 px.'],
  [null, null, 'O logotipo tem 0 × 0 px; cada lado precisa ter de 48 a 4.000 px.'],
])('a logo of %s × %s px (D-93)', (width, height, problem) =>
  expect(logoSizeProblem({ width, height })).toBe(problem),
)
