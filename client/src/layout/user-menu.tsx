import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { LogOutIcon, UserIcon } from '@blueprintjs/icons'
import type { UserView } from '@garantia/shared/users/schema'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { focusFirstItem, KeyMenu } from '../ui/overlay/key-menu.tsx'
import { Popover } from '../ui/overlay/popover.tsx'
import { useSignOut } from './sign-out.ts'

const initials = (name: string) =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((part) => part.charAt(0))
    .filter((_, i, all) => i === 0 || i === all.length - 1)
    .join('')
    .toUpperCase()

export function UserMenu({ me }: { me: UserView }) {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const [isOpen, setIsOpen] = useState(false)
  const name = me.full_name || me.email
  return (
    <Popover
      isOpen={isOpen}
      onInteraction={setIsOpen}
      placement="bottom-end"
      onOpening={focusFirstItem}
      content={
        <KeyMenu>
          <div className="user-menu-name">
            <strong>{name}</strong>
            <span className="muted">{me.email}</span>
          </div>
          <Menu aria-label="Conta">
            <MenuItem
              icon={<UserIcon />}
              text="Meu perfil"
              onClick={() => void navigate({ to: '/settings' })}
            />
            <MenuItem icon={<LogOutIcon />} text="Log out" onClick={signOut} />
          </Menu>
        </KeyMenu>
      }
    >
      <Button variant="minimal" className="user-button">
        <span className="avatar" aria-hidden="true">
          {initials(name)}
        </span>
        <span className="visually-hidden">Menu de {name}</span>
      </Button>
    </Popover>
  )
}
