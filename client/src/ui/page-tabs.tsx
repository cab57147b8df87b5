import { Tab, Tabs } from '@blueprintjs/core'
import { type ReactElement, type ReactNode, Suspense } from 'react'

interface Props<Id extends string> {
  /** Tells the ids of one set from those of another on the same page. */
  name: string
  tabs: readonly { id: Id; title: ReactNode; panel: ReactElement }[]
  selected: Id
  onSelect: (id: Id) => void
  /** A form keeps its fields while another tab is shown. */
  keepsHidden?: boolean
}

export function PageTabs<Id extends string>({ name, tabs, selected, onSelect, keepsHidden }: Props<Id>) {
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
