import type { AnyRouter } from '@tanstack/react-router'
import { isEditing } from '../lib/drafts.ts'
import { helpPageOf } from './help-address.ts'

/** The drawer of the menu on phones, which may have led here, closes by itself. */
const DIALOG = '[role="dialog"]:not(.shell-drawer), [role="alertdialog"]'
const VIEWER = '.viewer'

/**
 * Opens the page of the manual about what is on the screen: in a tab of its own where leaving would lose a
 * dialog, the viewer or what was typed.
 */
export function openHelp({ latestLocation: { pathname, search }, navigate }: AnyRouter) {
  const tab = 'tab' in search ? String(search.tab) : undefined
  const page = document.querySelector(VIEWER) ? 'visualizador' : helpPageOf(pathname, tab)
  const to = page ? `/ajuda/${page}` : '/ajuda'
  if (isEditing() || document.querySelector(DIALOG)) window.open(to, '_blank', 'noopener')
  else void navigate({ to })
}
