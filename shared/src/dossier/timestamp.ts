import {
  type HashName,
  isSame,
  Refused,
  readPemCertificates,
  readToken,
  type StampCertificate,
  type StampKey,
  type StampToken,
  withoutZeros,
} from './timestamp-token.ts'

/** What is computed differently in a browser and in Node. */
export interface StampCryptography {
  digest(hash: HashName, bytes: Uint8Array): Uint8Array
  /** RSA as PKCS #1 v1.5, ECDSA in DER; false for what is no signature. */
  verify(key: StampKey, hash: HashName, signature: Uint8Array, bytes: Uint8Array): boolean
  decodeBase64(text: string): Uint8Array
}

/** A valid time-stamp: when, by whom, and whether this house has fixed that authority. */
export interface ValidStamp {
  is_valid: true
  at: string
  accuracy_seconds: number | null
  authority: string
  /** The certificate at the end of the chain; of the authority itself when nothing above it is enclosed. */
  root: string
  /** Null when no authority is fixed by configuration. */
  is_pinned: boolean | null
  /** Since when a certificate of the chain is out of date; the stamp, which is older, stays valid. */
  expired_at: string | null
}
export type StampFault =
  | 'unreadable'
  | 'refused'
  | 'unknown_algorithm'
  | 'altered'
  | 'wrong_certificate'
  | 'wrong_purpose'
  | 'broken_chain'
  | 'out_of_date'
  | 'other_subject'
  | 'other_nonce'
export interface InvalidStamp {
  is_valid: false
  fault: StampFault
  text: string
}
export type Stamp = ValidStamp | InvalidStamp

export interface StampExpectation {
  /** SHA-256 of what should be stamped. */
  sha256: Uint8Array
  /** What was sent with the request, when it is known. */
  nonce?: Uint8Array
  /** Roots that are fixed by configuration (PEM), each text with one or more. */
  roots: readonly string[]
  now: Date
}

/** How far the clocks of house and authority may differ. */
const CLOCK_TOLERANCE_SECONDS = 300
/** The stamp is asked for right after the seal; an authority may be silent for a while. */
export const STAMP_WITHIN_HOURS = 24

/**
 * A stamp's time beside that of the sealing, which the manifest has from the server's clock: `with` it when it is not
 * more than STAMP_WITHIN_HOURS later, nor earlier by more than what clocks may differ.
 */
export function timeBesideSeal(
  { at, accuracy_seconds }: Pick<ValidStamp, 'at' | 'accuracy_seconds'>,
  sealed_at: string,
): 'with' | 'before' | 'after' {
  const seconds = (Date.parse(at) - Date.parse(sealed_at)) / 1000
  if (seconds < -CLOCK_TOLERANCE_SECONDS - (accuracy_seconds ?? 0)) return 'before'
  return seconds <= STAMP_WITHIN_HOURS * 3600 ? 'with' : 'after'
}

const ID_TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
const TEXT: Record<StampFault, string> = {
  unreadable: 'O carimbo de tempo não pode ser lido: não é a resposta de uma autoridade, ou foi danificado.',
  refused: 'A autoridade recusou o carimbo de tempo.',
  unknown_algorithm:
    'O carimbo de tempo usa um algoritmo que não se sabe conferir aqui. Confira-o com OpenSSL, como diz o relatório.',
  altered: 'O carimbo de tempo foi alterado: a assinatura da autoridade não confere.',
  wrong_certificate: 'O carimbo de tempo não traz o certificado de quem o assinou.',
  wrong_purpose:
    'O carimbo de tempo foi assinado por um certificado que não serve para isso (falta o uso timeStamping): não vale.',
  broken_chain:
    'O certificado de quem carimbou não foi emitido por quem diz: a cadeia de certificados não confere.',
  out_of_date: 'O certificado de quem carimbou não valia no momento do carimbo.',
  other_subject: 'O carimbo de tempo é de outro manifesto, não deste.',
  other_nonce: 'O carimbo de tempo responde a outro pedido.',
}
const invalid = (fault: StampFault, text = TEXT[fault]): InvalidStamp => ({ is_valid: false, fault, text })

/**
 * Judges the answer of a time-stamping authority (RFC 3161) without asking anybody: signature, purpose of the
 * certificate, its chain up to what is enclosed or fixed, validity at the moment of the stamp, and what is stamped.
 * Whether the authority is to be trusted is not decided here.
 */
export function verifyStamp(
  answer: Uint8Array,
  expected: StampExpectation,
  cryptography: StampCryptography,
): Stamp {
  let token: StampToken
  try {
    token = readToken(answer)
  } catch (error) {
    return error instanceof Refused
      ? invalid('refused', `A autoridade recusou o carimbo de tempo: ${error.message}.`)
      : invalid('unreadable')
  }
  const pinned = expected.roots.flatMap((pem) => readPemCertificates(pem, cryptography.decodeBase64))
  const signer = token.certificates.find((one) => token.isOfSigner(one))
  if (!signer) return invalid('wrong_certificate')
  const fault = signatureFault(token, signer, cryptography) ?? purposeFault(signer)
  if (fault) return invalid(fault)
  const chain = chainOf(signer, [...token.certificates, ...pinned], cryptography)
  if (typeof chain === 'string') return invalid(chain)
  const { at, imprint, nonce } = token
  if (chain.some(({ from, until }) => at < from || at > until)) return invalid('out_of_date')
  if (imprint.hash !== 'SHA-256' || !isSame(imprint.value, expected.sha256)) return invalid('other_subject')
  if (expected.nonce && !(nonce && isSameNumber(nonce, expected.nonce))) return invalid('other_nonce')
  const until = Math.min(...chain.map(({ until }) => until.getTime()))
  const root = chain.at(-1) ?? signer
  return {
    is_valid: true,
    at: at.toISOString(),
    accuracy_seconds: token.accuracy_seconds,
    authority: signer.name,
    root: root.name,
    is_pinned:
      pinned.length === 0 ? null : chain.some(({ der }) => pinned.some((one) => isSame(one.der, der))),
    expired_at: until < expected.now.getTime() ? new Date(until).toISOString() : null,
  }
}

/** RFC 5652, section 5.6, and RFC 3161, section 2.4.2: the certificate is the one that the signature names. */
function signatureFault(
  token: StampToken,
  signer: StampCertificate,
  { digest, verify }: StampCryptography,
): StampFault | null {
  const { certificate_hash, message_digest } = token
  if (!token.hash || !token.digest || !signer.key) return 'unknown_algorithm'
  if (!message_digest || !isSame(message_digest, digest(token.digest, token.content))) return 'altered'
  if (!verify(signer.key, token.hash, token.signature, token.signed)) return 'altered'
  if (!certificate_hash?.hash) return 'wrong_certificate'
  const isNamed = isSame(certificate_hash.value, digest(certificate_hash.hash, signer.der))
  return isNamed ? null : 'wrong_certificate'
}

/** RFC 3161, section 2.3: for stamping only, and no reader may overlook it. */
function purposeFault({ usages }: StampCertificate): StampFault | null {
  const isForStamping = usages?.is_critical && usages.ids.length === 1 && usages.ids[0] === ID_TIME_STAMPING
  return isForStamping ? null : 'wrong_purpose'
}

/** From the signer up to the last certificate that is known, each signed by the next. */
function chainOf(
  signer: StampCertificate,
  known: readonly StampCertificate[],
  { verify }: StampCryptography,
): StampCertificate[] | StampFault {
  const chain = [signer]
  for (let below = signer; chain.length <= known.length; ) {
    const { hash, signature, signed, issuer } = below
    const named = known.filter((one) => one.is_authority && isSame(one.subject, issuer))
    if (named.length === 0) return chain
    if (!hash || named.every(({ key }) => key === null)) return 'unknown_algorithm'
    const above = named.find(({ key }) => key && verify(key, hash, signature, signed))
    if (!above) return 'broken_chain'
    if (chain.some(({ der }) => isSame(der, above.der))) return chain
    chain.push(above)
    below = above
  }
  return chain
}

const isSameNumber = (one: Uint8Array, other: Uint8Array) => isSame(withoutZeros(one), withoutZeros(other))
