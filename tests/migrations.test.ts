import { readdirSync, readFileSync } from 'node:fs'
import { MIGRATIONS } from '@garantia/migrations'
import { expect, test } from 'vitest'

const FOLDER = new URL('../migrations/', import.meta.url)
/** A file that was renamed after its migration had run: the databases that have it know the first name. */
const RECORDED_AS: Record<string, string> = {
  '0021_reencode_pass': '0021_second_round',
  '0046_authenticated_events': '0046_events_with_seal',
}

const files = readdirSync(FOLDER)
  .filter((name) => /^\d.*\.ts$/.test(name))
  .map((name) => name.replace(/\.ts$/, ''))
  .sort()

test('every migration in the folder runs, under its own name and in the order of its number', () => {
  expect(Object.keys(MIGRATIONS)).toEqual(files.map((file) => RECORDED_AS[file] ?? file))
  expect(Object.keys(MIGRATIONS)).toEqual(Object.keys(MIGRATIONS).sort())
})

test('no two migrations have the same number, and each has four digits', () => {
  const numbers = files.map((file) => /^(\d{4})_[a-z\d_]+$/.exec(file)?.[1])
  expect(numbers).not.toContain(undefined)
  expect(new Set(numbers).size).toBe(files.length)
})

test.each(files)('%s is what runs under its name', async (file) => {
  const migration = await import(new URL(`${file}.ts`, FOLDER).href)
  expect(MIGRATIONS[RECORDED_AS[file] ?? file]?.up).toBe(migration.up)
})

test('a renamed file still exists, and its first name is no other file', () => {
  for (const [file, recorded] of Object.entries(RECORDED_AS)) {
    expect(files).toContain(file)
    expect(files).not.toContain(recorded)
  }
})

/** What the release before may still use. */
const CONTRACTS =
  /\b(drop (table|column|function|type|view)|rename (to|column)|set not null|alter column \w+ type|dropTable|dropColumn|renameColumn|setNotNull)\b/i

test('a migration that takes something away raises what the database needs (DECISIONS.md, 208)', () => {
  const bare = files
    .filter((file) => file > '0064_operations')
    .filter((file) => {
      const text = readFileSync(new URL(`${file}.ts`, FOLDER), 'utf8')
      return CONTRACTS.test(text) && !text.includes('update schema_compatibility')
    })
  expect(bare).toEqual([])
  expect(CONTRACTS.test('alter table a drop column b')).toBe(true)
  expect(CONTRACTS.test('alter table a add column b text')).toBe(false)
})
