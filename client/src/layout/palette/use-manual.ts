import { useEffect, useState } from 'react'
import type { Entry } from './entries.ts'

type Manual = typeof import('../../features/system/help/manual.ts')

/**
 * Pages and headings of the manual that have all typed words. `isReady` tells whether the manual has loaded; one
 * that cannot be loaded finds nothing.
 */
export function useManual(wanted: string): { entries: Entry[]; isReady: boolean } {
  const [manual, setManual] = useState<Manual | null>()
  const isAsked = wanted !== ''
  useEffect(() => {
    if (!isAsked) return
    let isGone = false
    const set = (loaded: Manual | null) => {
      if (!isGone) setManual(loaded)
    }
    import('../../features/system/help/manual.ts').then(set, () => set(null))
    return () => {
      isGone = true
    }
  }, [isAsked])
  if (!isAsked || !manual) return { entries: [], isReady: !isAsked || manual === null }
  return {
    isReady: true,
    entries: manual.findHeadings(wanted).map(
      ({ page, section: { heading, anchor } }): Entry => ({
        kind: 'page',
        id: `page-${page.name}-${anchor}`,
        name: page.name,
        anchor,
        label: heading,
        within: anchor === '' ? undefined : page.title,
      }),
    ),
  }
}
