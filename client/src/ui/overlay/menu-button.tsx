import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { TickIcon } from '@blueprintjs/icons'
import { type ReactElement, useRef, useState } from 'react'
import { useShortcut } from '../keys/shortcut.ts'
import { focusFirstItem, KeyMenu } from './key-menu.tsx'
import { Popover } from './popover.tsx'

export interface MenuEntry {
  text: string
  icon?: ReactElement
  isDanger?: boolean
  isDisabled?: boolean
  /** What holds now. */
  isChosen?: boolean
  /** Begins a group of entries. */
  heading?: string
  onClick: () => void
}
interface Props {
  /** The menu's name for a screen reader. */
  label: string
  items: readonly MenuEntry[]
  isDisabled?: boolean | undefined
  /** The key that opens it. */
  shortcut?: string
  className?: string
  placement?: 'bottom-end' | 'bottom-start' | 'top-start'
  /** The button. */
  children: ReactElement<object>
}

export function MenuButton({
  label,
  items,
  isDisabled,
  shortcut,
  className,
  placement = 'bottom-end',
  children,
}: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const chosen = useRef<() => void>(undefined)
  useShortcut(shortcut ?? [], () => setIsOpen(true), {
    isEnabled: shortcut !== undefined && !isDisabled,
    label,
  })
  return (
    <Popover
      isOpen={isOpen}
      onInteraction={setIsOpen}
      placement={placement}
      onOpening={focusFirstItem}
      isDisabled={isDisabled}
      transitionDuration={100}
      // A dialog opened any sooner would lose the focus to this menu, which only gives it back now.
      onClosed={() => {
        chosen.current?.()
        chosen.current = undefined
      }}
      content={
        <KeyMenu>
          <Menu aria-label={label} className={className}>
            {items.flatMap(({ text, icon, isDanger, isDisabled, isChosen, heading, onClick }, place) => [
              heading !== undefined && <MenuDivider key={`group ${heading}`} title={heading || undefined} />,
              <MenuItem
                // biome-ignore lint/suspicious/noArrayIndexKey: two views may have one name
                key={`${place} ${text}`}
                icon={icon}
                text={text}
                disabled={isDisabled}
                intent={isDanger ? 'danger' : 'none'}
                labelElement={isChosen && <TickIcon title="Em uso" />}
                onClick={() => {
                  chosen.current = onClick
                  setIsOpen(false)
                }}
              />,
            ])}
          </Menu>
        </KeyMenu>
      }
    >
      {children}
    </Popover>
  )
}
