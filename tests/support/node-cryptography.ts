import { createHash, createPublicKey, verify } from 'node:crypto'
import type { StampCryptography } from '@garantia/shared/dossier/timestamp'
import type { Cryptography } from '@garantia/shared/dossier/verify'

export const sha256Hex = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** Node's own, so that the rules are not tested with the libraries of the page only. */
export const nodeCryptography: Cryptography = {
  sha256: sha256Hex,
  isSigned(der, signature, bytes) {
    try {
      return verify(
        null,
        bytes,
        createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' }),
        signature,
      )
    } catch {
      return false
    }
  },
  decodeBase64: (text) => Buffer.from(text, 'base64'),
  decodeText: (bytes) => Buffer.from(bytes).toString('utf8'),
}

const nameOf = (hash: string) => hash.replace('-', '').toLowerCase()
export const nodeStampCryptography: StampCryptography = {
  digest: (hash, bytes) => createHash(nameOf(hash)).update(bytes).digest(),
  verify({ spki }, hash, signature, bytes) {
    try {
      const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
      return verify(nameOf(hash), bytes, key, signature)
    } catch {
      return false
    }
  },
  decodeBase64: (text) => Buffer.from(text, 'base64'),
}
