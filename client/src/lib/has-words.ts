import { folded } from '@garantia/shared/format'

/** Whether the text contains every typed word, or its beginning, wherever it stands. */
export function hasWords(text: string, typed: string) {
  const all = folded(text)
  return folded(typed)
    .split(/\s+/)
    .every((word) => all.includes(word))
}
