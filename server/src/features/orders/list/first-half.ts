/** Up to here a page is read forwards, without asking for the total first whether its end is nearer. */
export const FORWARDS = 500
/** Of so many lists this process remembers how long they were when last read. */
const MOST_LISTS = 200

/**
 * Remembers how long lists are, to know in which half of one a page lies without asking for the total first. A guess,
 * that only says from which end a page is nearer: what is read is right from both.
 */
export function listLengths() {
  const lengths = new Map<string, number>()
  return {
    /** Whether the page that begins at `skip` is in the first half of the list of this name, as far as is known. */
    isInFirstHalf: (list: string, skip: number) => skip <= Math.max(FORWARDS, (lengths.get(list) ?? 0) / 2),
    remember(list: string, total: number) {
      const [oldest] = lengths.size >= MOST_LISTS && !lengths.has(list) ? lengths.keys() : []
      if (oldest !== undefined) lengths.delete(oldest)
      lengths.set(list, total)
    },
  }
}
