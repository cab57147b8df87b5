import { Button } from '@blueprintjs/core'
import { BookmarkIcon, CaretDownIcon, EditIcon, FloppyDiskIcon, TrashIcon } from '@blueprintjs/icons'
import type { SavedView, View, ViewCriteria } from '@garantia/shared/views/schema'
import { lazy, Suspense, useRef, useState } from 'react'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { MenuButton, type MenuEntry } from '../../../ui/overlay/menu-button.tsx'
import type { NamedView } from './save-view-form.tsx'
import type { Views } from './use-views.ts'

const SaveViewDialog = lazy(async () => ({
  default: (await import('./save-view-dialog.tsx')).SaveViewDialog,
}))
const ViewRemoval = lazy(async () => ({ default: (await import('./view-removal.tsx')).ViewRemoval }))

interface Props {
  views: Views
  /** What the list shows now, as a view would hold it. */
  criteria: ViewCriteria
  onShow: (view: View) => void
  /** Keys of built-in views, by their names. */
  keys?: ReadonlyMap<string, string>
}

/** Saved views of a list: built-in, own, and shared by others. */
export function ViewsMenu({ views: { list, builtIn, mine, others, used }, criteria, onShow, keys }: Props) {
  const [viewToSave, setViewToSave] = useState<NamedView | null>(null)
  const [viewToDelete, setViewToDelete] = useState<SavedView | null>(null)
  // They stay, so that the focus returns as one closes.
  const wasAsked = useRef(false)
  wasAsked.current ||= viewToSave !== null || viewToDelete !== null
  const hint = useKeyHint()
  const usedOfMine = mine.find((view) => view === used)

  const group = <Kind extends View>(
    heading: string,
    all: readonly Kind[],
    textOf: (view: Kind) => string = ({ name }) => name,
  ): MenuEntry[] =>
    all.map((view, i) => ({
      ...(i === 0 && { heading }),
      text: textOf(view),
      keys: keys?.get(view.name),
      isChosen: view === used,
      onClick: () => onShow(view),
    }))
  const isNothing = Object.values(criteria).every((value) => value === undefined)
  return (
    <>
      <MenuButton
        label="Vistas"
        shortcut="v"
        className="views-menu"
        placement="bottom-start"
        items={[
          ...group('Padrão', builtIn),
          ...group('Minhas', mine),
          ...group('Compartilhadas', others, ({ name, owner_name }) => `${name} · ${owner_name}`),
          {
            heading: '',
            text: 'Salvar vista…',
            icon: <FloppyDiskIcon />,
            isDisabled: isNothing || used !== undefined,
            onClick: () => setViewToSave({ list, criteria }),
          },
          ...(usedOfMine
            ? [
                {
                  text: `Renomear «${usedOfMine.name}»…`,
                  icon: <EditIcon />,
                  onClick: () => setViewToSave({ ...usedOfMine, list }),
                },
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
          <SaveViewDialog view={viewToSave} onClose={() => setViewToSave(null)} />
          <ViewRemoval list={list} view={viewToDelete} onClose={() => setViewToDelete(null)} />
        </Suspense>
      )}
    </>
  )
}
