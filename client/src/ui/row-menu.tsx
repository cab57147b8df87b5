import { Button, Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import { MoreIcon } from '@blueprintjs/icons'
import { type ReactElement, useRef } from 'react'
import { useRowTabIndex } from './data-table.tsx'
import { focusFirstItem, KeyMenu } from './key-menu.tsx'

interface Item {
  text: string
  icon: ReactElement
  isDanger?: boolean
  onClick: () => void
}
interface Props {
  /** Names the row: «Ações de Auto Sul». */
  label: string
  items: readonly Item[]
  isDisabled?: boolean
}

export function RowMenu({ label, items, isDisabled }: Props) {
  const chosen = useRef<() => void>(undefined)
  const tabIndex = useRowTabIndex()
  return (
    <PopoverNext
      placement="bottom-end"
      arrow={false}
      shouldReturnFocusOnClose
      onOpening={focusFirstItem}
      disabled={isDisabled}
      transitionDuration={100}
      // A dialog opened any sooner would lose the focus to this menu, which only gives it back now.
      onClosed={() => {
        chosen.current?.()
        chosen.current = undefined
      }}
      content={
        <KeyMenu>
          <Menu aria-label={label}>
            {items.map(({ text, icon, isDanger, onClick }) => (
              <MenuItem
                key={text}
                icon={icon}
                text={text}
                intent={isDanger ? 'danger' : 'none'}
                onClick={() => {
                  chosen.current = onClick
                }}
              />
            ))}
          </Menu>
        </KeyMenu>
      }
    >
      <Button
        variant="minimal"
        size="small"
        tabIndex={tabIndex}
        icon={<MoreIcon />}
        aria-label={label}
        title={label}
        disabled={isDisabled}
      />
    </PopoverNext>
  )
}
