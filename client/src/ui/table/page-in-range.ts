import { useEffect } from 'react'

/** A page that no longer exists, because rows went away or an old address was opened, gives way to the last one. */
export function usePageInRange(page: number, pageCount: number | undefined, goTo: (last: number) => void) {
  const isPastTheEnd = pageCount !== undefined && page > pageCount
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new closure is no reason to move
  useEffect(() => {
    if (isPastTheEnd) goTo(pageCount)
  }, [isPastTheEnd, pageCount])
}
