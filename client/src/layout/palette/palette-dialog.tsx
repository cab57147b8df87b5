import { SearchIcon } from '@blueprintjs/icons'
import type { MeView } from '@garantia/shared/users/schema'
import { type KeyboardEvent, lazy, Suspense, useId, useRef, useState } from 'react'
import { consumeKey } from '../../ui/keys/pressed-keys.ts'
import { Modal } from '../../ui/overlay/modal.tsx'
import { palette } from '../../ui/overlay/open-state.ts'
import './palette.css'

const PaletteResults = lazy(async () => ({ default: (await import('./palette-results.tsx')).PaletteResults }))

export function PaletteDialog({ me }: { me: MeView }) {
  const isOpen = palette.useIsOpen()
  const opener = useRef<Element>(null)
  const wasOpen = useRef(false)
  if (isOpen && !wasOpen.current) opener.current = document.activeElement
  wasOpen.current = isOpen
  // The chosen action runs after the dialog has closed and focus has returned.
  const chosen = useRef<() => void>(undefined)
  return (
    <Modal
      isOpen={isOpen}
      title="Buscar"
      width="palette"
      isEager
      onClose={palette.close}
      onClosed={() => {
        chosen.current?.()
        chosen.current = undefined
      }}
    >
      <Palette
        me={me}
        opener={opener.current}
        onChoose={(act) => {
          chosen.current = act
          palette.close()
        }}
      />
    </Modal>
  )
}

interface Props {
  me: MeView
  /** Element that had the focus before. */
  opener: Element | null
  /** Closes the dialog, then runs the action. */
  onChoose: (act: () => void) => void
}

/** The input renders before anything else has loaded, so that fast typists need not wait. */
function Palette(props: Props) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [currentId, setCurrentId] = useState<string>()
  /** Enter pressed before the results arrived; applies to the first result. */
  const [pendingEnter, setPendingEnter] = useState<{ isNewTab: boolean } | null>(null)
  const step = useRef<(by: number) => void>(undefined)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) {
      event.preventDefault()
      step.current?.(by)
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    consumeKey(event.key)
    setPendingEnter({ isNewTab: event.ctrlKey || event.metaKey })
  }
  return (
    <div className="palette">
      <div className="bp6-input-group palette-input">
        <SearchIcon />
        <input
          // biome-ignore lint/a11y/noAutofocus: the dialog consists of this one field
          autoFocus
          className="bp6-input"
          type="text"
          role="combobox"
          aria-label="Buscar OS ou ação"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={currentId}
          autoComplete="off"
          spellCheck={false}
          placeholder="OS, placa, chassi, CPF/CNPJ, cliente… ou > para ações"
          value={typed}
          onChange={({ currentTarget }) => {
            setPendingEnter(null)
            setTyped(currentTarget.value)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <Suspense fallback={<div id={`${id}-list`} role="listbox" aria-label="Resultados" aria-busy />}>
        <PaletteResults
          {...props}
          id={id}
          typed={typed}
          pendingEnter={pendingEnter}
          onEnterHandled={() => setPendingEnter(null)}
          onCurrent={setCurrentId}
          step={step}
        />
      </Suspense>
    </div>
  )
}
