import { Button } from '@blueprintjs/core'
import type { UserView } from '@garantia/shared/users/schema'
import { lazy, Suspense, useState } from 'react'
import { focusFirstItem } from '../ui/overlay/focus-first-item.ts'
import { Popover } from '../ui/overlay/popover.tsx'

const load = () => import('./account-menu.tsx')
const AccountMenu = lazy(async () => ({ default: (await load()).AccountMenu }))

const initials = (name: string) =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((part) => part.charAt(0))
    .filter((_, i, all) => i === 0 || i === all.length - 1)
    .join('')
    .toUpperCase()

export function UserMenu({ me }: { me: UserView }) {
  const [isOpen, setIsOpen] = useState(false)
  const name = me.full_name || me.email
  return (
    <Popover
      isOpen={isOpen}
      onInteraction={setIsOpen}
      placement="bottom-end"
      onOpening={focusFirstItem}
      content={
        <Suspense fallback={null}>
          <AccountMenu me={me} />
        </Suspense>
      }
    >
      <Button
        variant="minimal"
        className="user-button"
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
      >
        <span className="avatar" aria-hidden="true">
          {initials(name)}
        </span>
        <span className="visually-hidden">Menu de {name}</span>
      </Button>
    </Popover>
  )
}
