import { inGroups, keyIdFrom } from '@garantia/shared/dossier/proof'
import { ruleViolation } from '@garantia/shared/errors'
import type { Config } from '../../../kernel/config.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { isSignedBy, publicKeyHash, publicKeyOf, signBytes } from '../../../kernel/ed25519.ts'

/** Who has signed: the public key in hexadecimal, and an Ed25519 signature (RFC 8032) in Base64. */
interface Signature {
  signer: string
  signature: string
}

/**
 * `signed` by a key of this installation, `unsigned`, or `foreign` if another key signed it. `unverified` on a new
 * installation, which has no key to compare with. An altered manifest is a separate error.
 */
export type SignatureState = 'signed' | 'unsigned' | 'foreign' | 'unverified'

/** What decides whose signature counts. */
export interface Trust {
  /** Public keys in hexadecimal. */
  keys: ReadonlySet<string>
  /** The id of a key that the operator vouches for, as dossiers print it. */
  key_id?: string | undefined
  /** Whether there is no installation yet that a backup could be foreign to. */
  is_bare: boolean
}

type DossierKeys = Pick<Config, 'DOSSIER_KEY' | 'DOSSIER_KEY_PREVIOUS'>
const publicKeys = ({ DOSSIER_KEY, DOSSIER_KEY_PREVIOUS }: DossierKeys) => [
  publicKeyOf(DOSSIER_KEY),
  ...DOSSIER_KEY_PREVIOUS,
]

/** The keys of this installation count. */
export const houseTrust = ({ config }: Pick<Ctx, 'config'>, is_bare = false, key_id?: string): Trust => ({
  keys: new Set(publicKeys(config)),
  key_id,
  is_bare,
})

interface OpenedKeys {
  dossier_key: string
  previous_dossier_keys: string[]
}
/** On a machine without data the keys count too that the passphrase has opened. */
export const withKeysOf = (trust: Trust, { dossier_key, previous_dossier_keys }: OpenedKeys): Trust =>
  trust.is_bare
    ? {
        ...trust,
        keys: new Set([
          ...trust.keys,
          ...publicKeys({ DOSSIER_KEY: dossier_key, DOSSIER_KEY_PREVIOUS: previous_dossier_keys }),
        ]),
      }
    : trust

const signedText = (contents_sha256: string) => Buffer.from(`garantia-backup/2 ${contents_sha256}`)

export const signContents = ({ DOSSIER_KEY }: DossierKeys, contents_sha256: string): Signature => ({
  signer: publicKeyOf(DOSSIER_KEY),
  signature: signBytes(DOSSIER_KEY, signedText(contents_sha256)).toString('base64'),
})

/** Whether whom it names has signed exactly this. */
export const isSignature = (
  { signer, signature }: { [Part in keyof Signature]: string | null },
  contents_sha256: string,
) =>
  signer !== null &&
  signature !== null &&
  isSignedBy(signer, Buffer.from(signature, 'base64'), signedText(contents_sha256))

const idOf = (signer: string) => keyIdFrom(publicKeyHash(signer))
const digitsOf = (key_id: string) => key_id.toLowerCase().replaceAll(/[^0-9a-f]/g, '')

/** Whose a signature is that is right; `signer` is null without one. */
export function judgeSigner(signer: string | null, { keys, key_id, is_bare }: Trust): SignatureState {
  if (signer === null) return 'unsigned'
  if (keys.has(signer) || (key_id !== undefined && idOf(signer) === digitsOf(key_id))) return 'signed'
  return is_bare ? 'unverified' : 'foreign'
}

/** What an operator is told of a signature that does not count, and what they can do. */
export function signatureWords(state: Exclude<SignatureState, 'signed'>, signer: string | null) {
  const key = signer === null ? '' : inGroups(idOf(signer))
  if (state === 'unsigned')
    return 'sem assinatura: é de uma versão que não assinava, ou ela foi tirada. Se sabe que o backup é seu, repita com --sem-assinatura'
  if (state === 'foreign')
    return `de outra instalação: assinado pela chave ${key}, que não é desta. Se a conhece, repita com --chave e o número dela`
  return `assinatura não conferida: a chave ${key} não está nesta máquina. Informe BACKUP_PASSPHRASE, ponha o secrets.json de então em DATA_DIR, ou, se os seus dossiês mostram essa chave, repita com --chave e o número dela`
}

/** Throws AppError `rule` unless the signature is trusted, or is missing and the operator accepts that. */
export function refuseUntrusted(
  { contents: { id }, signer }: { contents: { id: string }; signer: string | null },
  trust: Trust,
  accept_unsigned = false,
) {
  const state = judgeSigner(signer, trust)
  if (state === 'signed' || (state === 'unsigned' && accept_unsigned)) return
  throw ruleViolation(`O backup ${id} não é aceito: ${signatureWords(state, signer)}.`)
}
