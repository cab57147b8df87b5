import { type DossierKey, keyIdFrom } from '@garantia/shared/dossier/proof'
import type { Ctx } from '../../../kernel/context.ts'
import { publicKeyHash, publicKeyOf, publicKeyPem } from '../../../kernel/ed25519.ts'

/** Where the public keys are published. */
export const KEYS_PATH = '/api/v1/dossier-keys'

/** The short name of a public key (32 bytes in hexadecimal). */
export const idOfKey = (public_key: string) => keyIdFrom(publicKeyHash(public_key))

/** The public keys of this house: the present one, then those that have signed earlier dossiers. */
export function houseKeys({ config }: Ctx): DossierKey[] {
  const current = publicKeyOf(config.DOSSIER_KEY)
  return [...new Set([current, ...config.DOSSIER_KEY_PREVIOUS])].map((key) => ({
    id: idOfKey(key),
    algorithm: 'Ed25519',
    public_key_pem: publicKeyPem(key),
    is_current: key === current,
  }))
}
