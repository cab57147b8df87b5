import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Db } from '@garantia/server/kernel'
import { expect, test } from 'vitest'

const input = { full_name: 'Ana', email: 'ana@exemplo.com.br', password_hash: 'x' }
const withExtra = { ...input, nickname: 'Aninha' }
const change = { full_name: 'Ana' }
const withUnknown = { ...change, nickname: 'Aninha' }
const isRenamed: boolean = Date.now() > 0

/** Never run: `npm run check` compiles it, and a line that is not refused any more is an error itself. */
const WRITES = {
  refused: (db: Db) => [
    // @ts-expect-error a spread with a key that is no column
    db.insertInto('users').values({ ...withExtra }),
    // @ts-expect-error beside a spread, a key that is no column
    db.insertInto('users').values({ ...input, nickname: 'Aninha' }),
    // @ts-expect-error a variable with a key that is no column
    db.insertInto('users').values(withExtra),
    // @ts-expect-error a list of rows with a key that is no column
    db.insertInto('users').values([1, 2].map(() => ({ ...withExtra }))),
    // @ts-expect-error a key that is no column, in some cases only
    db.insertInto('users').values({ ...input, ...(isRenamed && { nickname: 'Aninha' }) }),
    // @ts-expect-error a column of another table
    db.insertInto('users').values({ ...input, os_number: '000001' }),
    // @ts-expect-error a value of the wrong type beside a spread
    db.insertInto('users').values({ ...input, full_name: 1 }),
    // @ts-expect-error a required column is missing
    db.insertInto('users').values({ ...change }),
    // @ts-expect-error a spread with a key that is no column
    db.updateTable('users').set({ ...withUnknown }),
    // @ts-expect-error a variable with a key that is no column
    db.updateTable('users').set(withUnknown),
    // @ts-expect-error a spread with a key that is no column, from a function
    db.updateTable('users').set((eb) => ({ ...withUnknown, version: eb('version', '+', 1) })),
    // @ts-expect-error beside a spread, a key that is no column, from a function
    db.updateTable('users').set((eb) => ({ ...change, nickname: 'x', version: eb('version', '+', 1) })),
    db
      .insertInto('users')
      .values(input)
      // @ts-expect-error a key that is no column, on conflict
      .onConflict((row) => row.column('email').doUpdateSet(withUnknown)),
    // @ts-expect-error set first, or its columns would not be checked
    db.updateTable('users').where('id', '=', 1).set(withUnknown),
    // @ts-expect-error a common table expression, which would write by a plain Kysely
    db.with('added', (plain) => plain.insertInto('users').values(withExtra)),
  ],
  taken: (db: Db) => [
    db
      .insertInto('users')
      .values({ ...input, is_active: true })
      .returning('id'),
    db.insertInto('users').values([input, { ...input, ...(isRenamed && { phone: null }) }]),
    db.updateTable('users').set((eb) => ({ ...change, version: eb('version', '+', 1) })),
    db
      .updateTable('users')
      .set({ ...change, is_active: true })
      .where('id', '=', 1),
  ],
}

test('a write with a key that is no column is refused when it is compiled', () => {
  expect(Object.keys(WRITES)).toEqual(['refused', 'taken'])
})

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PLAIN = /import (?:type )?\{[^}]*\b(?:Kysely|Transaction|ControlledTransaction)\b[^}]*\} from 'kysely'/

test('no other module gets a database whose writes are not checked', () => {
  const found = ['server/src', 'worker/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`)
      .filter((path) => PLAIN.test(readFileSync(join(ROOT, path), 'utf8'))),
  )
  expect(found.sort()).toEqual(['server/src/kernel/database.ts', 'server/src/kernel/strict-writes.ts'])
})
