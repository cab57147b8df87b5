import type { SignInWays } from '@garantia/shared/auth/second-factor'
import { forbidden } from '@garantia/shared/errors'
import type { Ctx } from '../../../kernel/context.ts'

/** How people sign in at this installation; open to everybody. */
export const signInWays = ({ config }: Ctx): SignInWays => ({
  directory: config.OIDC_ISSUER ? config.OIDC_NAME : null,
  local: config.LOCAL_SIGN_IN,
})

/** 403 for all but superusers where people sign in at the directory only. */
export function requireLocalSignIn({ config }: Ctx, { is_superuser }: { is_superuser: boolean }) {
  if (config.LOCAL_SIGN_IN === 'superuser' && !is_superuser)
    throw forbidden(`Aqui se entra com a ${config.OIDC_NAME}.`)
}
