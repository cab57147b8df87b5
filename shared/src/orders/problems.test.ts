import { expect, test } from 'vitest'
import { problemsIn, problemsText } from './problems.ts'

test('a refused completion lists what is missing; any other refusal lists nothing (D-10)', () => {
  const problems = ['Envie ao menos uma evidência', 'Falta: Odômetro (0 de 1)']
  const told = problemsText(problems)
  expect(told).toBe('Problemas na validação: Envie ao menos uma evidência; Falta: Odômetro (0 de 1).')
  expect(problemsIn(told)).toEqual(problems)
  expect(problemsIn('A marca não aceita concluir com problemas: Envie ao menos uma evidência.')).toBeNull()
  expect(problemsIn(undefined)).toBeNull()
})
