import { Button } from '@blueprintjs/core'
import { BookmarkIcon, CaretDownIcon, FloppyDiskIcon, TrashIcon } from '@blueprintjs/icons'
import { BUILT_IN_VIEWS, type SavedView } from '@garantia/shared/orders/views'
import { lazy, Suspense, useRef, useState } from 'react'
import { useKeyHint } from '../../../../ui/keys/key-hint.ts'
import { MenuButton, type MenuEntry } from '../../../../ui/overlay/menu-button.tsx'
import { ATTENTION_KEYS } from '../../order/attention-keys.ts'
import type { ListState } from '../list-state.ts'
import { stateOf, viewOf } from '../orders-search.ts'
import { useViews } from './use-views.ts'

const SaveViewDialog = lazy(async () => ({
  default: (await import('./save-view-dialog.tsx')).SaveViewDialog,
}))
const ViewRemoval = lazy(async () => ({ default: (await import('./view-removal.tsx')).ViewRemoval }))

/** Saved views: built-in, own, and shared by others. */
export function ViewsMenu({ list }: { list: ListState }) {
  const { state, show } = list
  const { mine, others, used } = useViews(state)
  const [isSaving, setIsSaving] = useState(false)
  const [viewToDelete, setViewToDelete] = useState<SavedView | null>(null)
  // They stay, so that the focus returns as one closes.
  const wasAsked = useRef(false)
  wasAsked.current ||= isSaving || viewToDelete !== null
  const hint = useKeyHint()
  const usedOfMine = mine.find((view) => view === used)

  const group = <View extends Pick<SavedView, 'name' | 'criteria'>>(
    heading: string,
    all: readonly View[],
    textOf: (view: View) => string = ({ name }) => name,
  ): MenuEntry[] =>
    all.map((view, i) => ({
      ...(i === 0 && { heading }),
      text: textOf(view),
      keys: ATTENTION_KEYS.get(view.name),
      isChosen: view === used,
      onClick: () => show(stateOf(view, state.limit)),
    }))
  const isNothing = Object.values(viewOf(state)).every((value) => value === undefined)
  return (
    <>
      <MenuButton
        label="Vistas"
        shortcut="v"
        className="views-menu"
        placement="bottom-start"
        items={[
          ...group('Prontas', BUILT_IN_VIEWS),
          ...group('Minhas', mine),
          ...group('Compartilhadas', others, ({ name, owner_name }) => `${name} · ${owner_name}`),
          {
            heading: '',
            text: 'Salvar vista…',
            icon: <FloppyDiskIcon />,
            isDisabled: isNothing || used !== undefined,
            onClick: () => setIsSaving(true),
          },
          ...(usedOfMine
            ? [
                {
                  text: `Excluir «${usedOfMine.name}»…`,
                  icon: <TrashIcon />,
                  isDanger: true,
                  onClick: () => setViewToDelete(usedOfMine),
                },
              ]
            : []),
        ]}
      >
        <Button
          className="views-button"
          icon={<BookmarkIcon />}
          endIcon={<CaretDownIcon />}
          text={used?.name ?? 'Vistas'}
          {...hint('Vistas', 'v')}
          active={used !== undefined}
        />
      </MenuButton>
      {wasAsked.current && (
        <Suspense>
          <SaveViewDialog isOpen={isSaving} criteria={viewOf(state)} onClose={() => setIsSaving(false)} />
          <ViewRemoval view={viewToDelete} onClose={() => setViewToDelete(null)} />
        </Suspense>
      )}
    </>
  )
}
