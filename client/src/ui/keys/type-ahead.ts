import { folded } from '@garantia/shared/format'
import { useRef } from 'react'

/** After this pause the next letter begins another word. */
const PAUSE_MS = 1_000

/**
 * Typing the name of an entry in a menu or a group of choices: the letters typed so far are the beginning of
 * its text, without regard to case and accents; one letter typed again goes on to the next entry with it.
 */
export function createTypeAhead() {
  let typed = ''
  let lastAt = Number.NEGATIVE_INFINITY
  /** Index of the entry that `key`, pressed at `at` (ms), leads to; -1 when there is none. */
  return (key: string, at: number, texts: readonly string[], current: number) => {
    typed = at - lastAt > PAUSE_MS ? folded(key) : typed + folded(key)
    lastAt = at
    const isOneLetter = [...typed].every((letter) => letter === typed[0])
    const wanted = isOneLetter ? (typed[0] ?? '') : typed
    const start = isOneLetter ? current + 1 : Math.max(0, current)
    const order = texts.map((_, index) => (start + index) % texts.length)
    return order.find((index) => folded(texts[index] ?? '').startsWith(wanted)) ?? -1
  }
}

interface Typed {
  key: string
  timeStamp: number
  target: EventTarget
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}

/** Type-ahead among elements, by their text: returns the one that the key leads to, if it is a letter or digit. */
export function useTypeAhead() {
  const find = useRef(createTypeAhead()).current
  return <Entry extends Element>(
    event: Typed,
    entries: readonly Entry[],
    textOf: (entry: Entry) => string | null,
  ): Entry | undefined => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    const isTyping =
      target instanceof Element && target.matches('input:not([type="radio"]), textarea, select')
    if (isTyping || ctrlKey || metaKey || altKey || !/^[\p{L}\p{N}]$/u.test(key)) return undefined
    const texts = entries.map((entry) => textOf(entry)?.trim() ?? '')
    const current = entries.indexOf(document.activeElement as Entry)
    return entries[find(key, event.timeStamp, texts, current)]
  }
}
