import { type EvidenceCategory, OFFERED_CATEGORIES } from '@garantia/shared/evidence/category'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { canConvert, canDelete } from '@garantia/shared/evidence/status'
import { type KeyboardEvent, useCallback, useRef } from 'react'
import { callOf } from './evidence-actions.ts'
import { type CardRights, EvidenceCard, type FileDeed } from './evidence-card.tsx'
import { useRovingGrid } from './roving-grid.ts'

interface Props {
  files: readonly EvidenceFile[]
  busy: ReadonlySet<string>
  rightsOn: (file: EvidenceFile) => CardRights
  act: (deed: FileDeed, file: EvidenceFile) => void
  onCategory: (file: EvidenceFile, category: EvidenceCategory) => void
}

/**
 * Arrows move between cards; on a card Enter does what comes next, O fetches the original, 1 to 9 set the
 * category, E describes, Del asks to delete.
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
  const obey = (event: KeyboardEvent) => {
    const id = Number((event.target as HTMLElement).dataset.card)
    const file = files.find((one) => one.id === id)
    if (!file || event.ctrlKey || event.metaKey || event.altKey || roving.move(event)) return
    const category = OFFERED_CATEGORIES[Number(event.key) - 1]
    if (category && rightsOn(file).mayChange) {
      event.preventDefault()
      return onCategory(file, category)
    }
    const deed = deedOf(event.key, file, rightsOn(file))
    if (!deed || busy.has(callOf(file))) return
    event.preventDefault()
    act(deed, file)
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

function deedOf(
  key: string,
  { status }: EvidenceFile,
  { mayConvert, mayDelete, mayChange }: CardRights,
): FileDeed | null {
  if (key === 'e' && mayChange) return 'describe'
  if (key === 'Enter' && status === 'converted') return 'download'
  if (key === 'Enter' && canConvert(status) && mayConvert) return 'convert'
  if (key === 'o' && status === 'converted') return 'original'
  if (key === 'Delete' && canDelete(status) && mayDelete) return 'remove'
  return null
}
