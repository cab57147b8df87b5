import type { Check } from '@garantia/shared/evidence/checks'
import type { OrderView } from '@garantia/shared/orders/schema'
import type { ToolVersions } from '@garantia/shared/tools'
import type { EvidenceRow } from '../../evidence/files/service.ts'
import { manifestFile, type PackagedFile } from '../../evidence/package/service.ts'
import type { ChainHead } from '../chain/service.ts'

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

/** What a dossier's manifest says about a file. */
export const dossierFile = (file: PackagedFile) => ({
  ...manifestFile(file),
  width: file.row.width,
  height: file.row.height,
  duration_seconds: file.row.duration_seconds,
})

interface Contents {
  n: number
  sealed_at: Date
  actor: string
  order: DossierOrder
  files: readonly PackagedFile[]
  left_out: readonly EvidenceRow[]
  checks: readonly Check[]
  head: ChainHead
  reports: readonly { name: string; size: number; sha256: string }[]
  package_limit_bytes: number
  tools: ToolVersions
}
/**
 * The manifest of a sealed version. It contains the newest event of the order's event chain, so that removed or
 * rewritten events can be detected later.
 */
export const manifestOf = ({ order, files, checks, head, reports, ...contents }: Contents) => ({
  format: 'garantia-dossie/1',
  version: contents.n,
  sealed_at: contents.sealed_at.toISOString(),
  sealed_by: contents.actor,
  /** Of the worker that sealed it: a copy may have been made earlier, by others. */
  tools: contents.tools,
  order,
  package_bytes: files.reduce((sum, { size }) => sum + size, 0),
  package_limit_bytes: contents.package_limit_bytes,
  checks: checks.map(({ code, severity, ok, message }) => ({ code, severity, ok, message })),
  files: files.map(dossierFile),
  left_out: contents.left_out.map((row) => ({
    filename: row.original_filename,
    sha256: row.sha256,
    status: row.status,
  })),
  reports,
  event_chain: head,
})
