import type { MeView } from '@garantia/shared/users/schema'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { hasNoCompany, useActor } from '../lib/actor.ts'
import { useSingleKeys } from '../lib/single-keys.ts'
import { setTheme, useTheme } from '../lib/theme.ts'
import { canUndo, undoLast } from '../ui/feedback/undo.ts'
import { useShortcuts } from '../ui/keys/shortcut.ts'
import { switchSingleKeys } from '../ui/keys/shortcut-registry.ts'
import { Modal } from '../ui/overlay/modal.tsx'
import { helpSheet, palette } from '../ui/overlay/open-state.ts'
import { entriesFor } from './navigation.tsx'
import { PaletteDialog } from './palette/palette-dialog.tsx'
import { useSignOut } from './sign-out.ts'

const HelpSheet = lazy(async () => ({ default: (await import('../ui/keys/help-sheet.tsx')).HelpSheet }))

/** The keys of every signed-in screen, and the sheet that tells all keys. */
export function GlobalKeys({ me }: { me: MeView }) {
  const navigate = useNavigate()
  const isOn = useSingleKeys(me.id)
  useEffect(() => {
    switchSingleKeys(isOn)
    return () => switchSingleKeys(true)
  }, [isOn])
  const signOut = useSignOut()
  const theme = useTheme()
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
      keys: 'mod+k',
      words: 'Buscar OS ou ação',
      place: 'everywhere',
      worksInFields: true,
      isOffered: false,
      act: palette.open,
    },
    {
      keys: 'mod+z',
      words: 'Desfazer',
      place: 'everywhere',
      // What offers it stands in the corner, where no key leads from a dialog.
      isAbove: true,
      when: canUndo,
      act: undoLast,
    },
    { keys: [], words: 'Log out', place: 'everywhere', act: signOut },
    {
      keys: [],
      words: theme === 'dark' ? 'Tema claro' : 'Tema escuro',
      place: 'everywhere',
      act: () => setTheme(theme === 'dark' ? 'light' : 'dark'),
    },
    {
      keys: ['?', 'mod+/'],
      words: 'Atalhos de teclado',
      place: 'everywhere',
      worksInFields: true,
      act: helpSheet.open,
    },
  ])
  return (
    <>
      <PaletteDialog me={me} />
      <Modal isOpen={helpSheet.useIsOpen()} title="Atalhos de teclado" width="wide" onClose={helpSheet.close}>
        <Suspense fallback={null}>
          <HelpSheet />
        </Suspense>
      </Modal>
    </>
  )
}
