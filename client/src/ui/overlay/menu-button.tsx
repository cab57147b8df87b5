import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { TickIcon } from '@blueprintjs/icons'
import { type ReactElement, useRef, useState } from 'react'
import { KeyCap } from '../keys/key-cap.tsx'
import { useKeyHint } from '../keys/key-hint.ts'
import { useShortcut } from '../keys/shortcut.ts'
import { focusFirstItem } from './focus-first-item.ts'
import { KeyMenu } from './key-menu.tsx'
import { Popover } from './popover.tsx'

export interface MenuEntry {
  text: string
  icon?: ReactElement
  isDanger?: boolean
  isDisabled?: boolean
  /** Why it is disabled. */
  reason?: string | undefined
  /** Marks the entry currently in use. */
  isChosen?: boolean
  /** Keys that do the same without the menu. */
  keys?: string | undefined
  /** Starts a group of entries. */
  heading?: string
  onClick: () => void
}
interface Props {
  /** The menu's accessible name. */
  label: string
  items: readonly MenuEntry[]
  isDisabled?: boolean | undefined
  /** Key that opens the menu. */
  shortcut?: string
  className?: string
  placement?: 'bottom-end' | 'bottom-start' | 'top-start'
  /** The button. */
  children: ReactElement<object>
}

/** A button with a menu; the chosen action runs after the menu has closed. */
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
  const hint = useKeyHint()
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
      // Opened any earlier, a dialog would lose its focus to this menu, which returns focus only now.
      onClosed={() => {
        chosen.current?.()
        chosen.current = undefined
      }}
      content={
        <KeyMenu>
          <Menu aria-label={label} className={className}>
            {items.flatMap(
              ({ text, icon, isDanger, isDisabled, reason, isChosen, keys, heading, onClick }, index) => [
                heading !== undefined && (
                  <MenuDivider key={`group ${heading}`} title={heading || undefined} />
                ),
                <MenuItem
                  // biome-ignore lint/suspicious/noArrayIndexKey: two views may have the same name
                  key={`${index} ${text}`}
                  icon={icon}
                  text={
                    reason ? (
                      <>
                        {text}
                        <span className="menu-reason">{reason}</span>
                      </>
                    ) : (
                      text
                    )
                  }
                  multiline={reason !== undefined}
                  disabled={isDisabled}
                  aria-keyshortcuts={keys && hint(text, keys)['aria-keyshortcuts']}
                  intent={isDanger ? 'danger' : 'none'}
                  labelElement={
                    (isChosen || keys) && (
                      <>
                        {isChosen && <TickIcon title="Em uso" />}
                        {keys && (
                          <span aria-hidden="true">
                            <KeyCap keys={keys} />
                          </span>
                        )}
                      </>
                    )
                  }
                  onClick={() => {
                    chosen.current = onClick
                    setIsOpen(false)
                  }}
                />,
              ],
            )}
          </Menu>
        </KeyMenu>
      }
    >
      {children}
    </Popover>
  )
}
