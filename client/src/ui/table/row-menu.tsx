import { Button } from '@blueprintjs/core'
import { MoreIcon } from '@blueprintjs/icons'
import { MenuButton, type MenuEntry } from '../overlay/menu-button.tsx'
import { useRowTabIndex } from './row-cursor.ts'

interface Props {
  /** Names the row: «Ações de Auto Sul». */
  label: string
  items: readonly MenuEntry[]
  isDisabled?: boolean
  placement?: 'bottom-start'
}

/** Menu of a row's actions; reachable by Tab only in the cursor's row. */
export function RowMenu({ label, items, isDisabled, placement }: Props) {
  const tabIndex = useRowTabIndex()
  return (
    <MenuButton label={label} items={items} isDisabled={isDisabled} {...(placement && { placement })}>
      <Button
        variant="minimal"
        size="small"
        tabIndex={tabIndex}
        icon={<MoreIcon />}
        aria-label={label}
        title={label}
        disabled={isDisabled}
      />
    </MenuButton>
  )
}
