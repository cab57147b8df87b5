import { expect, test } from 'vitest'
import { problemsIn, problemsText } from './problems.ts'

test('the refusal of a completion yields its problems; another detail yields null (D-10)', () => {
  const problems = ['Envie ao menos uma evidência', 'Falta: Odômetro (0 de 1)']
  const refusal = problemsText(problems)
  expect(refusal).toBe('Problemas na validação: Envie ao menos uma evidência; Falta: Odômetro (0 de 1).')
  expect(problemsIn(refusal)).toEqual(problems)
  expect(problemsIn('A marca não aceita concluir com problemas: Envie ao menos uma evidência.')).toBeNull()
  expect(problemsIn(undefined)).toBeNull()
})
