import { TagIcon, ThListIcon } from '@blueprintjs/icons'
import type { ReactElement } from 'react'

interface Entry {
  to: '/lista-os' | '/brands'
  label: string
  icon: ReactElement
  /** Other paths that belong to this entry. */
  also?: readonly string[]
}

export const ENTRIES: readonly Entry[] = [
  { to: '/lista-os', label: 'Lista OS', icon: <ThListIcon />, also: ['/os', '/nova-os'] },
  { to: '/brands', label: 'Marcas', icon: <TagIcon /> },
]

const isUnder = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`)
/** The active entry is found by path prefix (NAV-16). */
export const isActive = ({ to, also = [] }: Entry, path: string) =>
  [to, ...also].some((prefix) => isUnder(path, prefix))
