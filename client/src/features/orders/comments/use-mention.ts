import {
  type MentionedPerson,
  mentionBeingTyped,
  mentionOf,
  peopleMeant,
} from '@garantia/shared/orders/comments'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { trpc } from '../../../lib/trpc.ts'

const MOST_OFFERED = 6
const NOBODY: MentionedPerson[] = []

interface Options {
  order_id: number
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  setText: (text: string) => void
  listId: string
}

/** The choice of a person after «@»: arrows move, Enter or Tab choose, Escape closes. */
export function useMention({ order_id, field, text, setText, listId }: Options) {
  const [typed, setTyped] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set())
  const { data: people = NOBODY } = trpc.comments.people.useQuery(
    { id: order_id },
    { enabled: text.includes('@'), staleTime: 60_000 },
  )
  const offered = typed === null ? NOBODY : peopleMeant(typed, people).slice(0, MOST_OFFERED)
  const close = () => setTyped(null)
  const optionId = (index: number) => `${listId}-${index}`

  function choose({ id, full_name }: MentionedPerson) {
    const area = field.current
    if (!area || typed === null) return
    setPicked(new Set(picked).add(id))
    const start = area.selectionStart - typed.length - 1
    const chosen = `${mentionOf(full_name)} `
    setText(text.slice(0, start) + chosen + text.slice(area.selectionStart))
    close()
    // The caret goes behind the name once the new text is in the field.
    requestAnimationFrame(() => {
      area.focus()
      area.setSelectionRange(start + chosen.length, start + chosen.length)
    })
  }

  return {
    /** Who may be meant: of several with one name, those that were chosen. */
    people: people.filter(
      ({ id, full_name }) =>
        picked.has(id) || people.filter((one) => one.full_name === full_name).length === 1,
    ),
    offered,
    at,
    listId,
    optionId,
    choose,
    close,
    /** After each change of the text. */
    follow() {
      const area = field.current
      setTyped(area ? mentionBeingTyped(area.value.slice(0, area.selectionStart)) : null)
      setAt(0)
    },
    /** Whether the key belonged to the choice. */
    takeKey(event: KeyboardEvent) {
      const person = offered[at]
      if (!person) return false
      const moved = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key]
      if (moved !== undefined) setAt((moved + offered.length) % offered.length)
      else if (event.key === 'Enter' || event.key === 'Tab') choose(person)
      else if (event.key === 'Escape') close()
      else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
    fieldProps: {
      'aria-autocomplete': 'list' as const,
      ...(offered.length > 0 && { 'aria-controls': listId, 'aria-activedescendant': optionId(at) }),
    },
  }
}
