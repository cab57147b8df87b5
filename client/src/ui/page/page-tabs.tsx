import { Tab, Tabs } from '@blueprintjs/core'
import { type ReactElement, type ReactNode, Suspense } from 'react'
import { LoadingPanel } from '../feedback/skeleton.tsx'
import { useShortcuts } from '../keys/shortcut.ts'

/** Id that Blueprint gives a tab's title. */
const tabIdOf = (name: string, id: string) => `bp6-tab-title_${name}_${id}`

interface Props<Id extends string> {
  /** Makes ids unique when a page has several sets of tabs. */
  name: string
  tabs: readonly {
    id: Id
    title: ReactNode
    /** The title as text, when `title` is more than text. */
    label?: string
    panel: ReactElement
  }[]
  selected: Id
  onSelect: (id: Id) => void
  /** Keeps hidden tabs mounted, so that a form keeps its fields. */
  keepsHidden?: boolean
}

/** Tabs of a screen or form; Alt+1 to Alt+9 select them. */
export function PageTabs<Id extends string>({ name, tabs, selected, onSelect, keepsHidden }: Props<Id>) {
  useShortcuts(
    tabs.slice(0, 9).map(({ id, label, title }, index) => ({
      keys: `alt+${index + 1}`,
      label: `Aba ${label ?? title}`,
      worksInFields: true,
      act: () => {
        onSelect(id)
        requestAnimationFrame(() => document.getElementById(tabIdOf(name, id))?.focus())
      },
    })),
  )
  return (
    <Tabs
      id={name}
      className={`page-tabs page-tabs-${name}`}
      selectedTabId={selected}
      onChange={(id) => onSelect(id as Id)}
      animate={false}
      renderActiveTabPanelOnly={!keepsHidden}
    >
      {tabs.map(({ id, title, panel }) => (
        // Blueprint reads a default prop that React 19 no longer puts on the element; without an explicit
        // `disabled` the arrow keys do nothing.
        <Tab
          key={id}
          id={id}
          title={title}
          panel={<Suspense fallback={<LoadingPanel />}>{panel}</Suspense>}
          disabled={false}
        />
      ))}
    </Tabs>
  )
}
