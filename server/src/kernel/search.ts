import { type RawBuilder, sql } from 'kysely'

const pattern = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Condition that a search column contains a word, ignoring case and accents. A word with digits also matches
 * without its mask (dot, hyphen, slash), since CPF and CNPJ are stored without one.
 */
export function contains(column: RawBuilder<unknown>, word: string) {
  const bare = /\d/.test(word) ? word.replace(/[.\-/]/g, '') : ''
  return bare === '' || bare === word
    ? sql<boolean>`${column} like fold(${pattern(word)})`
    : sql<boolean>`(${column} like fold(${pattern(word)}) or ${column} like fold(${pattern(bare)}))`
}
