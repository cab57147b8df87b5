import { Button } from '@blueprintjs/core'
import { HelpIcon, LogOutIcon, MenuClosedIcon, MenuOpenIcon } from '@blueprintjs/icons'
import type { MeView } from '@garantia/shared/users/schema'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { useKeyHint } from '../ui/keys/key-hint.ts'
import { DemoBadge } from './demo-badge.tsx'
import { entriesFor, isActive } from './navigation.tsx'
import { PaletteButton } from './palette/palette-button.tsx'
import { useSignOut } from './sign-out.ts'

interface Props {
  me: MeView
  isCollapsed?: boolean
  onToggle?: () => void
  /** Called after a link was followed: the drawer closes. */
  onNavigate?: () => void
}

export function Sidebar({ me, isCollapsed = false, onToggle, onNavigate }: Props) {
  const { pathname } = useLocation()
  const signOut = useSignOut()
  const router = useRouter()
  const hint = useKeyHint()
  return (
    <div className={`sidebar${isCollapsed ? ' is-collapsed' : ''}`}>
      <div className="sidebar-top">
        <Link to="/" className="brand-mark" aria-label="Garantia, início" onClick={onNavigate}>
          <img src="/favicon.svg" alt="" width={24} height={24} />
          <span className="sidebar-label">Garantia</span>
        </Link>
        {onToggle && (
          <Button
            variant="minimal"
            size="small"
            icon={isCollapsed ? <MenuOpenIcon /> : <MenuClosedIcon />}
            aria-label={isCollapsed ? 'Expandir menu' : 'Recolher menu'}
            aria-expanded={!isCollapsed}
            onClick={onToggle}
          />
        )}
      </div>
      <DemoBadge me={me} />
      {onToggle && <PaletteButton isWide />}
      <nav aria-label="Principal">
        <ul>
          {entriesFor(me).map((entry) => (
            <li key={entry.to}>
              <Link
                to={entry.to}
                className={`sidebar-entry${isActive(entry, pathname) ? ' is-active' : ''}`}
                aria-current={isActive(entry, pathname) ? 'page' : undefined}
                title={isCollapsed ? entry.label : undefined}
                onClick={onNavigate}
              >
                {entry.icon}
                <span className="sidebar-label">{entry.label}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Link
        to="/ajuda"
        className="sidebar-entry sidebar-help"
        activeProps={{ className: 'is-active' }}
        {...hint('Ajuda desta tela', 'f1')}
        onClick={(event) => {
          // With Ctrl or another button it is a link to the index, as any.
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          onNavigate?.()
          void import('./open-help.ts').then(({ openHelp }) => openHelp(router))
        }}
      >
        <HelpIcon />
        <span className="sidebar-label">Ajuda</span>
      </Link>
      <div className="sidebar-foot">
        <div className="sidebar-who">
          <span className="muted">Logged in as</span>
          <span className="sidebar-email" title={me.email}>
            {me.email}
          </span>
        </div>
        <Button
          variant="minimal"
          icon={<LogOutIcon />}
          aria-label="Log out"
          title="Log out"
          onClick={signOut}
        />
      </div>
    </div>
  )
}
