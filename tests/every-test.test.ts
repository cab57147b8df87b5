import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import config from './vitest.config.ts'

const cwd = fileURLToPath(new URL('.', import.meta.url))
const PACKAGES = ['../{shared,migrations,server,worker,client}/**/*.test.ts', '**/*.test.ts']
const exclude = (name: string) => name.includes('node_modules')
const filesOf = (patterns: readonly string[]) => globSync(patterns, { cwd, exclude }).sort()

test('every test file of the repository belongs to exactly one project of vitest.config.ts', () => {
  const run = (config.test?.projects ?? []).flatMap((project) => {
    const { include = [], exclude: left = [] } =
      (typeof project === 'object' && 'test' in project && project.test) || {}
    return filesOf(include).filter((file) => !left.includes(file))
  })
  expect(run.sort()).toEqual(filesOf(PACKAGES))
})
