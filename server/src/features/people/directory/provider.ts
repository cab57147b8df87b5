import { isEmail } from '@garantia/shared/auth/schema'
import type { Configuration } from 'openid-client'
import type { Config } from '../../../kernel/config.ts'

/** What the directory says of a person who has just signed in there. */
export interface DirectoryClaims {
  issuer: string
  subject: string
  email: DirectoryEmail
  name: string
  /** Null when the directory left them out of its answer because they are too many. */
  groups: string[] | null
  /** When the directory last asked who is there; null when it does not say. */
  authenticated_at: Date | null
}
/** A verified address, or why there is none: the directory says so (`unverified`), or says nothing (`unstated`). */
export type DirectoryEmail = { address: string } | { problem: 'unverified' | 'unstated' }
interface Secrets {
  state: string
  nonce: string
  code_verifier: string
}

const TIMEOUT_SECONDS = 10
/** How far the directory's clock may be from this one's. */
const CLOCK_TOLERANCE_SECONDS = 120
export const CALLBACK = '/directory/callback'

const library = () => import('openid-client')

let discovered: { issuer: string; configuration: Promise<Configuration> } | undefined
/** The provider's addresses and keys, read once; again after a failure. */
function configurationOf(config: Config): Promise<Configuration> {
  const { OIDC_ISSUER: issuer = '', OIDC_CLIENT_ID: client = '', OIDC_CLIENT_SECRET: secret } = config
  if (discovered?.issuer === issuer) return discovered.configuration
  const configuration = library().then(
    ({ discovery, allowInsecureRequests, clockTolerance, enableNonRepudiationChecks }) =>
      discovery(
        new URL(issuer),
        client,
        { client_secret: secret, [clockTolerance]: CLOCK_TOLERANCE_SECONDS },
        undefined,
        {
          timeout: TIMEOUT_SECONDS,
          execute: [
            // The signature of the ID token is checked, not only the connection it came by.
            enableNonRepudiationChecks,
            // A directory on this machine, as in development; anywhere else plain HTTP is refused.
            ...(isLoopback(issuer) ? [allowInsecureRequests] : []),
          ],
        },
      ),
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
  const userinfo: Claims = provider.serverMetadata().userinfo_endpoint
    ? await fetchUserInfo(provider, tokens.access_token, claims.sub)
    : {}
  const all: Claims = { ...userinfo, ...claims }
  const { name } = all
  const { auth_time } = claims
  return {
    issuer: claims.iss,
    subject: claims.sub,
    // Address and verification from one source: userinfo may speak of another address than the ID token.
    email: emailIn(typeof claims.email === 'string' ? claims : userinfo, config.OIDC_VERIFIED_DOMAINS),
    name: typeof name === 'string' ? name.slice(0, 255) : '',
    authenticated_at: auth_time === undefined ? null : new Date(auth_time * 1000),
    groups: groupsIn(all, config.OIDC_ROLE_CLAIM),
  }
}

type Claims = Record<string, unknown>

function emailIn({ email, email_verified }: Claims, verifiedDomains: readonly string[]): DirectoryEmail {
  if (typeof email !== 'string' || !isEmail(email)) return { problem: 'unverified' }
  // Cognito writes the boolean as text.
  if (email_verified === true || email_verified === 'true') return { address: email }
  if (email_verified !== undefined && email_verified !== null) return { problem: 'unverified' }
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return verifiedDomains.includes(domain) ? { address: email } : { problem: 'unstated' }
}

/** Keycloak writes a group as a path; Entra ID replaces more than two hundred by a reference (`_claim_names`). */
function groupsIn(all: Claims, claim: string) {
  const groups = all[claim]
  const { _claim_names: references, hasgroups } = all
  const isLeftOut =
    hasgroups === true || (typeof references === 'object' && references !== null && claim in references)
  if (groups === undefined && isLeftOut) return null
  return [groups]
    .flat()
    .filter((group) => typeof group === 'string')
    .map((group) => group.replace(/^\//, ''))
}
