import { ArrowLeftIcon } from '@blueprintjs/icons'
import { Link, useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { isListOneStepBack, lastListSearch } from '../../../lib/return-to-list.ts'
import { FIRST_PAGE } from '../list/orders-search.ts'

/** OSD-1: back to the list with its filters and scroll position. */
export function BackToList() {
  const router = useRouter()
  const goBack = (event: MouseEvent) => {
    const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && event.button === 0
    if (!isPlain || !isListOneStepBack(router.state.location)) return
    event.preventDefault()
    router.history.back()
  }
  return (
    <Link
      to="/lista-os"
      search={{ ...FIRST_PAGE, ...lastListSearch() }}
      onClick={goBack}
      className="bp6-button bp6-minimal"
      aria-label="Voltar para a lista"
      title="Voltar para a lista"
    >
      <ArrowLeftIcon />
    </Link>
  )
}
