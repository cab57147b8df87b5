import { loginIdentity, PROFILE_NAME_MAX } from '@garantia/shared/auth/schema'
import { type ProfileChange, personName } from '@garantia/shared/users/schema'
import { z } from 'zod'

type Profile = Required<ProfileChange>

/** A long name set by an administrator does not block the form: the limit applies to a new name (D-41). */
export const profileForm = (before: Profile) =>
  z.object({
    full_name: personName.refine(
      (name) => name === before.full_name || name.length <= PROFILE_NAME_MAX,
      `Máximo de ${PROFILE_NAME_MAX} caracteres`,
    ),
    email: loginIdentity,
  })

/** Only changed values: the server applies the rule for new names to any name that is sent. */
export const changesOf = (before: Profile, after: Profile): ProfileChange => ({
  ...(after.full_name !== before.full_name && { full_name: after.full_name }),
  ...(after.email !== before.email && { email: after.email }),
})
