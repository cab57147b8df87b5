import { Button, Dialog, Spinner } from '@blueprintjs/core'
import { MenuIcon } from '@blueprintjs/icons'
import { nextStep } from '@garantia/shared/first-steps/schema'
import { Outlet, useMatches, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { uploads } from '../features/evidence/upload/uploads.ts'
import { useMe } from '../lib/actor.ts'
import { loadNewVersion, shouldLoadNewVersion } from '../lib/app-version.ts'
import { isServerAway } from '../lib/connection.ts'
import { hasChosenFiles } from '../lib/drafts.ts'
import { isSignedIn } from '../lib/session.ts'
import { queryClient, trpc } from '../lib/trpc.ts'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { dialogTitle, useDialogFocus } from '../ui/overlay/dialog-focus.ts'
import { isClosing } from '../ui/overlay/fade.ts'
import { BelowHeader } from '../ui/page/page-header.tsx'
import { ConfirmIdentity } from './confirm-identity.tsx'
import { DemoBadge } from './demo-badge.tsx'
import { GlobalShortcuts } from './global-shortcuts.tsx'
import { PaletteButton } from './palette/palette-button.tsx'
import { Sidebar } from './sidebar.tsx'
import './shell.css'
import { unsentQuestion } from './sign-out.ts'
import { useWorkProblems } from './use-work-problems.ts'
import { UserMenu } from './user-menu.tsx'

const FirstSteps = lazy(async () => ({
  default: (await import('../features/system/first-steps/first-steps.tsx')).FirstSteps,
}))
/** Pages on which the first-steps guide is shown. */
const isGuided = (path = '') => ['/dashboard', '/lista-os', '/brands', '/companies', '/admin'].includes(path)
const AddFactorPage = lazy(async () => ({
  default: (await import('./add-factor-page.tsx')).AddFactorPage,
}))
const NotificationBell = lazy(async () => ({
  default: (await import('../features/people/notifications/notification-bell.tsx')).NotificationBell,
}))
const WorkProblems = lazy(async () => ({ default: (await import('./work-problems.tsx')).WorkProblems }))
const SignOutDialog = lazy(async () => ({ default: (await import('./sign-out-dialog.tsx')).SignOutDialog }))
const UploadTray = lazy(async () => ({
  default: (await import('../features/evidence/upload/upload-tray.tsx')).UploadTray,
}))

const COLLAPSED = 'sidebar_collapsed'
/** What is laid over a screen by a person: dialogs, the palette and menus. */
const OVERLAY = '[role="dialog"], [role="alertdialog"], .bp6-popover'

/** The layout of every signed-in screen, and the question that a call may lead to. A visitor sees the manual alone. */
export const Shell = () =>
  isSignedIn() ? (
    <>
      <Layout />
      <ConfirmIdentity />
    </>
  ) : (
    <Outlet />
  )

/** Sidebar, user menu, and the screen itself. */
function Layout() {
  const { data: me, error, refetch } = useMe()
  // Asked in one request with the account, as problems are. Later, the guide would push down the buttons that somebody presses.
  const steps = trpc.firstSteps.read.useQuery(undefined, { enabled: isSignedIn() })
  const [isCollapsed, setIsCollapsed] = useState(() => localStorage.getItem(COLLAPSED) === 'true')
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)

  const drawerFocus = useDialogFocus(isDrawerOpen)

  const main = useRef<HTMLElement>(null)
  const arrivedAt = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  // On navigation the focus moves to the start of the new screen, unless the screen has set a focus itself or
  // the user is already at work in a dialog or a menu, opened while the screen was still loading.
  const arrivedBefore = useRef<string>(undefined)
  useEffect(() => {
    const from = arrivedBefore.current
    arrivedBefore.current = arrivedAt
    // A visit starts at the beginning of the page, where the link past the menu is.
    if (from === undefined || from === arrivedAt) return
    // An old page leaves with the screen that is left, which no longer asks about what was typed.
    const isAtWork = uploads.hasItems() || hasChosenFiles(uploads.owner()) || queryClient.isMutating() > 0
    if (!isServerAway() && !isAtWork && shouldLoadNewVersion()) return loadNewVersion()
    const { activeElement } = document
    const overlay = activeElement?.closest(OVERLAY)
    if (main.current?.contains(activeElement) || (overlay && !isClosing(overlay))) return
    main.current?.focus({ preventScroll: true })
  }, [arrivedAt])

  // Who owes a second factor may send nothing yet.
  const sender = me && !me.must_add_factor ? me.id : undefined
  useEffect(() => {
    if (sender !== undefined) uploads.setOwner(sender)
  }, [sender])
  const shownPath = useMatches({ select: (matches) => matches.at(-1)?.pathname })
  const { problems, isAsked } = useWorkProblems(shownPath)
  const hasUploads = useSyncExternalStore(uploads.subscribe, uploads.hasItems)
  const isAskedToLeave = unsentQuestion.useIsOpen()

  if (error && !me)
    return (
      <main className="standalone-page">
        <ErrorState
          title="Não foi possível carregar sua conta"
          error={error}
          onRetry={() => void refetch()}
        />
      </main>
    )
  if (!me || isAsked || (steps.isPending && steps.failureCount === 0))
    return (
      <div className="standalone-page">
        <Spinner aria-label="Carregando" />
      </div>
    )

  if (me.must_add_factor)
    return (
      <Suspense>
        <AddFactorPage />
      </Suspense>
    )

  const toggle = () => {
    localStorage.setItem(COLLAPSED, String(!isCollapsed))
    setIsCollapsed(!isCollapsed)
  }
  const closeDrawer = () => setIsDrawerOpen(false)
  return (
    <div className="shell">
      <a href="#conteudo" className="skip-link">
        Ir para o conteúdo
      </a>
      <aside className="shell-side">
        <Sidebar me={me} isCollapsed={isCollapsed} onToggle={toggle} />
      </aside>
      <Dialog
        {...drawerFocus}
        isOpen={isDrawerOpen}
        onClose={closeDrawer}
        aria-labelledby="menu"
        className="shell-drawer"
      >
        <h2 id="menu" className="visually-hidden" {...dialogTitle}>
          Menu
        </h2>
        <Sidebar me={me} onNavigate={closeDrawer} />
      </Dialog>
      <GlobalShortcuts me={me} />
      <div className="shell-main">
        <header className="topbar">
          <Button
            className="topbar-menu"
            variant="minimal"
            icon={<MenuIcon />}
            aria-label="Abrir menu"
            onClick={() => setIsDrawerOpen(true)}
          />
          <span className="topbar-name">Garantia</span>
          <DemoBadge me={me} />
          <PaletteButton />
          <Suspense fallback={<span className="topbar-bell" />}>
            <NotificationBell />
          </Suspense>
          <UserMenu me={me} />
        </header>
        <main ref={main} id="conteudo" tabIndex={-1} className="content">
          <Suspense>
            <BelowHeader
              value={
                <>
                  {problems.length > 0 && <WorkProblems problems={problems} />}
                  {steps.data && nextStep(steps.data) && isGuided(shownPath) && <FirstSteps me={me} />}
                </>
              }
            >
              <Outlet />
            </BelowHeader>
          </Suspense>
        </main>
        {hasUploads && (
          <Suspense fallback={null}>
            <UploadTray />
          </Suspense>
        )}
        {(hasUploads || isAskedToLeave) && (
          <Suspense fallback={null}>
            <SignOutDialog />
          </Suspense>
        )}
      </div>
    </div>
  )
}
