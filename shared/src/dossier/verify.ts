import { changesOf, type Finding, type HashedFile } from './file-changes.ts'
import {
  inGroups,
  keyIdFrom,
  MANIFEST,
  type ProvenManifest,
  PUBLIC_KEY,
  provenManifest,
  SEAL_FILES,
  type SealFile,
  SIGNATURE,
  SUMS,
  SUMS_SIGNATURE,
} from './proof.ts'

/** What is computed differently in a browser and in Node. */
export interface Cryptography {
  /** In hexadecimal. */
  sha256(bytes: Uint8Array): string
  /** Whether this Ed25519 key (DER) has signed these bytes; false for what is no key. */
  isSigned(der: Uint8Array, signature: Uint8Array, bytes: Uint8Array): boolean
  decodeBase64(text: string): Uint8Array
  /** From UTF-8. */
  decodeText(bytes: Uint8Array): string
}

/**
 * A dossier as read from its ZIP or folder, without its time-stamp, which is judged by itself (`verifyStamp`): every
 * file with its hash, the small ones with their bytes.
 */
export interface DossierContents {
  files: readonly HashedFile[]
  /** From a ZIP, whose files have an order. */
  isArchive: boolean
  bytesOf(name: SealFile): Uint8Array | null
}

/** `unknown`: there was no key of the house to compare with. */
export interface Signer {
  key_id: string
  trust: 'house' | 'stranger' | 'unknown'
}

/** Whether something was changed, and apart from that who has signed. */
export interface Verification {
  /**
   * `intact`: everything is as it was signed, by whomever. `unsigned`: as its manifest says, which nobody has signed.
   * `changed`: the findings say what is not.
   */
  integrity: 'intact' | 'unsigned' | 'changed'
  findings: Finding[]
  manifest: ProvenManifest | null
  manifest_sha256: string | null
  /** Who has signed the manifest; null when it bears no valid signature. */
  signer: Signer | null
}

const NO_MANIFEST: Finding = {
  kind: 'no_manifest',
  name: MANIFEST,
  text: 'Não há manifesto.json: isto não é um dossiê do Garantia, ou o manifesto foi retirado.',
}
const UNREADABLE: Finding = {
  kind: 'altered',
  name: MANIFEST,
  text: 'O manifesto.json foi alterado: já não pode ser lido como o manifesto de um dossiê.',
}

/**
 * Compares a dossier with its manifest and the manifest with its signature. `house_keys` are the public keys (PEM)
 * of the house that claims to have sealed it; none when they are not known.
 */
export function verifyDossier(
  { files, isArchive, bytesOf }: DossierContents,
  house_keys: readonly string[],
  cryptography: Cryptography,
): Verification {
  const bytes = bytesOf(MANIFEST)
  if (!bytes) return { ...NOTHING, findings: [NO_MANIFEST] }
  const manifest = readManifest(cryptography.decodeText(bytes))
  const manifest_sha256 = cryptography.sha256(bytes)
  const sums = readSums(bytesOf(SUMS), cryptography)
  const seal = judgeSeal({ files, isArchive, bytesOf }, { bytes, manifest, sums }, house_keys, cryptography)
  if (!manifest) {
    const isNamed = seal.findings.some(({ name }) => name === MANIFEST)
    const findings = isNamed ? seal.findings : [UNREADABLE, ...seal.findings]
    return { ...NOTHING, manifest_sha256, signer: seal.signer, findings }
  }
  const isSigned = manifest.format !== 'garantia-dossie/1'
  // Without a valid signature the manifest may be what was changed: then the sums say what was sealed.
  const sealed = isSigned && !seal.key && sums ? summedFiles(sums) : [...manifest.files, ...manifest.reports]
  const changes = changesOf(files, sealed, isSigned ? SEAL_FILES : UNSIGNED_FILES)
  const findings = isSigned ? [...seal.findings, ...changes] : changes
  if (!isSigned) findings.push(...judgeUnsignedSums(files, findings, sums))
  else if (seal.key && seal.findings.length === 0)
    findings.push(...judgeSums({ files, isArchive, bytesOf }, findings, sums, seal.key, cryptography))
  if (isArchive && findings.length === 0 && sums) findings.push(...judgeOrder(files, sums))
  const integrity = findings.length > 0 ? 'changed' : isSigned ? 'intact' : 'unsigned'
  return { integrity, findings, manifest, manifest_sha256, signer: isSigned ? seal.signer : null }
}

const NOTHING: Verification = {
  integrity: 'changed',
  findings: [],
  manifest: null,
  manifest_sha256: null,
  signer: null,
}
const UNSIGNED_FILES = [MANIFEST, SUMS]

function readManifest(text: string): ProvenManifest | null {
  try {
    return provenManifest.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** SHA-256 by name; a line of another form is kept under its whole text, so that it belongs to no file. */
function readSums(bytes: Uint8Array | null, { decodeText }: Cryptography) {
  if (!bytes) return null
  const lines = decodeText(bytes).split('\n')
  const end = lines.pop()
  const pairs = lines.map((line): [string, string] => {
    const [, sha256, name] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
    return sha256 && name ? [name, sha256] : [line, '']
  })
  return new Map(end === '' ? pairs : [...pairs, [end ?? '', '']])
}
type Sums = ReturnType<typeof readSums>

const isOfSeal = (name: string) => SEAL_FILES.some((one) => one === name)
const summedFiles = (sums: ReadonlyMap<string, string>): HashedFile[] =>
  [...sums].filter(([name]) => !isOfSeal(name)).map(([name, sha256]) => ({ name, sha256 }))

/** Names of files, about which nothing else is wrong, that SHA256SUMS does not list with this hash, and the reverse. */
function contradictions(
  files: readonly HashedFile[],
  findings: readonly Finding[],
  sums: Map<string, string>,
) {
  const known = new Set(findings.flatMap(({ name, now = name }) => [name, now]))
  const summed = new Map(
    files.filter(({ name }) => !NOT_SUMMED.includes(name)).map((one) => [one.name, one.sha256]),
  )
  const names = new Set([...summed.keys(), ...sums.keys()])
  return [...names].filter((name) => !known.has(name) && sums.get(name) !== summed.get(name))
}
const NOT_SUMMED: readonly string[] = [SUMS, SUMS_SIGNATURE]

/** The manifest is proved; what SHA256SUMS says otherwise of a file is judged by the signature of SHA256SUMS. */
function judgeSums(
  { files, bytesOf }: DossierContents,
  findings: readonly Finding[],
  sums: Sums,
  key: Uint8Array,
  { isSigned }: Cryptography,
): Finding[] {
  const [bytes, signature] = [bytesOf(SUMS), bytesOf(SUMS_SIGNATURE)]
  if (!sums || !bytes) return [missing(SUMS)]
  if (!signature) return [missing(SUMS_SIGNATURE)]
  const [name] = contradictions(files, findings, sums)
  const isProved = isSigned(key, signature, bytes)
  if (isProved) return name === undefined ? [] : [altered(name, 'os bytes não são os que foram selados')]
  if (name !== undefined) return [altered(SUMS, 'não diz o mesmo que o manifesto')]
  return [altered(SUMS_SIGNATURE, 'já não é a assinatura de SHA256SUMS, ou este foi alterado')]
}

function judgeUnsignedSums(
  files: readonly HashedFile[],
  findings: readonly Finding[],
  sums: Sums,
): Finding[] {
  if (!sums) return [missing(SUMS)]
  const names = contradictions(files, findings, sums)
  if (names.length === 0) return []
  if (names.length === 1 && names[0] === MANIFEST)
    return [altered(MANIFEST, 'não confere com SHA256SUMS, ou este foi alterado')]
  return [altered(SUMS, 'não diz o mesmo que o manifesto')]
}

/** In a ZIP everything is in the order of SHA256SUMS, which comes next, and then its signature. */
function judgeOrder(files: readonly HashedFile[], sums: ReadonlyMap<string, string>): Finding[] {
  const order = [...sums.keys(), SUMS, SUMS_SIGNATURE]
  const moved = files.find(({ name }, place) => name !== order[place])
  if (!moved) return []
  const text = `${moved.name} não está no lugar em que foi posto no ZIP: alguém o escreveu de novo.`
  return [{ kind: 'moved', name: moved.name, text }]
}

const altered = (name: string, how: string): Finding => ({
  kind: 'altered',
  name,
  text: `${name} foi alterado: ${how}.`,
})
const missing = (name: string): Finding => ({ kind: 'missing', name, text: `Falta ${name}.` })

interface Seal {
  /** The key (DER) that has signed the manifest. */
  key: Uint8Array | null
  signer: Signer | null
  findings: Finding[]
}

/** By whom the manifest is signed, and what is wrong with signature and keys. */
function judgeSeal(
  { files, bytesOf }: DossierContents,
  { bytes, manifest, sums }: { bytes: Uint8Array; manifest: ProvenManifest | null; sums: Sums },
  house_keys: readonly string[],
  cryptography: Cryptography,
): Seal {
  const [signature, pem] = [bytesOf(SIGNATURE), bytesOf(PUBLIC_KEY)]
  if (!signature) return { ...UNSIGNED, findings: [NO_SIGNATURE] }
  const enclosed = pem && readPem(cryptography.decodeText(pem), cryptography)
  const house = house_keys.flatMap((key) => readPem(key, cryptography) ?? [])
  const key = [...(enclosed ? [enclosed] : []), ...house].find((der) =>
    cryptography.isSigned(der, signature, bytes),
  )
  if (!key) return { ...UNSIGNED, findings: unsignedBy(files, sums) }
  const idOf = (der: Uint8Array) => keyIdFrom(cryptography.sha256(der))
  const key_id = idOf(key)
  const isHouse = house.some((der) => idOf(der) === key_id)
  const trust = isHouse ? 'house' : house.length === 0 ? 'unknown' : 'stranger'
  const findings: Finding[] = []
  if (!pem) findings.push(missing(PUBLIC_KEY))
  else if (key !== enclosed) findings.push(FOREIGN_PEM)
  const cited = manifest?.signing_key?.id
  if (manifest && cited !== key_id && trust !== 'stranger') findings.push(otherThanCited(key_id, cited))
  return { key, signer: { key_id, trust }, findings }
}

const UNSIGNED: Seal = { key: null, signer: null, findings: [] }
const PEM = /^-----BEGIN PUBLIC KEY-----\n([A-Za-z0-9+/=]+)\n-----END PUBLIC KEY-----\n$/
const readPem = (text: string, { decodeBase64 }: Cryptography) => {
  const [, base64] = PEM.exec(text) ?? []
  return base64 ? decodeBase64(base64) : null
}

const NO_SIGNATURE: Finding = {
  kind: 'missing',
  name: SIGNATURE,
  text: 'Falta manifesto.sig: sem a assinatura não se sabe quem selou este dossiê.',
}
const FOREIGN_PEM: Finding = {
  kind: 'altered',
  name: PUBLIC_KEY,
  text: 'chave-publica.pem foi alterado ou trocado: a assinatura é de outra chave, que é desta casa.',
}
const otherThanCited = (key_id: string, cited = 'nenhuma'): Finding => ({
  kind: 'altered',
  name: SIGNATURE,
  text: `O manifesto cita a chave ${inGroups(cited)}, mas foi assinado por outra: ${inGroups(key_id)}.`,
})

/** The manifest, its signature or the key was changed: SHA256SUMS says which, if it can be told. */
function unsignedBy(files: readonly HashedFile[], sums: Sums): Finding[] {
  const suspects = [MANIFEST, SIGNATURE, PUBLIC_KEY] as readonly string[]
  const changed = files.filter(({ name, sha256 }) => suspects.includes(name) && sums?.get(name) !== sha256)
  if (changed.length > 0)
    return changed.map(({ name }) => altered(name, 'a assinatura já não confere com o manifesto'))
  const text =
    'A assinatura não é a deste manifesto: manifesto.json, manifesto.sig ou chave-publica.pem foi alterado, e SHA256SUMS com ele.'
  return [{ kind: 'altered', name: MANIFEST, text }]
}
