import type { AppRouter } from '@garantia/server/router'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { inferRouterOutputs } from '@trpc/server'

type Options = inferRouterOutputs<AppRouter>['passkeys']

/** Browsers offer passkeys at secure addresses with a name only (WebAuthn level 3, section 5.1.2). */
export const canUsePasskeys = () =>
  'PublicKeyCredential' in window && window.isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname)

/** Asks the browser for a passkey of this product; rejects when the person does not give one. */
export const givePasskey = async (options: Options['ask']) =>
  (await import('@simplewebauthn/browser')).startAuthentication({
    // The types of extensions that we do not use name buffers, which JSON does not carry.
    optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
  })

/** Asks the browser to make a passkey; rejects when the person does not, or has one on this device. */
export const makePasskey = async (options: Options['begin']) =>
  (await import('@simplewebauthn/browser')).startRegistration({
    optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
  })

/** What to say of a failure of the two above; null when the person closed the browser's question. */
export function passkeyProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error.name === 'InvalidStateError') return 'Este aparelho já tem uma chave de acesso sua.'
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') return null
  return 'O navegador não conseguiu usar a chave de acesso.'
}
