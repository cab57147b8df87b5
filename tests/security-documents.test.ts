import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const exists = (path: string) =>
  path.includes('*') ? globSync(path, { cwd: ROOT }).length > 0 : existsSync(join(ROOT, path))
/** Cells of the rows of all tables, without headings. */
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line, index, lines) => line.startsWith('| ') && !lines[index + 1]?.startsWith('| ---'))
    .filter((line) => !line.startsWith('| ---'))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim()),
    )
/** What a cell names in backticks, without a remark in brackets. */
const namedIn = (cell = '') =>
  [...cell.replace(/\([^)]*\)/g, '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

describe('docs/asvs.md', () => {
  /** How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has; they are numbered from 1. */
  const REQUIREMENTS = `
    1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2
    4.1:3 4.2:1 4.3:2 4.4:4 5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4
    7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4
    10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1
    12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7
    16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2`
  const text = textOf('docs/asvs.md')
  const rows = rowsOf(text)

  test('has every requirement of levels 1 and 2 once, in order', () => {
    const expected = [...REQUIREMENTS.matchAll(/(\S+):(\d+)/g)].flatMap(([, section, count]) =>
      Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`),
    )
    expect(expected).toHaveLength(253)
    expect(rows.map(([number]) => number)).toEqual(expected)
  })

  test('gives each a verdict and a reason, and counts the verdicts', () => {
    const faulty = rows.filter(
      ([, requirement, verdict, reason, ...more]) =>
        !(requirement && reason && /^(met|not applicable|open)$/.test(verdict ?? '')) || more.length > 0,
    )
    expect(faulty).toEqual([])
    const count = (wanted: string) => rows.filter(([, , verdict]) => verdict === wanted).length
    expect(text).toContain(
      `${rows.length} requirements: ${count('met')} met, ${count('not applicable')} not applicable, ${count('open')} open.`,
    )
  })

  test('names for each «met» a test or file that exists', () => {
    const met = rows.filter(([, , verdict]) => verdict === 'met')
    const unproved = met.filter(([, , , proof]) => namedIn(proof).length === 0)
    const missing = met.flatMap(([number, , , proof]) =>
      namedIn(proof)
        .filter((path) => !exists(path))
        .map((path) => `${number}: ${path}`),
    )
    expect([unproved, missing]).toEqual([[], []])
  })
})

describe('SECURITY.md', () => {
  const text = textOf('SECURITY.md')

  test('names for each statement of what holds today a test that exists', () => {
    const holding = text.split('## What holds today')[1]?.split('\n## ')[0] ?? ''
    const rows = rowsOf(holding)
    expect(rows.length).toBeGreaterThan(70)
    const isTest = (path: string) => /\.(test|spec)\.tsx?$|^tests\/support\//.test(path) && exists(path)
    expect(rows.filter(([, tests]) => namedIn(tests).length === 0 || !namedIn(tests).every(isTest))).toEqual(
      [],
    )
  })

  test('names no test that does not exist', () => {
    const named = [...text.matchAll(/`((?:tests|client|shared|server|worker)\/[^`]+)`/g)].map(
      ([, path = '']) => path,
    )
    expect(named.filter((path) => !exists(path))).toEqual([])
  })
})
