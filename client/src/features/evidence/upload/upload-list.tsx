import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import type { UploadItem } from './upload-item.ts'
import { UploadRow } from './upload-row.tsx'

/** Shorter lists are rendered whole: virtualization gains nothing, and the browser can search the page. */
const WINDOWED_FROM = 40
const ROW_HEIGHT = 53

interface Props {
  label: string
  items: readonly UploadItem[]
}

/** Each row renders only when its own file changes; long lists are virtualized. */
export const UploadList = ({ label, items }: Props) =>
  items.length < WINDOWED_FROM ? (
    <ul className="upload-list" aria-label={label}>
      {items.map((item) => (
        <li key={item.key}>
          <UploadRow item={item} />
        </li>
      ))}
    </ul>
  ) : (
    <WindowedList label={label} items={items} />
  )

function WindowedList({ label, items }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 6,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section ref={frame} className="upload-list is-windowed" tabIndex={0} aria-label={label}>
      <ul className="upload-list-rows" style={{ height: rows.getTotalSize() }} aria-label={label}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index]
          return (
            item && (
              <li
                key={key}
                ref={rows.measureElement}
                data-index={index}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <UploadRow item={item} />
              </li>
            )
          )
        })}
      </ul>
    </section>
  )
}
