import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { type KeyboardEvent, useCallback, useRef } from 'react'
import { useHelp } from '../../../ui/keys/shortcut.ts'
import { callOf } from '../evidence-actions.ts'
import type { CardRights, FileDeed } from '../files/card-actions.ts'
import { deedOf, FILE_HELP, isSilenced } from '../files/file-keys.ts'
import { EvidenceCard } from './evidence-card.tsx'
import { useRovingGrid } from './roving-grid.ts'

interface Props {
  files: readonly EvidenceFile[]
  busy: ReadonlySet<string>
  rightsOn: (file: EvidenceFile) => CardRights
  act: (deed: FileDeed, file: EvidenceFile) => void
  onCategory: (file: EvidenceFile, category: EvidenceCategory) => void
}

/**
 * Arrows move between cards; on a card Enter and Space open it, 1 to 9 set the category, 0 offers all of
 * them, and the rest is the viewer's own map.
 */
export function EvidenceGrid({ files, busy, rightsOn, act, onCategory }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const roving = useRovingGrid(
    list,
    files.map(({ id }) => id),
  )

  // A button that starts something is disabled or gone at once: its card keeps the focus.
  const actOnCard = useCallback(
    (deed: FileDeed, file: EvidenceFile) => {
      const card = list.current?.querySelector<HTMLElement>(`[data-card="${file.id}"]`)
      if (card?.contains(document.activeElement)) card.focus({ preventScroll: true })
      act(deed, file)
    },
    [act],
  )
  useHelp(FILE_HELP)
  const obey = (event: KeyboardEvent) => {
    const id = Number((event.target as HTMLElement).dataset.card)
    const file = files.find((one) => one.id === id)
    if (!file || event.ctrlKey || event.metaKey || event.altKey || roving.move(event)) return
    if (isSilenced(event.key)) return
    const deed = cardDeedOf(event, file, rightsOn(file))
    if (!deed || (deed !== 'view' && busy.has(callOf(file)))) return
    // The page has keys of its own: «e» there edits the order.
    event.preventDefault()
    event.stopPropagation()
    if (typeof deed === 'string') act(deed, file)
    else onCategory(file, deed.category)
  }

  return (
    <ul
      ref={list}
      className="evidence-grid"
      aria-label="Arquivos de evidência"
      onKeyDown={obey}
      onFocus={({ target }) => roving.onFocus(target)}
    >
      {files.map((file) => (
        <EvidenceCard
          key={file.id}
          file={file}
          {...rightsOn(file)}
          isInTabOrder={file.id === roving.inTabOrder}
          isBusy={busy.has(callOf(file))}
          act={actOnCard}
        />
      ))}
    </ul>
  )
}

function cardDeedOf(event: KeyboardEvent, file: EvidenceFile, rights: CardRights) {
  if (event.key === 'Enter' || event.key === ' ') return 'view'
  if (event.key === '0' && rights.mayChange) return 'describe'
  return deedOf(event, file, rights)
}
