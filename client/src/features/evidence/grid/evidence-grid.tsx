import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { type KeyboardEvent, useCallback, useRef } from 'react'
import { useHelp } from '../../../ui/keys/shortcut.ts'
import { busyKeyOf } from '../evidence-actions.ts'
import type { CardRights, FileAction } from '../files/card-actions.ts'
import { FILE_HELP, fileActionFor, isSingleKeyDisabled } from '../files/file-keys.ts'
import { EvidenceCard } from './evidence-card.tsx'
import type { FileSelection } from './file-selection.ts'
import { useRovingGrid } from './roving-grid.ts'

interface Props {
  files: readonly EvidenceFile[]
  busy: ReadonlySet<string>
  rightsOn: (file: EvidenceFile) => CardRights
  act: (action: FileAction, file: EvidenceFile) => void
  onCategory: (file: EvidenceFile, category: EvidenceCategory) => void
  /** Null where nothing can be done with a selection. */
  selection: FileSelection | null
}

/**
 * Arrow keys move between cards. On a card, Enter and Space open it, 1 to 9 set the category, 0 opens the
 * list of categories; X and Shift with the arrows select; the other keys are those of the viewer.
 */
export function EvidenceGrid({ files, busy, rightsOn, act, onCategory, selection }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const roving = useRovingGrid(
    list,
    files.map(({ id }) => id),
  )

  // A button that starts an action is disabled or removed at once: focus moves to its card first.
  const actOnCard = useCallback(
    (action: FileAction, file: EvidenceFile) => {
      const card = list.current?.querySelector<HTMLElement>(`[data-card="${file.id}"]`)
      if (card?.contains(document.activeElement)) card.focus({ preventScroll: true })
      act(action, file)
    },
    [act],
  )
  const latest = useRef(selection)
  latest.current = selection
  const select = useCallback(
    (file: EvidenceFile, isRange: boolean) =>
      isRange ? latest.current?.extendTo(file) : latest.current?.toggle(file),
    [],
  )
  /** True when the key changed the selection; a moved focus extends it. */
  const handleSelectionKey = (event: KeyboardEvent, file: EvidenceFile, hasMoved: boolean) => {
    if (!selection) return false
    const reached = files.find(
      ({ id }) => id === Number((document.activeElement as HTMLElement).dataset.card),
    )
    if (hasMoved && event.shiftKey && reached) {
      if (!selection.has(file)) selection.toggle(file)
      selection.extendTo(reached)
    } else if (!hasMoved && event.key === 'x' && !isSingleKeyDisabled('x')) selection.toggle(file)
    else return false
    return true
  }
  useHelp(FILE_HELP)
  const handleKeyDown = (event: KeyboardEvent) => {
    const id = Number((event.target as HTMLElement).dataset.card)
    const file = files.find((one) => one.id === id)
    if (!file || event.ctrlKey || event.metaKey || event.altKey) return
    const hasMoved = roving.move(event)
    if (handleSelectionKey(event, file, hasMoved) || hasMoved || isSingleKeyDisabled(event.key)) return
    const action = cardActionFor(event, file, rightsOn(file))
    if (!action || (action !== 'view' && busy.has(busyKeyOf(file)))) return
    // The page has shortcuts of its own: «e» there edits the order.
    event.preventDefault()
    event.stopPropagation()
    if (typeof action === 'string') act(action, file)
    else onCategory(file, action.category)
  }

  return (
    <ul
      ref={list}
      className="evidence-grid"
      aria-label="Arquivos de evidência"
      onKeyDown={handleKeyDown}
      onFocus={({ target }) => roving.onFocus(target)}
    >
      {files.map((file) => (
        <EvidenceCard
          key={file.id}
          file={file}
          {...rightsOn(file)}
          isInTabOrder={file.id === roving.inTabOrder}
          isBusy={busy.has(busyKeyOf(file))}
          isSelected={selection?.has(file) ?? false}
          onSelect={selection && select}
          act={actOnCard}
        />
      ))}
    </ul>
  )
}

function cardActionFor(event: KeyboardEvent, file: EvidenceFile, rights: CardRights) {
  if (event.key === 'Enter' || event.key === ' ') return 'view'
  if (event.key === '0' && rights.mayChange) return 'describe'
  return fileActionFor(event, file, rights)
}
