import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** DER of a private key up to its 32 bytes (RFC 8410, section 7). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
/** DER of a public key up to its 32 bytes (RFC 8410, section 4). */
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

const privateKey = (key: string) =>
  createPrivateKey({
    key: Buffer.concat([PRIVATE_PREFIX, Buffer.from(key, 'hex')]),
    format: 'der',
    type: 'pkcs8',
  })

const derOf = (key: KeyObject) => key.export({ format: 'der', type: 'spki' })

/** The public half of an Ed25519 key, both 32 bytes in hexadecimal. */
export const publicKeyOf = (key: string) =>
  derOf(createPublicKey(privateKey(key)))
    .subarray(PUBLIC_PREFIX.length)
    .toString('hex')

const publicKeyDer = (public_key: string) => Buffer.concat([PUBLIC_PREFIX, Buffer.from(public_key, 'hex')])

/** A public key of 32 bytes in hexadecimal as PEM (SubjectPublicKeyInfo), with a newline at its end. */
export const publicKeyPem = (public_key: string) =>
  `-----BEGIN PUBLIC KEY-----\n${publicKeyDer(public_key).toString('base64')}\n-----END PUBLIC KEY-----\n`

/** SHA-256 of a public key as DER (SubjectPublicKeyInfo), in hexadecimal. */
export const publicKeyHash = (public_key: string) =>
  createHash('sha256').update(publicKeyDer(public_key)).digest('hex')

/** An Ed25519 signature (64 bytes) over exactly these bytes; `key` is the private one, in hexadecimal. */
export const signBytes = (key: string, bytes: Uint8Array) => sign(null, bytes, privateKey(key))

/** Whether the private half of this public key (in hexadecimal) has signed exactly these bytes. */
export const isSignedBy = (public_key: string, signature: Uint8Array, bytes: Uint8Array) =>
  verify(
    null,
    bytes,
    createPublicKey({ key: publicKeyDer(public_key), format: 'der', type: 'spki' }),
    signature,
  )
