import type { StampCryptography } from '@garantia/shared/dossier/timestamp'
import type { HashName } from '@garantia/shared/dossier/timestamp-token'
import { p256, p384, p521 } from '@noble/curves/nist.js'
import { sha1 } from '@noble/hashes/legacy.js'
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { PKCS1_SHA1, PKCS1_SHA256, PKCS1_SHA384, PKCS1_SHA512 } from 'micro-rsa-dsa-dh/rsa.js'
import { cryptography } from './cryptography.ts'

const HASHES = { 'SHA-1': sha1, 'SHA-256': sha256, 'SHA-384': sha384, 'SHA-512': sha512 }
const RSA = {
  'SHA-1': PKCS1_SHA1,
  'SHA-256': PKCS1_SHA256,
  'SHA-384': PKCS1_SHA384,
  'SHA-512': PKCS1_SHA512,
}
const CURVES = { 'P-256': p256, 'P-384': p384, 'P-521': p521 }

const digest = (hash: HashName, bytes: Uint8Array) => HASHES[hash](bytes)
const numberOf = (bytes: Uint8Array) =>
  BigInt(`0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`)

/** Like `cryptography`: in JavaScript, for pages that did not come by HTTPS. */
export const stampCryptography: StampCryptography = {
  digest,
  verify(key, hash, signature, bytes) {
    try {
      if (key.kind === 'ec')
        return CURVES[key.curve].verify(signature, digest(hash, bytes), key.point, {
          prehash: false,
          lowS: false,
          format: 'der',
        })
      const numbers = { n: numberOf(key.modulus), e: numberOf(key.exponent) }
      return RSA[hash].verify(numbers, bytes, signature)
    } catch {
      return false
    }
  },
  decodeBase64: cryptography.decodeBase64,
}
