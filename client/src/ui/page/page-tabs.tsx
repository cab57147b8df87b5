import { Tab, Tabs } from '@blueprintjs/core'
import { type ReactElement, type ReactNode, Suspense } from 'react'
import { useShortcuts } from '../keys/shortcut.ts'

/** As Blueprint names the heads of its tabs. */
const tabIdOf = (name: string, id: string) => `bp6-tab-title_${name}_${id}`

interface Props<Id extends string> {
  /** Tells the ids of one set from those of another on the same page. */
  name: string
  tabs: readonly {
    id: Id
    title: ReactNode
    /** The title in words, where it is more than words. */
    label?: string
    panel: ReactElement
  }[]
  selected: Id
  onSelect: (id: Id) => void
  /** A form keeps its fields while another tab is shown. */
  keepsHidden?: boolean
}

export function PageTabs<Id extends string>({ name, tabs, selected, onSelect, keepsHidden }: Props<Id>) {
  useShortcuts(
    tabs.slice(0, 9).map(({ id, label, title }, place) => ({
      keys: `alt+${place + 1}`,
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
      className="page-tabs"
      selectedTabId={selected}
      onChange={(id) => onSelect(id as Id)}
      animate={false}
      renderActiveTabPanelOnly={!keepsHidden}
    >
      {tabs.map(({ id, title, panel }) => (
        // Blueprint counts on a default that React 19 no longer lets it see; without it the arrow keys do nothing.
        <Tab key={id} id={id} title={title} panel={<Suspense>{panel}</Suspense>} disabled={false} />
      ))}
    </Tabs>
  )
}
