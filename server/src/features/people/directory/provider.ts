import { isEmail } from '@garantia/shared/auth/schema'
import type { Configuration } from 'openid-client'
import type { Config } from '../../../kernel/config.ts'

/** What the directory says of a person who has just signed in there. */
export interface DirectoryClaims {
  issuer: string
  subject: string
  /** Only when the directory has verified it. */
  email: string | null
  name: string
  groups: string[]
  /** When the directory last asked who is there; null when it does not say. */
  authenticated_at: Date | null
}
interface Secrets {
  state: string
  nonce: string
  code_verifier: string
}

const TIMEOUT_SECONDS = 10
export const CALLBACK = '/directory/callback'

const library = () => import('openid-client')

let discovered: { issuer: string; configuration: Promise<Configuration> } | undefined
/** The provider's addresses and keys, read once; again after a failure. */
function configurationOf(config: Config): Promise<Configuration> {
  const { OIDC_ISSUER: issuer = '', OIDC_CLIENT_ID: client = '', OIDC_CLIENT_SECRET: secret } = config
  if (discovered?.issuer === issuer) return discovered.configuration
  const configuration = library().then(({ discovery, allowInsecureRequests }) =>
    discovery(new URL(issuer), client, secret, undefined, {
      timeout: TIMEOUT_SECONDS,
      // A directory on this machine, as in development; anywhere else plain HTTP is refused.
      ...(isLoopback(issuer) && { execute: [allowInsecureRequests] }),
    }),
  )
  discovered = { issuer, configuration }
  configuration.catch(() => {
    discovered = undefined
  })
  return configuration
}
const isLoopback = (url: string) => /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(`${url}/`)

/** Where the browser signs in: authorization code flow with PKCE (RFC 7636), state and nonce. */
export async function authorizationAddress(
  config: Config,
  { state, nonce, code_verifier, again }: Secrets & { again: boolean },
) {
  const provider = await configurationOf(config)
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
  return buildAuthorizationUrl(provider, {
    redirect_uri: config.app_url + CALLBACK,
    scope: 'openid email profile',
    code_challenge: await calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...(again && { prompt: 'login', max_age: '0' }),
  })
}

/**
 * The claims of the verified ID token, and those that the provider's userinfo adds to them. `max_age`: the
 * seconds within which the directory must have asked who is there; it throws when it has not, or does not
 * say.
 */
export async function claimsOf(
  config: Config,
  url: URL,
  { max_age, ...secrets }: Secrets & { max_age: number | undefined },
): Promise<DirectoryClaims> {
  const provider = await configurationOf(config)
  const { authorizationCodeGrant, fetchUserInfo } = await library()
  const tokens = await authorizationCodeGrant(provider, url, {
    pkceCodeVerifier: secrets.code_verifier,
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    idTokenExpected: true,
    ...(max_age !== undefined && { maxAge: max_age }),
  })
  const claims = tokens.claims()
  if (!claims) throw new Error('no ID token')
  const all = provider.serverMetadata().userinfo_endpoint
    ? { ...(await fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims }
    : claims
  const { email, name } = all
  const { auth_time } = claims
  const groups: unknown = all[config.OIDC_ROLE_CLAIM]
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof email === 'string' && isEmail(email) && all.email_verified === true ? email : null,
    name: typeof name === 'string' ? name.slice(0, 255) : '',
    authenticated_at: auth_time === undefined ? null : new Date(auth_time * 1000),
    groups: [groups].flat().filter((group) => typeof group === 'string'),
  }
}
