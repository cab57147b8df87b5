import { loginIdentity, PROFILE_NAME_MAX } from '@garantia/shared/auth/schema'
import { type ProfileChange, personName } from '@garantia/shared/users/schema'
import { z } from 'zod'

type Profile = Required<ProfileChange>

/** A long name that an administrator gave does not lock the form: the limit holds for a new one (D-41). */
export const profileForm = (before: Profile) =>
  z.object({
    full_name: personName.refine(
      (name) => name === before.full_name || name.length <= PROFILE_NAME_MAX,
      `Máximo de ${PROFILE_NAME_MAX} caracteres`,
    ),
    email: loginIdentity,
  })

/** Only what is new: the server judges a name that is sent by the rule for new names. */
export const changesOf = (before: Profile, after: Profile): ProfileChange => ({
  ...(after.full_name !== before.full_name && { full_name: after.full_name }),
  ...(after.email !== before.email && { email: after.email }),
})
