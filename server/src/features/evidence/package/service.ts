import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { conflict } from '@garantia/shared/errors'
import { EXPIRED_FILE } from '@garantia/shared/retention/rules'
import type { Ctx } from '../../../kernel/context.ts'
import { ChangedObject, readRecorded } from '../../../kernel/storage/read-recorded.ts'
import type { ByteRange } from '../../../kernel/storage/storage.ts'
import { startLayout } from '../../../kernel/zip.ts'
import { readZip } from '../../../kernel/zip-read.ts'
import { readOrder } from '../../orders/order/service.ts'
import { type EvidenceRow, type PackageRow, pagesOf } from '../files/service.ts'

/** What a ZIP needs to know about a stored file. */
interface ZippedFile {
  key: string
  name: string
  size: number
  crc32: number
  at: Date
}
export interface PackagedFile<Row extends PackageRow = EvidenceRow> extends ZippedFile {
  sha256: string
  row: Row
}
/** A generated text file of the package. */
interface GeneratedFile {
  name: string
  chunks: readonly Buffer[]
}

/**
 * The package of an order as a ZIP of known length, with entity tag and ranges: the converted files under
 * their final names (or the originals), a manifest that refers each to its original, and SHA256SUMS for
 * `sha256sum -c`. Everything is checked before the first byte is sent, since a started stream can only break
 * off. 404 outside the caller's scope; 409 without files, or when files have expired or are missing.
 */
export async function openPackage(ctx: Ctx, order_id: number, originals = false) {
  const layout = startLayout()
  const { generated, at } = await gather(ctx, order_id, originals, (files) => addFiles(layout, files))
  addGeneratedFiles(layout, at, generated)
  const zip = layout.end()
  ctx.securityLog.note(ctx, {
    kind: originals ? 'originals.downloaded' : 'package.downloaded',
    order_id,
  })
  return {
    filename: `os_${order_id}_${originals ? 'originais' : 'evidencias'}.zip`,
    mime: 'application/zip',
    size: zip.size,
    etag: zip.etag,
    read: async (range?: ByteRange) => readZip(ctx.storage, zip, range),
  }
}

/** An entry of a ZIP that a job writes: a stored file or a generated text. */
export interface ArchiveEntry {
  name: string
  at: Date
  /** Its bytes; fails with 409 when a stored file has changed. */
  read: () => AsyncIterable<Buffer>
}

/**
 * The entries of an order's package with their sizes in bytes, the same as those of `openPackage`, for a job
 * that writes the packages of several orders. Throws as `openPackage`; no download is noted.
 */
export async function packageEntries(ctx: Ctx, order_id: number) {
  const entries: (ArchiveEntry & { size: number })[] = []
  const { generated, at } = await gather(ctx, order_id, false, (files) => {
    for (const file of files) entries.push({ ...file, read: () => readPackaged(ctx, file) })
  })
  for (const { name, chunks } of generated)
    entries.push({ name, at, size: lengthOf(chunks), read: () => Readable.from(chunks) })
  return entries
}

async function* readPackaged(ctx: Ctx, file: PackagedFile<PackageRow>) {
  try {
    yield* readRecorded(ctx.storage, file)
  } catch (error) {
    throw describeReadError(error, [file])
  }
}

/** Hands over the files of a package page by page; returns its generated files and the time of its newest file. */
async function gather(
  ctx: Ctx,
  order_id: number,
  originals: boolean,
  addPage: (files: readonly PackagedFile<PackageRow>[]) => void,
) {
  const order = await readOrder(ctx, order_id)
  const members: Buffer[] = []
  const sums: Buffer[] = []
  const lost: string[] = []
  let at = new Date(0)
  for await (const files of filesOf(ctx, order_id, originals)) {
    for (const { name } of await lostOf(ctx, files)) lost.push(name)
    addPage(files)
    members.push(Buffer.from(`${members.length > 0 ? ',' : ''}\n${membersOf(files)}`))
    sums.push(Buffer.from(sumsOf(files)))
    at = newest(files, at)
  }
  if (members.length === 0) throw conflict(originals ? NO_FILES : NO_COPIES)
  if (lost.length > 0) throw namingLost(lost, originals ? 'Envie-o' : 'Converta-o')
  const manifest = manifestOf(order, members, at)
  sums.push(Buffer.from(sumsOf([{ sha256: sha256Of(...manifest), name: 'manifesto.json' }])))
  const generated: GeneratedFile[] = [
    { name: 'manifesto.json', chunks: manifest },
    { name: 'SHA256SUMS', chunks: sums },
  ]
  return { generated, at }
}

/** Rows processed at a time. */
const PAGE = 500
async function* filesOf(ctx: Ctx, order_id: number, originals: boolean) {
  const taken: TakenNames = new Map()
  for await (const rows of pagesOf(ctx, order_id, PAGE)) {
    refuseExpired(rows)
    const files = originals ? asSent(rows, taken) : rows.flatMap(packaged)
    if (files.length > 0) yield files
  }
}

const NO_COPIES = 'Nenhum arquivo convertido para baixar.'
const NO_FILES = 'Nenhuma evidência enviada.'

/** 409 when retention has deleted the bytes. */
function refuseExpired(rows: readonly PackageRow[]) {
  if (rows.some((row) => row.purged_at)) throw conflict(EXPIRED_FILE)
}

/** The converted files among these rows; 409 when retention has deleted their bytes. */
export function packagedFiles(rows: readonly EvidenceRow[]): PackagedFile[] {
  refuseExpired(rows)
  return rows.flatMap(packaged)
}

async function lostOf<File extends ZippedFile>(ctx: Ctx, files: readonly File[]) {
  const found = await Promise.all(files.map((file) => ctx.storage.size(file.key)))
  return files.filter((file, index) => found[index] !== file.size)
}
/** 409, naming the files, when files are missing in the storage or have another size. */
export async function refuseLost(ctx: Ctx, files: readonly PackagedFile[]) {
  const lost = await lostOf(ctx, files)
  if (lost.length > 0) throw namingLost(lost.map((file) => file.name))
}
const namingLost = (names: readonly string[], remedy = 'Converta-o') =>
  conflict(`Arquivo ausente ou alterado no armazenamento: ${names.join(', ')}. ${remedy} de novo.`)

/**
 * The error of reading a package: a 409 that names the file when its stored bytes have changed, else the
 * error itself.
 */
export function describeReadError(error: unknown, files: readonly ZippedFile[]) {
  const lost = error instanceof ChangedObject && files.find(({ key }) => key === error.key)
  return lost ? namingLost([lost.name]) : error
}

/** Checksum lines in the format of `sha256sum -c`. */
export const sumsOf = (files: readonly { sha256: string; name: string }[]) =>
  files.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('')

/** SHA-256 of the concatenated chunks, in hexadecimal. */
export function sha256Of(...chunks: (string | Buffer)[]) {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

function packaged<Row extends PackageRow>(row: Row): PackagedFile<Row>[] {
  const {
    status,
    converted_key: key,
    converted_filename: name,
    converted_size: size,
    converted_sha256: sha256,
    converted_crc32: crc32,
  } = row
  if (status !== 'converted' || !key || !name || !size || !sha256 || crc32 === null) return []
  return [{ key, name, size, sha256, crc32, at: row.finished_at ?? row.uploaded_at, row }]
}

/** Names in lower case, each with the number to try next for the next file of this name. */
type TakenNames = Map<string, number>
/** Originals under the names their uploaders gave them; repeated names are numbered. */
const asSent = (rows: PackageRow[], taken: TakenNames): PackagedFile<PackageRow>[] =>
  rows.map((row) => {
    const name = freeName(row.original_filename, taken)
    const { original_key: key, file_size: size, sha256, uploaded_at: at } = row
    return { key, name, size, sha256, crc32: row.crc32, at, row }
  })
function freeName(filename: string, taken: TakenNames) {
  const dot = filename.lastIndexOf('.')
  const [stem, ext] = dot > 0 ? [filename.slice(0, dot), filename.slice(dot)] : [filename, '']
  for (let n = taken.get(filename.toLowerCase()) ?? 1; ; n++) {
    const name = n === 1 ? filename : `${stem} (${n})${ext}`
    // Reserved for the generated files.
    if (taken.has(name.toLowerCase()) || GENERATED_FILENAMES.includes(name.toLowerCase())) continue
    taken.set(name.toLowerCase(), 2)
    taken.set(filename.toLowerCase(), n + 1)
    return name
  }
}
const GENERATED_FILENAMES = ['manifesto.json', 'sha256sums']

/** The timestamp is that of the newest file, so that an unchanged package is byte-identical. */
function manifestOf(order: Awaited<ReturnType<typeof readOrder>>, members: readonly Buffer[], at: Date) {
  const about = {
    updated_at: at.toISOString(),
    order: {
      id: order.id,
      os_number: order.os_number,
      brand: order.brand.display_name,
      company: order.company.trading_name,
      vehicle_chassis: order.vehicle_chassis,
      vehicle_plate: order.vehicle_plate,
      opened_at: order.opened_at,
    },
    files: [],
  }
  return [Buffer.from(asText(about).slice(0, -']\n}'.length)), ...members, Buffer.from('\n  ]\n}\n')]
}
/** The entries of the manifest's file list, without its brackets. */
const membersOf = (files: readonly PackagedFile<PackageRow>[]) =>
  asText({ files: files.map(manifestFile) }).slice('{\n  "files": [\n'.length, -'\n  ]\n}'.length)
const asText = (value: object) => JSON.stringify(value, null, 2)

/** The manifest entry of a file, in a package and in a dossier. */
export const manifestFile = ({ name, size, sha256, row }: PackagedFile<PackageRow>) => ({
  name,
  size,
  sha256,
  file_type: row.file_type,
  category: row.evidence_category,
  description: row.description,
  captured_at: row.captured_at?.toISOString() ?? null,
  uploaded_at: row.uploaded_at.toISOString(),
  original: { filename: row.original_filename, size: row.file_size, sha256: row.sha256 },
})

const newest = (files: readonly ZippedFile[], least = new Date(0)) =>
  new Date(files.reduce((latest, { at }) => Math.max(latest, at.getTime()), least.getTime()))

const lengthOf = (chunks: readonly Buffer[]) => chunks.reduce((sum, { length }) => sum + length, 0)

type Layout = ReturnType<typeof startLayout>
function addFiles(layout: Layout, files: readonly ZippedFile[]) {
  for (const { key, name, at, size, crc32 } of files) layout.add({ name, at, size, crc32, source: key })
}
function addGeneratedFiles(layout: Layout, at: Date, generated: readonly GeneratedFile[]) {
  for (const { name, chunks } of generated) {
    layout.add({
      name,
      at,
      size: lengthOf(chunks),
      crc32: chunks.reduce((sum, chunk) => crc32(chunk, sum), 0),
      source: chunks,
    })
  }
}
