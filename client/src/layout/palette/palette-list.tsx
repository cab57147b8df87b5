import { ORDER_STATUS } from '@garantia/shared/orders/status'
import { useEffect, useRef } from 'react'
import { factsOf } from '../../lib/order-search.ts'
import { StatusBadge } from '../../ui/feedback/badge.tsx'
import { KeyCap } from '../../ui/keys/key-cap.tsx'
import { useShowsKey } from '../../ui/keys/key-hint.ts'
import type { Entry, EntryGroup } from './entries.ts'

interface Props {
  id: string
  groups: readonly EntryGroup[]
  current: Entry | undefined
  optionId: (entry: Entry) => string
  isStale: boolean
  onPoint: (entry: Entry) => void
  onChoose: (entry: Entry, isNewTab?: boolean) => void
}

/** Focus stays in the input, which names the active option (aria-activedescendant). */
export function PaletteList({ id, groups, current, optionId, isStale, onPoint, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the active option is the trigger
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current?.id])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Resultados"
      tabIndex={-1}
      className={isStale ? 'palette-list is-stale' : 'palette-list'}
    >
      {groups.map(({ heading, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not a fieldset
        <div key={heading} role="group" aria-label={heading}>
          <div className="palette-heading" aria-hidden="true">
            {heading}
          </div>
          {entries.map((entry) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the input
            <div
              key={entry.id}
              id={optionId(entry)}
              role="option"
              tabIndex={-1}
              aria-selected={entry.id === current?.id}
              className="palette-option"
              onMouseMove={() => entry.id !== current?.id && onPoint(entry)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={(event) => onChoose(entry, event.ctrlKey || event.metaKey)}
            >
              <Option entry={entry} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

function Option({ entry }: { entry: Entry }) {
  if (entry.kind === 'order') return <OrderOption entry={entry} />
  return entry.kind === 'page' ? <PageOption entry={entry} /> : <ActionOption entry={entry} />
}

const PageOption = ({ entry: { label, within } }: { entry: Extract<Entry, { kind: 'page' }> }) => (
  <span className="palette-facts">
    {label}
    {within && <span className="palette-within"> · {within}</span>}
  </span>
)

const OrderOption = ({ entry: { order } }: { entry: Extract<Entry, { kind: 'order' }> }) => (
  <>
    <span className="palette-number numeric">OS {order.os_number}</span>
    <span className="palette-facts">{factsOf(order)}</span>
    <StatusBadge badge={ORDER_STATUS[order.status]} />
  </>
)

function ActionOption({ entry: { label, keys } }: { entry: Extract<Entry, { kind: 'action' }> }) {
  const showsKey = useShowsKey()
  return (
    <>
      <span className="palette-facts">{label}</span>
      {keys !== undefined && showsKey(keys) && (
        <span className="palette-keys" aria-hidden="true">
          <KeyCap keys={keys} />
        </span>
      )}
    </>
  )
}
