import { expect, test } from 'vitest'
import { z } from 'zod'
import { newUuid } from './uuid.ts'

test('a UUID is of version 4, and another one each time', () => {
  const made = Array.from({ length: 200 }, newUuid)
  for (const one of made) expect(z.uuidv4().safeParse(one).success, one).toBe(true)
  expect(new Set(made).size).toBe(made.length)
})
