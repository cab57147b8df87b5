import type { RequiredCategory } from '../brands/schema.ts'
import { counted, date } from '../format.ts'
import type { EvidenceCategory } from './category.ts'
import { type Check, checkOf, type Fix, idsOf } from './checks.ts'
import type { FileType } from './formats.ts'
import { BLURRED_BELOW } from './sharpness.ts'

/** Longest side in pixels; smaller pictures show too little of a part or an engraving (V12). */
export const SMALL_SIDE = 1024
/** Bits in which the perceptual hashes of copies of one picture may differ (V13). */
export const HASH_DISTANCE = 6
/** Days; photos that are older than the order by more are probably of another visit (V14). */
const DAYS_BEFORE_ORDER = 7
const DAY_MS = 86_400_000
/** Most order numbers named in one message. */
const NAMED_ORDERS = 3
/** Capture times without a time zone are read as Brasília's; Fernando de Noronha is an hour ahead. */
const CLOCK_TOLERANCE_MS = 2 * 3_600_000

export interface WarningFile {
  id: number
  file_type: FileType
  evidence_category: EvidenceCategory | null
  width: number | null
  height: number | null
  sharpness: number | null
  captured_at: Date | null
  uploaded_at: Date
}
interface WarningOrder {
  opened_at: Date
  vehicle_chassis: string | null
  vehicle_plate: string | null
}
/** A file whose picture was also found in another order, with that order's number. */
export interface Reuse {
  evidence_id: number
  os_number: string
}

const warning = checkOf.bind(null, 'warning')

/** The checks V12 to V17 (D-23), which call for a second look before submission. They never block. */
export function warnAbout(
  rules: { image_max_px: number | null; required_categories: readonly RequiredCategory[] },
  order: WarningOrder,
  files: readonly WarningFile[],
  reuses: readonly Reuse[],
): Check[] {
  return [
    ...pictureWarnings(rules.image_max_px, files),
    reuseWarning(files, reuses),
    ...dateWarnings(order, files),
    ...categoryWarnings(rules.required_categories, files),
    pairWarning(files),
    ...vehicleWarnings(order),
  ]
}

function pictureWarnings(brandSide: number | null, files: readonly WarningFile[]) {
  const images = files.filter(({ file_type }) => file_type === 'image')
  // A brand may ask for smaller pictures than SMALL_SIDE.
  const least = Math.min(SMALL_SIDE, brandSide ?? SMALL_SIDE)
  const small = images.filter(
    ({ width, height }) => width !== null && height !== null && Math.max(width, height) < least,
  )
  const blurred = images.filter(({ sharpness }) => sharpness !== null && sharpness < BLURRED_BELOW)
  return [
    warning('V12', small.length === 0, {
      message: `${counted(small.length, 'foto tem', 'fotos têm')} menos de ${least} pixels no lado maior`,
      failing_files: small,
      fix: review(small),
    }),
    warning('V12', blurred.length === 0, {
      message: `${counted(blurred.length, 'foto parece desfocada', 'fotos parecem desfocadas')}`,
      failing_files: blurred,
      fix: review(blurred),
    }),
  ]
}

function reuseWarning(files: readonly WarningFile[], reuses: readonly Reuse[]) {
  const reused = new Set(reuses.map(({ evidence_id }) => evidence_id))
  const failing_files = files.filter(({ id }) => reused.has(id))
  const orders = [...new Set(reuses.map(({ os_number }) => os_number))].sort()
  const more = orders.length - NAMED_ORDERS
  const named = orders.slice(0, NAMED_ORDERS).join(', ') + (more > 0 ? ` e em mais ${more}` : '')
  return warning('V13', failing_files.length === 0, {
    message: `${counted(failing_files.length, 'foto já usada', 'fotos já usadas')} na OS ${named}`,
    failing_files,
    fix: review(failing_files),
  })
}

function dateWarnings({ opened_at }: WarningOrder, files: readonly WarningFile[]) {
  const earliest = opened_at.getTime() - DAYS_BEFORE_ORDER * DAY_MS
  const dated = files.flatMap((file) =>
    file.captured_at ? [{ ...file, at: file.captured_at.getTime() }] : [],
  )
  const ahead = dated.filter(({ at, uploaded_at }) => at > uploaded_at.getTime() + CLOCK_TOLERANCE_MS)
  const old = dated.filter(({ at }) => at < earliest)
  return [
    warning('V14', ahead.length === 0, {
      message: `${counted(ahead.length, 'arquivo foi feito', 'arquivos foram feitos')} no futuro, segundo a câmera`,
      failing_files: ahead,
      fix: review(ahead),
    }),
    warning('V14', old.length === 0, {
      message: `${counted(old.length, 'arquivo foi feito', 'arquivos foram feitos')} mais de ${DAYS_BEFORE_ORDER} dias antes da abertura da OS (${date(opened_at)})`,
      failing_files: old,
      fix: review(old),
    }),
  ]
}

function categoryWarnings(required: readonly RequiredCategory[], files: readonly WarningFile[]) {
  const without = files.filter(({ evidence_category }) => evidence_category === null)
  const unasked = files.filter(
    ({ evidence_category }) =>
      required.length > 0 &&
      evidence_category !== null &&
      !required.some(({ category }) => category === evidence_category),
  )
  return [
    warning('V15', without.length === 0, {
      message: counted(without.length, 'arquivo sem categoria', 'arquivos sem categoria'),
      failing_files: without,
      fix: { kind: 'categorize', evidence_ids: idsOf(without) },
    }),
    warning('V15', unasked.length === 0, {
      message: `${counted(unasked.length, 'arquivo', 'arquivos')} em categoria que a marca não pede`,
      failing_files: unasked,
      fix: { kind: 'categorize', evidence_ids: idsOf(unasked) },
    }),
  ]
}

const AFTER: readonly (EvidenceCategory | null)[] = ['solucionado', 'pos_solucionado']
function pairWarning(files: readonly WarningFile[]) {
  const before = files.filter(({ evidence_category }) => evidence_category === 'defeito')
  const hasAfter = files.some(({ evidence_category }) => AFTER.includes(evidence_category))
  return warning('V16', before.length === 0 || hasAfter, {
    message: 'Há foto do defeito, mas nenhuma da situação solucionada',
    failing_files: before,
    fix: { kind: 'upload', category: 'solucionado' },
  })
}

function vehicleWarnings({ vehicle_chassis, vehicle_plate }: WarningOrder) {
  const empty = [
    ...(vehicle_chassis ? [] : [{ field: 'vehicle_chassis' as const, label: 'Chassi' }]),
    ...(vehicle_plate ? [] : [{ field: 'vehicle_plate' as const, label: 'Placa' }]),
  ]
  const names = empty.map(({ label }) => label).join(' e ')
  return [
    warning('V17', !/[IOQ]/.test(vehicle_chassis ?? ''), {
      message: 'O chassi tem I, O ou Q, letras que nenhum chassi usa: confira se são 1 ou 0',
      fix: { kind: 'edit', fields: ['vehicle_chassis'] },
    }),
    warning('V17', empty.length === 0, {
      message: `${names} ${empty.length > 1 ? 'não informados' : empty[0]?.field === 'vehicle_plate' ? 'não informada' : 'não informado'}`,
      fix: { kind: 'edit', fields: empty.map(({ field }) => field) },
    }),
  ]
}

const review = (files: readonly WarningFile[]): Fix => ({ kind: 'review', evidence_ids: idsOf(files) })
