import { Button } from '@blueprintjs/core'
import { EyeOffIcon, EyeOpenIcon } from '@blueprintjs/icons'
import { useState } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import type { ControlProps } from './field.tsx'
import { TextInput } from './inputs.tsx'

interface Props {
  control: ControlProps
  field: UseFormRegisterReturn
  autoComplete: 'current-password' | 'new-password'
  placeholder?: string
  autoFocus?: boolean
  size?: 'medium' | 'large'
}

/** A password with a button to show it (LOGIN-2). */
export function PasswordInput(props: Props) {
  const [isShown, setIsShown] = useState(false)
  return (
    <TextInput
      {...props}
      type={isShown ? 'text' : 'password'}
      rightElement={
        <Button
          variant="minimal"
          icon={isShown ? <EyeOffIcon /> : <EyeOpenIcon />}
          aria-label={isShown ? 'Ocultar senha' : 'Mostrar senha'}
          aria-pressed={isShown}
          onClick={() => setIsShown(!isShown)}
        />
      }
    />
  )
}
