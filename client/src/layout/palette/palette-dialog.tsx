import type { MeView } from '@garantia/shared/users/schema'
import { lazy, Suspense, useRef } from 'react'
import { Modal } from '../../ui/modal.tsx'
import { palette } from '../../ui/open-state.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

export function PaletteDialog({ me }: { me: MeView }) {
  const isOpen = palette.useIsOpen()
  const opener = useRef<Element>(null)
  const wasOpen = useRef(false)
  if (isOpen && !wasOpen.current) opener.current = document.activeElement
  wasOpen.current = isOpen
  // What is chosen waits until this dialog is gone and the focus is back where it came from.
  const chosen = useRef<() => void>(undefined)
  return (
    <Modal
      isOpen={isOpen}
      title="Buscar"
      width="palette"
      onClose={palette.close}
      onClosed={() => {
        chosen.current?.()
        chosen.current = undefined
      }}
    >
      <Suspense fallback={<div className="palette" />}>
        <Palette
          me={me}
          opener={opener.current}
          onChoose={(act) => {
            chosen.current = act
            palette.close()
          }}
        />
      </Suspense>
    </Modal>
  )
}
