import type { Check } from '@garantia/shared/evidence/checks'
import type { OrderView } from '@garantia/shared/orders/schema'
import type { ToolVersions } from '@garantia/shared/tools'
import canonicalize from 'canonicalize'
import type { BrandRow } from '../../catalogue/brands/service.ts'
import type { EvidenceRow } from '../../evidence/files/service.ts'
import { manifestFile, type PackagedFile } from '../../evidence/package/service.ts'
import type { ChainHead } from '../chain/service.ts'
import { captureSource, differenceOf, type PreviousVersion, transformation } from './provenance.ts'

/**
 * The order's data in a dossier, which is handed to others: vehicle and repair, of the customer only the name.
 */
export const dossierOrder = (order: OrderView, tax_id: string) => ({
  id: order.id,
  os_number: order.os_number,
  status: order.status,
  brand: order.brand.display_name,
  company: order.company.trading_name,
  company_tax_id: tax_id,
  opened_at: order.opened_at,
  completed_at: order.completed_at,
  vehicle_model: order.vehicle_model,
  vehicle_year: order.vehicle_year,
  vehicle_color: order.vehicle_color,
  vehicle_plate: order.vehicle_plate,
  vehicle_chassis: order.vehicle_chassis,
  vehicle_mileage: order.vehicle_mileage,
  customer_name: order.customer_name,
  technician_name: order.technician_name,
  problem_description: order.problem_description,
  diagnosis: order.diagnosis,
  solution_applied: order.solution_applied,
  parts_replaced: order.parts_replaced,
  service_value: order.service_value,
  parts_value: order.parts_value,
  total_value: order.total_value,
})
export type DossierOrder = ReturnType<typeof dossierOrder>

type Senders = Pick<Contents, 'people' | 'links'>
/** What a dossier's manifest says about a file. */
const dossierFile = (file: PackagedFile, { people, links }: Senders, keep_gps: boolean) => ({
  ...manifestFile(file),
  uploaded_by: people.get(file.row.uploaded_by ?? 0) ?? null,
  /** For whom the link was made by which it came, without an account; `uploaded_by` has made it. */
  guest_link: links.get(file.row.guest_link_id ?? 0) ?? null,
  captured_from: captureSource(file.row),
  camera: file.row.camera,
  /** Whether it came from the app's own camera with a nonce of the server; of others nothing says how they came to be. */
  capture_way: file.row.capture_nonce === null ? ('uploaded_file' as const) : ('app_camera' as const),
  nonce_issued_at: file.row.nonce_issued_at?.toISOString() ?? null,
  width: file.row.width,
  height: file.row.height,
  duration_seconds: file.row.duration_seconds,
  ...transformation(file, keep_gps),
})

interface Contents {
  n: number
  sealed_at: Date
  actor: string
  order: DossierOrder
  brand: Pick<BrandRow, 'keep_gps'>
  files: readonly PackagedFile[]
  /** Names by id of a person, and for whom links were made by id of a link. */
  people: ReadonlyMap<number, string>
  links: ReadonlyMap<number, string>
  left_out: readonly EvidenceRow[]
  checks: readonly Check[]
  head: ChainHead
  previous: PreviousVersion | null
  package_limit_bytes: number
  tools: ToolVersions
  signing_key: { id: string; keys_at: string }
}
/**
 * The contents of a version's manifest; the hashes of the reports, which quote these contents, are added by
 * `completeManifest`. It contains the newest event of the order's event chain, so that removed or rewritten events
 * can be detected later.
 */
export function contentsOf({ order, files, people, links, checks, head, previous, ...contents }: Contents) {
  const listed = files.map((file) => dossierFile(file, { people, links }, contents.brand.keep_gps))
  return {
    format: 'garantia-dossie/2',
    version: contents.n,
    sealed_at: contents.sealed_at.toISOString(),
    /** Whose clock: no authority of time has confirmed it. */
    sealed_at_from: 'server_clock',
    sealed_by: contents.actor,
    signing_key: { algorithm: 'Ed25519', ...contents.signing_key },
    /** Of the worker that sealed it: a copy may have been made earlier, by others. */
    tools: contents.tools,
    order,
    package_bytes: files.reduce((sum, { size }) => sum + size, 0),
    package_limit_bytes: contents.package_limit_bytes,
    checks: checks.map(({ code, severity, ok, message }) => ({ code, severity, ok, message })),
    files: listed,
    left_out: contents.left_out.map((row) => ({
      filename: row.original_filename,
      sha256: row.sha256,
      status: row.status,
    })),
    event_chain: head,
    previous: previous && { ...previous.about, ...differenceOf(previous.files, listed) },
  }
}
export type ManifestContents = ReturnType<typeof contentsOf>

/** The canonical text of a value (RFC 8785), so that its bytes depend on its data alone. */
export function canonicalText(value: unknown) {
  const text = canonicalize(value)
  if (text === undefined) throw new Error('a value without a JSON text')
  return text
}

/** The bytes that are signed. */
export const completeManifest = (
  contents: ManifestContents,
  contents_sha256: string,
  reports: readonly { name: string; size: number; sha256: string }[],
) => canonicalText({ ...contents, contents_sha256, reports })
