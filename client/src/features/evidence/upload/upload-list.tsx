import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import type { UploadItem } from './upload-item.ts'
import { UploadRow } from './upload-row.tsx'

/** Shorter lists are rendered whole: virtualization gains nothing, and the browser can search the page. */
const WINDOWED_FROM = 40
const ROW_HEIGHT = 53

interface Props {
  label: string
  items: readonly UploadItem[]
  /** What a row shows instead of a state before its file is sent; a stable function, as rows are memoized. */
  beforeSending?: ((item: UploadItem) => ReactNode) | undefined
}

/** Each row renders only when its own file changes; long lists are virtualized. */
export const UploadList = ({ label, items, beforeSending }: Props) =>
  items.length < WINDOWED_FROM ? (
    <ul className="upload-list" aria-label={label}>
      {items.map((item) => (
        <li key={item.key}>
          <UploadRow item={item} beforeSending={beforeSending} />
        </li>
      ))}
    </ul>
  ) : (
    <WindowedList label={label} items={items} beforeSending={beforeSending} />
  )

function WindowedList({ label, items, beforeSending }: Props) {
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
                <UploadRow item={item} beforeSending={beforeSending} />
              </li>
            )
          )
        })}
      </ul>
    </section>
  )
}
