import { Attribute, ContentInfo, SignedData, type SignerInfo } from '@peculiar/asn1-cms'
import { RSAPublicKey } from '@peculiar/asn1-rsa'
import {
  AsnArray,
  AsnConvert,
  AsnParser,
  AsnProp,
  AsnPropTypes,
  AsnType,
  AsnTypeTypes,
  OctetString,
} from '@peculiar/asn1-schema'
import { MessageImprint, PKIStatus, TimeStampReq, TimeStampResp, TSTInfo } from '@peculiar/asn1-tsp'
import {
  AlgorithmIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  type Name,
  SubjectKeyIdentifier,
} from '@peculiar/asn1-x509'

/** Hash algorithms by their object identifiers. */
const HASHES = {
  '1.3.14.3.2.26': 'SHA-1',
  '2.16.840.1.101.3.4.2.1': 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512',
} as const
export type HashName = (typeof HASHES)[keyof typeof HASHES]
const SHA_256 = '2.16.840.1.101.3.4.2.1'
const hashOf = (oid: string): HashName | null => (HASHES as Record<string, HashName>)[oid] ?? null

/** Hash of a signature algorithm; those of RSA are PKCS #1 v1.5. */
const SIGNATURES: Record<string, HashName> = {
  '1.2.840.113549.1.1.5': 'SHA-1',
  '1.2.840.113549.1.1.11': 'SHA-256',
  '1.2.840.113549.1.1.12': 'SHA-384',
  '1.2.840.113549.1.1.13': 'SHA-512',
  '1.2.840.10045.4.3.2': 'SHA-256',
  '1.2.840.10045.4.3.3': 'SHA-384',
  '1.2.840.10045.4.3.4': 'SHA-512',
}
/** Says only that the key is of RSA: the hash is the one of the digest. */
const RSA = '1.2.840.113549.1.1.1'
const EC = '1.2.840.10045.2.1'
type Curve = 'P-256' | 'P-384' | 'P-521'
/** By the DER of their object identifiers. */
const CURVES: Record<string, Curve> = {
  '06082a8648ce3d030107': 'P-256',
  '06052b81040022': 'P-384',
  '06052b81040023': 'P-521',
}

/** A public key, as DER and as its numbers. */
export type StampKey = { spki: Uint8Array } & (
  | { kind: 'rsa'; modulus: Uint8Array; exponent: Uint8Array }
  | { kind: 'ec'; curve: Curve; point: Uint8Array }
)

/** A certificate with what decides whether it may stamp, or sign another. */
export interface StampCertificate {
  der: Uint8Array
  signed: Uint8Array
  signature: Uint8Array
  /** Null when the algorithm is not known here. */
  hash: HashName | null
  key: StampKey | null
  subject: Uint8Array
  issuer: Uint8Array
  serial: Uint8Array
  key_id: Uint8Array | null
  name: string
  from: Date
  until: Date
  is_authority: boolean
  /** Extended key usages, and whether a reader that does not know them must refuse. */
  usages: { ids: readonly string[]; is_critical: boolean } | null
}

/** What a token says (RFC 3161) and by what it is signed (RFC 5652). */
export interface StampToken {
  content: Uint8Array
  at: Date
  accuracy_seconds: number | null
  imprint: { hash: HashName | null; value: Uint8Array }
  nonce: Uint8Array | null
  signed: Uint8Array
  signature: Uint8Array
  hash: HashName | null
  digest: HashName | null
  /** Attributes of the signature: hash of the content, and of the certificate. */
  message_digest: Uint8Array | null
  certificate_hash: { hash: HashName | null; value: Uint8Array } | null
  isOfSigner(certificate: StampCertificate): boolean
  certificates: StampCertificate[]
}

const bytesOf = (buffer: ArrayBuffer) => new Uint8Array(buffer)
export const isSame = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, place) => byte === other[place])

/** A certificate in DER; throws when it is none. */
export function readCertificate(der: Uint8Array): StampCertificate {
  return certificateFrom(AsnParser.parse(der, Certificate))
}

/** The certificates of a PEM file. */
export const readPemCertificates = (pem: string, decodeBase64: (text: string) => Uint8Array) =>
  [...pem.matchAll(/-----BEGIN CERTIFICATE-----([\sA-Za-z0-9+/=]+)-----END CERTIFICATE-----/g)].map(
    ([, base64 = '']) => readCertificate(decodeBase64(base64.replace(/\s/g, ''))),
  )

function certificateFrom(certificate: Certificate): StampCertificate {
  const { tbsCertificate: about, tbsCertificateRaw, signatureAlgorithm, signatureValue } = certificate
  const extension = (id: string) => about.extensions?.find(({ extnID }) => extnID === id)
  const [usages, constraints, key_id] = ['2.5.29.37', '2.5.29.19', '2.5.29.14'].map(extension)
  return {
    der: bytesOf(AsnConvert.serialize(certificate)),
    signed: bytesOf(tbsCertificateRaw ?? AsnConvert.serialize(about)),
    signature: bytesOf(signatureValue),
    hash: SIGNATURES[signatureAlgorithm.algorithm] ?? null,
    key: keyOf(about),
    subject: bytesOf(AsnConvert.serialize(about.subject)),
    issuer: bytesOf(AsnConvert.serialize(about.issuer)),
    serial: bytesOf(about.serialNumber),
    key_id: key_id ? bytesOf(AsnParser.parse(key_id.extnValue, SubjectKeyIdentifier).buffer) : null,
    name: nameOf(about.subject),
    from: about.validity.notBefore.getTime(),
    until: about.validity.notAfter.getTime(),
    is_authority: constraints ? AsnParser.parse(constraints.extnValue, BasicConstraints).cA === true : false,
    usages: usages
      ? { ids: [...AsnParser.parse(usages.extnValue, ExtendedKeyUsage)], is_critical: usages.critical }
      : null,
  }
}

function keyOf({ subjectPublicKeyInfo }: Certificate['tbsCertificate']): StampKey | null {
  const { algorithm, subjectPublicKey } = subjectPublicKeyInfo
  const spki = bytesOf(AsnConvert.serialize(subjectPublicKeyInfo))
  if (algorithm.algorithm === RSA) {
    const { modulus, publicExponent } = AsnParser.parse(subjectPublicKey, RSAPublicKey)
    return { kind: 'rsa', spki, modulus: bytesOf(modulus), exponent: bytesOf(publicExponent) }
  }
  const curve = algorithm.algorithm === EC ? curveOf(algorithm.parameters) : undefined
  return curve ? { kind: 'ec', spki, curve, point: bytesOf(subjectPublicKey) } : null
}

const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const curveOf = (parameters: ArrayBuffer | null | undefined): Curve | undefined =>
  CURVES[hexOf(bytesOf(parameters ?? new ArrayBuffer(0)))]

/** The common name; the organisation where there is none. */
function nameOf(name: Name): string {
  const parts = name.flatMap((one) => [...one])
  const part = (id: string) => parts.find(({ type }) => type === id)?.value.toString()
  return part('2.5.4.3') ?? part('2.5.4.10') ?? 'sem nome'
}

const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12'
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47'

/** RFC 5652: the signature is over the attributes as a set, not as they are tagged in the token. */
class AttributeSet extends AsnArray<Attribute> {}
AsnType({ type: AsnTypeTypes.Set, itemType: Attribute })(AttributeSet)

/** ESSCertID and ESSCertIDv2 (RFC 5035): which certificate belongs to the signature. */
class CertificateReference {
  hashAlgorithm?: AlgorithmIdentifier
  certHash = new OctetString()
  issuerSerial?: ArrayBuffer
}
AsnProp({ type: AlgorithmIdentifier, optional: true })(CertificateReference.prototype, 'hashAlgorithm')
AsnProp({ type: OctetString })(CertificateReference.prototype, 'certHash')
AsnProp({ type: AsnPropTypes.Any, optional: true })(CertificateReference.prototype, 'issuerSerial')
class SigningCertificate {
  certs: CertificateReference[] = []
  policies?: ArrayBuffer
}
AsnProp({ type: CertificateReference, repeated: 'sequence' })(SigningCertificate.prototype, 'certs')
AsnProp({ type: AsnPropTypes.Any, optional: true })(SigningCertificate.prototype, 'policies')

/** What an authority says instead of a token. */
export class Refused extends Error {}

/**
 * The token in the answer of an authority. Throws Refused when the authority has given none, another error for what
 * is no answer.
 */
export function readToken(answer: Uint8Array): StampToken {
  const { status, timeStampToken } = AsnParser.parse(answer, TimeStampResp)
  if (status.status !== PKIStatus.granted && status.status !== PKIStatus.grantedWithMods)
    throw new Refused([...(status.statusString ?? [])].join(' ') || `estado ${status.status}`)
  if (!timeStampToken) throw new Error('no token')
  const { encapContentInfo, signerInfos, certificates } = AsnParser.parse(
    AsnParser.parse(AsnConvert.serialize(timeStampToken), ContentInfo).content,
    SignedData,
  )
  const [signer] = signerInfos
  const content = encapContentInfo.eContent?.single?.buffer
  if (!content || !signer || signerInfos.length !== 1) throw new Error('not one signature of one content')
  return { ...toldBy(content), ...signedBy(signer), certificates: certificatesOf(certificates) }
}

const certificatesOf = (set: SignedData['certificates']) =>
  [...(set ?? [])].flatMap(({ certificate }) => (certificate ? [certificateFrom(certificate)] : []))

function toldBy(content: ArrayBuffer) {
  const { genTime, accuracy, messageImprint, nonce } = AsnParser.parse(content, TSTInfo)
  const { seconds = 0, millis = 0, micros = 0 } = accuracy ?? {}
  return {
    content: bytesOf(content),
    at: genTime,
    accuracy_seconds: accuracy ? seconds + millis / 1e3 + micros / 1e6 : null,
    imprint: {
      hash: hashOf(messageImprint.hashAlgorithm.algorithm),
      value: bytesOf(messageImprint.hashedMessage.buffer),
    },
    nonce: nonce ? bytesOf(nonce) : null,
  }
}

function signedBy({ sid, signedAttrs = [], signature, signatureAlgorithm, digestAlgorithm }: SignerInfo) {
  const attribute = (id: string) => signedAttrs.find(({ attrType }) => attrType === id)?.attrValues[0]
  const digest = hashOf(digestAlgorithm.algorithm)
  const message_digest = attribute(MESSAGE_DIGEST)
  const { algorithm } = signatureAlgorithm
  return {
    signed: bytesOf(AsnConvert.serialize(new AttributeSet(signedAttrs))),
    signature: bytesOf(signature.buffer),
    digest,
    hash: algorithm === RSA ? digest : (SIGNATURES[algorithm] ?? null),
    message_digest: message_digest ? bytesOf(AsnParser.parse(message_digest, OctetString).buffer) : null,
    certificate_hash: referenceOf(attribute(SIGNING_CERTIFICATE_V2), attribute(SIGNING_CERTIFICATE)),
    isOfSigner({ issuer, serial, key_id }: StampCertificate) {
      const { issuerAndSerialNumber: named, subjectKeyIdentifier } = sid
      if (named)
        return (
          isSame(bytesOf(AsnConvert.serialize(named.issuer)), issuer) &&
          isSame(bytesOf(named.serialNumber), serial)
        )
      return subjectKeyIdentifier !== undefined && key_id !== null
        ? isSame(bytesOf(subjectKeyIdentifier.buffer), key_id)
        : false
    },
  }
}

function referenceOf(newer: ArrayBuffer | undefined, older: ArrayBuffer | undefined) {
  const attribute = newer ?? older
  const [first] = attribute ? AsnParser.parse(attribute, SigningCertificate).certs : []
  if (!first) return null
  const oid = first.hashAlgorithm?.algorithm
  const hash = oid === undefined ? (newer ? 'SHA-256' : 'SHA-1') : hashOf(oid)
  return { hash, value: bytesOf(first.certHash.buffer) } as const
}

/** As few bytes as DER allows: one zero before a first bit that would make it negative, and none elsewhere. */
function positive(bytes: Uint8Array): ArrayBuffer {
  const digits = withoutZeros(bytes)
  return Uint8Array.from((digits[0] ?? 0) < 0x80 ? digits : [0, ...digits]).buffer
}
/** Integers in DER may begin with a zero that only says that they are positive. */
export const withoutZeros = (bytes: Uint8Array) => bytes.subarray(bytes.findIndex((byte) => byte !== 0))

/**
 * What is sent to an authority (RFC 3161): the SHA-256 that it shall stamp, a number that its answer must repeat, and
 * that it shall enclose its certificates.
 */
export function stampRequest(sha256: Uint8Array, nonce: Uint8Array): Uint8Array {
  const hashAlgorithm = new AlgorithmIdentifier({ algorithm: SHA_256, parameters: null })
  const hashedMessage = new OctetString(sha256)
  const request = new TimeStampReq({
    messageImprint: new MessageImprint({ hashAlgorithm, hashedMessage }),
    nonce: positive(nonce),
    certReq: true,
  })
  return bytesOf(AsnConvert.serialize(request))
}
