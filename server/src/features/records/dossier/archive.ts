import {
  MANIFEST,
  PUBLIC_KEY,
  SIGNATURE,
  SUMS,
  SUMS_SIGNATURE,
  VERIFIER,
} from '@garantia/shared/dossier/proof'
import type { DossierPart } from '@garantia/shared/dossier/schema'
import { packageLimit } from '@garantia/shared/evidence/budget'
import type { ToolVersions } from '@garantia/shared/tools'
import type { Ctx } from '../../../kernel/context.ts'
import { publicKeyOf, publicKeyPem, signBytes } from '../../../kernel/ed25519.ts'
import { readRecorded } from '../../../kernel/storage/read-recorded.ts'
import { type ArchiveEntry, describeReadError, sha256Of, sumsOf } from '../../evidence/package/service.ts'
import type { DossierBuild } from './build-dossier.ts'
import { idOfKey, KEYS_PATH } from './keys.ts'
import { canonicalText, completeManifest, contentsOf, type ManifestContents } from './manifest.ts'
import { verifierPage } from './verifier.ts'

/** A generated file of the dossier, as stored. */
export interface MadePart {
  part: DossierPart
  name: string
  key: string
  size: number
  sha256: string
  crc32: number
}

/** What the reports quote of the manifest, which contains their hashes and is completed after them. */
export interface Preparation {
  sealed_at: Date
  contents: ManifestContents
  contents_sha256: string
  key_id: string
  /** Address at which the house confirms the contents; null where that is switched off. */
  confirmation_url: string | null
  /** Whether an authority will be asked for a time-stamp. */
  awaits_stamp: boolean
}

/** The contents of the manifest, their fingerprint, and the key that will sign them. */
export function prepareContents(
  { config }: Ctx,
  build: DossierBuild,
  sealed_at: Date,
  tools: ToolVersions,
): Preparation {
  const key_id = idOfKey(publicKeyOf(config.DOSSIER_KEY))
  const contents = contentsOf({
    ...build,
    sealed_at,
    tools,
    package_limit_bytes: packageLimit(build.brand.max_file_size_mb),
    signing_key: { id: key_id, keys_at: `${config.app_url}${KEYS_PATH}` },
  })
  const contents_sha256 = sha256Of(canonicalText(contents))
  return {
    ...{ sealed_at, contents, contents_sha256, key_id },
    awaits_stamp: config.TSA_URL !== undefined,
    confirmation_url: config.PUBLIC_VERIFICATION ? `${config.app_url}/verificar/${contents_sha256}` : null,
  }
}

/** The signed manifest, and everything that the ZIP contains. */
export interface Archive {
  sealed_at: Date
  manifest: string
  manifest_sha256: string
  contents_sha256: string
  key_id: string
  /** In hexadecimal. */
  signature: string
  entries: ArchiveEntry[]
}

/** Media, reports and the page that verifies them; then the manifest, its signature, the key and SHA256SUMS. */
export async function archiveOf(
  ctx: Ctx,
  build: DossierBuild,
  made: readonly MadePart[],
  { sealed_at, contents, contents_sha256, key_id }: Preparation,
): Promise<Archive> {
  const { DOSSIER_KEY } = ctx.config
  const page = await verifierPage(ctx)
  const reports = page ? [...made, generated(VERIFIER, page)] : made
  const manifest = completeManifest(
    contents,
    contents_sha256,
    reports.map(({ name, size, sha256 }) => ({ name, size, sha256 })),
  )
  const signature = signBytes(DOSSIER_KEY, Buffer.from(manifest))
  const seal = [
    generated(MANIFEST, manifest),
    generated(SIGNATURE, signature),
    generated(PUBLIC_KEY, publicKeyPem(publicKeyOf(DOSSIER_KEY))),
  ]
  const sums = generated(SUMS, sumsOf([...build.files, ...reports, ...seal]))
  const stored = [...build.files, ...made.map((report) => ({ ...report, at: sealed_at }))]
  const texts = [
    ...(page ? [generated(VERIFIER, page)] : []),
    ...seal,
    sums,
    generated(SUMS_SIGNATURE, signBytes(DOSSIER_KEY, sums.bytes)),
  ]
  return {
    ...{ sealed_at, manifest, contents_sha256, key_id },
    manifest_sha256: sha256Of(manifest),
    signature: signature.toString('hex'),
    entries: [
      ...stored.map((file) => ({ ...file, read: () => readStored(ctx, build, file) })),
      ...texts.map(({ name, bytes }) => ({ name, at: sealed_at, read: () => once(bytes) })),
    ],
  }
}

function generated(name: string, content: string | Buffer) {
  const bytes = Buffer.from(content)
  return { name, bytes, size: bytes.length, sha256: sha256Of(bytes) }
}

async function* readStored(ctx: Ctx, { files }: DossierBuild, file: Parameters<typeof readRecorded>[1]) {
  try {
    yield* readRecorded(ctx.storage, file)
  } catch (error) {
    throw describeReadError(error, files)
  }
}

async function* once(bytes: Buffer) {
  yield bytes
}
