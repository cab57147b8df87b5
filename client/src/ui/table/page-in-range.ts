import { useEffect } from 'react'

/**
 * Goes to the last page when the current one no longer exists, because rows were removed or an old URL was
 * opened.
 */
export function usePageInRange(page: number, pageCount: number | undefined, goTo: (last: number) => void) {
  const isPastTheEnd = pageCount !== undefined && page > pageCount
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new goTo closure is no reason to navigate
  useEffect(() => {
    if (isPastTheEnd) goTo(pageCount)
  }, [isPastTheEnd, pageCount])
}
