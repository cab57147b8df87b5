import { Menu, MenuItem } from '@blueprintjs/core'
import { LogOutIcon, UserIcon } from '@blueprintjs/icons'
import type { UserView } from '@garantia/shared/users/schema'
import { useNavigate } from '@tanstack/react-router'
import { focusFirstItem } from '../ui/overlay/focus-first-item.ts'
import { KeyMenu } from '../ui/overlay/key-menu.tsx'
import { useSignOut } from './sign-out.ts'

/** It may arrive after the popover has opened and looked for what to focus. */
const takeFocus = (menu: HTMLElement | null) => {
  if (menu) focusFirstItem(menu)
}

export function AccountMenu({ me }: { me: UserView }) {
  const navigate = useNavigate()
  const signOut = useSignOut()
  return (
    <KeyMenu>
      <div className="user-menu-name">
        <strong>{me.full_name || me.email}</strong>
        <span className="muted">{me.email}</span>
      </div>
      <Menu ulRef={takeFocus} aria-label="Conta">
        <MenuItem icon={<UserIcon />} text="Meu perfil" onClick={() => void navigate({ to: '/settings' })} />
        <MenuItem icon={<LogOutIcon />} text="Log out" onClick={signOut} />
      </Menu>
    </KeyMenu>
  )
}
