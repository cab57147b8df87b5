import {
  confirmation,
  PASSWORDS_DIFFER,
  type PasswordChange,
  passwordChange,
  resetInput,
  type SignUpInput,
  signUpInput,
} from '@garantia/shared/auth/schema'
import { z } from 'zod'
import { formOf } from '../../../lib/forms.ts'

/** The confirmation is checked here and never sent to the server (SIGN-12). */
interface Repeated {
  confirm_password: string
}
const repetition = (chosen: string, repeated: string) => ({
  confirm_password:
    confirmation.safeParse(repeated).error?.issues[0]?.message ??
    (chosen === repeated ? null : PASSWORDS_DIFFER),
})

export const signUpForm = formOf<SignUpInput & Repeated, SignUpInput>(
  signUpInput,
  ({ confirm_password: _, ...input }) => input,
  ({ password, confirm_password }) => repetition(password, confirm_password),
)

const newPassword = z.object({ new_password: resetInput.shape.new_password })
export const resetForm = formOf<{ new_password: string } & Repeated, { new_password: string }>(
  newPassword,
  ({ new_password }) => ({ new_password }),
  ({ new_password, confirm_password }) => repetition(new_password, confirm_password),
)

export const passwordForm = formOf<PasswordChange & Repeated, PasswordChange>(
  passwordChange,
  ({ confirm_password: _, ...input }) => input,
  ({ new_password, confirm_password }) => repetition(new_password, confirm_password),
)
