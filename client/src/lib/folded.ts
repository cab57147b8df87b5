/** Lower case without accents: what is compared when somebody searches by words. */
export const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Whether the text contains every typed word, or its beginning, wherever it stands. */
export function hasWords(text: string, typed: string) {
  const all = folded(text)
  return folded(typed)
    .split(/\s+/)
    .every((word) => all.includes(word))
}
