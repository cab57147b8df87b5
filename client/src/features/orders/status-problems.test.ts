import { expect, test } from 'vitest'
import { problemsIn } from './status-problems.ts'

test('a refused completion lists what is missing; any other refusal lists nothing (D-10)', () => {
  expect(
    problemsIn('Problemas na validação: Envie ao menos uma evidência; Falta: Odômetro (0 de 1).'),
  ).toEqual(['Envie ao menos uma evidência', 'Falta: Odômetro (0 de 1)'])
  expect(problemsIn('A marca não aceita concluir com problemas: Envie ao menos uma evidência.')).toBeNull()
  expect(problemsIn(undefined)).toBeNull()
})
