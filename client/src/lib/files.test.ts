import { expect, test } from 'vitest'
import { nameIn } from './files.ts'

test.each([
  ["attachment; filename*=utf-8''os_1_evid%C3%AAncias.zip", 'os_1_evidências.zip'],
  ['attachment; filename="foto 1.jpg"', 'foto 1.jpg'],
  ['attachment; filename="a.jpg"; filename*=UTF-8\'\'%C3%A1.jpg', 'á.jpg'],
  ['inline', undefined],
  [null, undefined],
])('the file name in %s', (header, name) => expect(nameIn(header)).toBe(name))
