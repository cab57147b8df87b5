import { type RawBuilder, sql } from 'kysely'

const pattern = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`

/** A word as it was typed, or without its mask: a CPF and a CNPJ are stored bare. */
export function contains(column: RawBuilder<unknown>, word: string) {
  const bare = /\d/.test(word) ? word.replace(/[.\-/]/g, '') : ''
  return bare === '' || bare === word
    ? sql<boolean>`${column} like fold(${pattern(word)})`
    : sql<boolean>`(${column} like fold(${pattern(word)}) or ${column} like fold(${pattern(bare)}))`
}
