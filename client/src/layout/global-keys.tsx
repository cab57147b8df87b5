import type { MeView } from '@garantia/shared/users/schema'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { hasNoCompany, useActor } from '../lib/actor.ts'
import { useSingleKeys } from '../lib/single-keys.ts'
import { closeHelp, openHelp, useHelp } from '../ui/help-sheet-state.ts'
import { Modal } from '../ui/modal.tsx'
import { useShortcuts } from '../ui/shortcut.ts'
import { switchSingleKeys } from '../ui/shortcut-registry.ts'
import { entriesFor } from './navigation.tsx'

const HelpSheet = lazy(async () => ({ default: (await import('../ui/help-sheet.tsx')).HelpSheet }))

/** The keys of every signed-in screen, and the sheet that tells all keys. */
export function GlobalKeys({ me }: { me: MeView }) {
  const navigate = useNavigate()
  const isOn = useSingleKeys(me.id)
  useEffect(() => {
    switchSingleKeys(isOn)
    return () => switchSingleKeys(true)
  }, [isOn])
  const mayOpen = !hasNoCompany(useActor())
  useShortcuts([
    ...entriesFor(me).map(({ to, label, letter }) => ({
      keys: `g ${letter}`,
      words: `Ir para ${label}`,
      place: 'everywhere' as const,
      act: () => void navigate({ to }),
    })),
    {
      keys: 'n',
      words: 'Nova OS',
      place: 'everywhere',
      isEnabled: mayOpen,
      act: () => void navigate({ to: '/nova-os' }),
    },
    {
      keys: ['?', 'mod+/'],
      words: 'Atalhos de teclado',
      place: 'everywhere',
      worksInFields: true,
      act: openHelp,
    },
  ])
  return (
    <Modal isOpen={useHelp()} title="Atalhos de teclado" width="wide" onClose={closeHelp}>
      <Suspense fallback={null}>
        <HelpSheet />
      </Suspense>
    </Modal>
  )
}
