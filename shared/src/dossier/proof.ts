import { z } from 'zod'
import { custody } from './custody.ts'

/** Names of what a dossier's ZIP contains besides files and reports. */
export const MANIFEST = 'manifesto.json'
/** 64 bytes: Ed25519 (RFC 8032) over the bytes of the manifest. */
export const SIGNATURE = 'manifesto.sig'
export const PUBLIC_KEY = 'chave-publica.pem'
export const SUMS = 'SHA256SUMS'
/** As the manifest's, so that `openssl` and `sha256sum` are enough to verify every file. */
export const SUMS_SIGNATURE = 'SHA256SUMS.sig'
/** Answer of a time-stamping authority (RFC 3161) over the manifest: it comes after the seal, so nothing lists it. */
export const STAMP = 'manifesto.json.tsr'
/** Everything of a dossier that its manifest does not list. */
export const SEAL_FILES = [MANIFEST, SIGNATURE, PUBLIC_KEY, SUMS, SUMS_SIGNATURE] as const
export type SealFile = (typeof SEAL_FILES)[number]
/** Page that verifies the dossier in a browser without a network. */
export const VERIFIER = 'verificar.html'

const KEY_ID_DIGITS = 32
/** The short name of a public key: the first 128 bits of the SHA-256 of its DER (SubjectPublicKeyInfo). */
export const keyIdFrom = (sha256_of_der: string) => sha256_of_der.slice(0, KEY_ID_DIGITS)

/** Hexadecimal digits in groups of four, as people compare them. */
export const inGroups = (digits: string) => digits.match(/.{1,4}/g)?.join(' ') ?? ''

const fingerprint = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[0-9a-f]{64}$/, 'Informe os 64 dígitos da impressão digital')

export const byFingerprint = z.object({ fingerprint })

/** A key by which dossiers of this house are or were signed. */
export const dossierKey = z.object({
  id: z.string(),
  algorithm: z.literal('Ed25519'),
  /** SubjectPublicKeyInfo, as `openssl` reads it. */
  public_key_pem: z.string(),
  /** New dossiers are signed by it; the others have signed earlier ones. */
  is_current: z.boolean(),
})
export type DossierKey = z.output<typeof dossierKey>
export const dossierKeyList = z.object({ data: z.array(dossierKey), count: z.number().int() })

/** What is said to anybody who has a fingerprint. */
export const confirmedDossier = z.object({
  /** What the fingerprint is of: the whole manifest, or its contents as printed in the report. */
  subject: z.enum(['manifest', 'contents']),
  sealed_at: z.string(),
  /** Null for dossiers sealed before they were signed. */
  key_id: z.string().nullable(),
})
export type ConfirmedDossier = z.output<typeof confirmedDossier>

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const listedFile = z.object({ name: z.string(), sha256: hash })

/** What verification reads of a manifest, of this format and of the one before, which was not signed. */
export const provenManifest = z.object({
  format: z.enum(['garantia-dossie/1', 'garantia-dossie/2']),
  version: z.number(),
  sealed_at: z.string(),
  sealed_by: z.string(),
  order: z.object({ os_number: z.string(), brand: z.string(), company: z.string() }),
  files: z.array(
    listedFile.extend({ original: z.object({ filename: z.string(), sha256: hash }), ...custody.shape }),
  ),
  reports: z.array(listedFile),
  event_chain: z.object({ seq: z.number(), hash }),
  contents_sha256: hash.optional(),
  signing_key: z.object({ id: z.string(), keys_at: z.string() }).optional(),
})
export type ProvenManifest = z.output<typeof provenManifest>
