import { can, hasNoCompany } from '@garantia/shared/policy'
import type { MeView } from '@garantia/shared/users/schema'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type ComponentType, useEffect, useState } from 'react'
import { mayImport, useActor } from '../lib/actor.ts'
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

const loadHelp = () => import('./open-help.ts')

/** Shortcuts of every signed-in screen, and the help sheet that lists all shortcuts. */
export function GlobalShortcuts({ me }: { me: MeView }) {
  const navigate = useNavigate()
  const router = useRouter()
  const isOn = useSingleKeys(me.id)
  useEffect(() => {
    switchSingleKeys(isOn)
    return () => switchSingleKeys(true)
  }, [isOn])
  const signOut = useSignOut()
  const theme = useTheme()
  const actor = useActor()
  const mayOpen = !hasNoCompany(actor)
  useShortcuts([
    ...entriesFor(me).map(({ to, label, letter }) => ({
      keys: `g ${letter}`,
      label: `Ir para ${label}`,
      scope: 'everywhere' as const,
      act: () => void navigate({ to }),
    })),
    {
      keys: 'n',
      label: 'Nova OS',
      scope: 'everywhere',
      isEnabled: mayOpen,
      act: () => void navigate({ to: '/nova-os' }),
    },
    {
      keys: 'g i',
      label: 'Importar OS',
      scope: 'everywhere',
      isEnabled: mayImport(actor),
      act: () => void navigate({ to: '/importar' }),
    },
    {
      keys: 'g p',
      label: 'Ir para LGPD',
      scope: 'everywhere',
      isEnabled: can(actor, 'privacy.manage'),
      act: () => void navigate({ to: '/lgpd' }),
    },
    {
      keys: 'g o',
      label: 'Ir para Conciliação',
      scope: 'everywhere',
      isEnabled: can(actor, 'remittance.list'),
      act: () => void navigate({ to: '/conciliacao' }),
    },
    {
      keys: 'g n',
      label: 'Ir para Recusas',
      scope: 'everywhere',
      act: () => void navigate({ to: '/recusas' }),
    },
    {
      keys: 'mod+k',
      label: 'Buscar OS ou ação',
      scope: 'everywhere',
      worksInFields: true,
      isInPalette: false,
      act: palette.open,
    },
    {
      keys: 'mod+z',
      label: 'Desfazer',
      scope: 'everywhere',
      // The undo toast is in the corner and cannot be reached by keyboard from a dialog.
      worksOverDialogs: true,
      when: canUndo,
      act: undoLast,
    },
    { keys: [], label: 'Log out', scope: 'everywhere', act: signOut },
    {
      keys: [],
      label: theme === 'dark' ? 'Tema claro' : 'Tema escuro',
      scope: 'everywhere',
      act: () => setTheme(theme === 'dark' ? 'light' : 'dark'),
    },
    {
      keys: ['?', 'mod+/'],
      label: 'Atalhos de teclado',
      scope: 'everywhere',
      worksInFields: true,
      act: helpSheet.open,
    },
    {
      keys: 'f1',
      label: 'Ajuda desta tela',
      scope: 'everywhere',
      worksInFields: true,
      worksOverDialogs: true,
      act: () => void loadHelp().then(({ openHelp }) => openHelp(router)),
    },
  ])
  return (
    <>
      <PaletteDialog me={me} />
      <HelpDialog />
    </>
  )
}

/** Opens once the sheet has been loaded, so that it is never empty. */
function HelpDialog() {
  const isOpen = helpSheet.useIsOpen()
  const [Sheet, setSheet] = useState<ComponentType>()
  const isAwaited = isOpen && Sheet === undefined
  useEffect(() => {
    if (!isAwaited) return
    void import('../ui/keys/help-sheet.tsx').then(
      ({ HelpSheet }) => setSheet(() => HelpSheet),
      helpSheet.close,
    )
  }, [isAwaited])
  return (
    <Modal
      isOpen={isOpen && Sheet !== undefined}
      title="Atalhos de teclado"
      width="wide"
      onClose={helpSheet.close}
    >
      {Sheet && <Sheet />}
    </Modal>
  )
}
