/** What a customer is known by, in an order or in its history. */
export interface Forms {
  names: string[]
  /** Documents, phones, without mask. */
  numbers: string[]
  emails: string[]
}

const SPECIAL = /[.*+?^${}()|[\]\\/]/g
const escaped = (text: string) => text.replace(SPECIAL, '\\$&')
/** Unicode letters with their accents apart, so that «José» is found where somebody wrote «JOSE». */
const apart = (text: string) => text.normalize('NFD')
const bareLetters = (text: string) => apart(text).replace(/\p{M}/gu, '')

const nameOf = (name: string) =>
  bareLetters(name)
    .trim()
    .split(/\s+/)
    .map((word) => [...word].map((letter) => `${escaped(letter)}\\p{M}*`).join(''))
    .join('[\\s_.-]+')
/** With any mask, or none, between the digits. */
const numberOf = (number: string) => [...number].map(escaped).join('[\\s.()/-]*')

/** A name is also written as its first and last word. */
function spellings(name: string) {
  const words = name.trim().split(/\s+/)
  const [first, last] = [words[0], words.at(-1)]
  return words.length > 2 && first && last ? [name, `${first} ${last}`] : [name]
}

/** A pattern that matches each of the forms where it stands alone; null when there is none. */
function patternOf({ names, numbers, emails }: Forms) {
  const parts = [
    ...emails.map((email) => escaped(apart(email))),
    ...numbers.map((number) => `\\(?${numberOf(number)}`),
    // A whole name before its first and last word, of which it may begin; an e-mail may contain either.
    ...names
      .flatMap(spellings)
      .sort((a, b) => b.length - a.length)
      .map(nameOf),
  ].filter((part) => part !== '')
  return parts.length === 0
    ? null
    : new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
}

/** Finds a customer in texts, whatever the case, accents and masks, and puts a pseudonym in their place. */
export interface Finder {
  isIn(value: unknown): boolean
  /** The same value, a text or anything that JSON can have, without the customer. */
  without<T>(value: T): T
}

export function finderOf(forms: Forms, pseudonym: string): Finder {
  const pattern = patternOf(forms)
  const inText = (text: string) => {
    if (!pattern) return text
    const found = apart(text)
    const replaced = found.replace(pattern, pseudonym)
    return replaced === found ? text : replaced.normalize('NFC')
  }
  const without = (value: unknown): unknown => {
    if (typeof value === 'string') return inText(value)
    if (Array.isArray(value)) return value.map(without)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [inText(key), without(one)]))
  }
  return {
    isIn: (value) => JSON.stringify(without(value)) !== JSON.stringify(value),
    without: <T>(value: T) => without(value) as T,
  }
}

/** Forms that name one person in the whole house: a single first name does not. */
export const certain = (forms: Forms): Forms => ({
  ...forms,
  names: forms.names.filter((name) => name.trim().includes(' ')),
})
