import {
  CalendarIcon,
  CogIcon,
  DashboardIcon,
  DocumentShareIcon,
  OfficeIcon,
  PeopleIcon,
  TagIcon,
  ThListIcon,
} from '@blueprintjs/icons'
import type { MeView } from '@garantia/shared/users/schema'
import type { ReactElement } from 'react'

interface Entry {
  to:
    | '/dashboard'
    | '/lista-os'
    | '/solicitacoes'
    | '/prazos'
    | '/brands'
    | '/companies'
    | '/admin'
    | '/settings'
  label: string
  /** The letter after «g» that opens it. */
  letter: string
  icon: ReactElement
  /** Other paths that belong to this entry. */
  also?: readonly string[]
  isForSuperusers?: boolean
}

const ENTRIES: readonly Entry[] = [
  { to: '/dashboard', label: 'Dashboard', letter: 'd', icon: <DashboardIcon /> },
  {
    to: '/lista-os',
    label: 'Lista OS',
    letter: 'l',
    icon: <ThListIcon />,
    also: ['/os', '/nova-os', '/importar'],
  },
  {
    to: '/solicitacoes',
    label: 'Solicitações',
    letter: 's',
    icon: <DocumentShareIcon />,
    also: ['/conciliacao', '/recusas'],
  },
  { to: '/prazos', label: 'Prazos', letter: 'z', icon: <CalendarIcon /> },
  { to: '/brands', label: 'Marcas', letter: 'm', icon: <TagIcon /> },
  { to: '/companies', label: 'Empresas', letter: 'e', icon: <OfficeIcon /> },
  { to: '/admin', label: 'Usuários', letter: 'u', icon: <PeopleIcon />, isForSuperusers: true },
  { to: '/settings', label: 'Configurações', letter: 'c', icon: <CogIcon /> },
]
/** The entries of NAV-10 to NAV-15. */
export const entriesFor = ({ is_superuser }: MeView) =>
  ENTRIES.filter(({ isForSuperusers = false }) => is_superuser || !isForSuperusers)

const isUnder = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`)
/** The active entry is found by path prefix (NAV-16). */
export const isActive = ({ to, also = [] }: Entry, path: string) =>
  [to, ...also].some((prefix) => isUnder(path, prefix))
