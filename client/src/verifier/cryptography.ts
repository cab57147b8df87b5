import type { SealedEntry } from '@garantia/shared/dossier/sealed-archive'
import type { Cryptography } from '@garantia/shared/dossier/verify'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** What stands before the 32 bytes of an Ed25519 key in DER (RFC 8410). */
const PREFIX = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]

/** In JavaScript, since browsers have WebCrypto only on pages that came by HTTPS or from a disk. */
export const cryptography: Cryptography = {
  sha256: (bytes) => bytesToHex(sha256(bytes)),
  isSigned(der, signature, bytes) {
    if (der.length !== PREFIX.length + 32 || PREFIX.some((byte, place) => der[place] !== byte)) return false
    try {
      return ed25519.verify(signature, bytes, der.subarray(PREFIX.length), { zip215: false })
    } catch {
      return false
    }
  },
  decodeBase64(text) {
    try {
      return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    } catch {
      return new Uint8Array()
    }
  },
  decodeText: (bytes) => new TextDecoder().decode(bytes),
}

/** Each such file is in memory as a whole. */
const WHOLE_BYTES = 128 * 1024 * 1024

/** WebCrypto's hash of at most `size` bytes that come in pieces; fails when there are more. */
function hashOfWhole(size: number) {
  const bytes = new Uint8Array(size)
  let length = 0
  return {
    update(piece: Uint8Array) {
      bytes.set(piece, length)
      length += piece.length
    },
    digest: async () => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.subarray(0, length))),
  }
}

/**
 * SHA-256 of a file, in hexadecimal; `onBytes` receives the length of each piece. By WebCrypto where the page has it
 * and the file is not large, since JavaScript takes ten times as long.
 */
export async function hashOf(
  { size, read }: Pick<SealedEntry, 'size' | 'read'>,
  onBytes: (length: number) => void,
) {
  const hash = isSecureContext && size <= WHOLE_BYTES ? hashOfWhole(size) : sha256.create()
  for await (const piece of read()) {
    hash.update(piece)
    onBytes(piece.length)
  }
  return bytesToHex(await hash.digest())
}
