import type { RequiredCategory } from '../brands/schema.ts'
import { bytes, counted, MEGABYTE } from '../format.ts'
import type { OrderStatus } from '../orders/status.ts'
import { packageLimit } from './budget.ts'
import { EVIDENCE_CATEGORY, type EvidenceCategory } from './category.ts'
import { categoryProgress } from './category-progress.ts'
import { type Check, checkOf, type Fix, idsOf } from './checks.ts'
import { type FileType, formatOfExtension } from './formats.ts'
import type { EvidenceStatus } from './status.ts'

export { isPackageValid } from './checks.ts'

/** A brand's rules for a package, as far as they can be checked on database rows alone (D-23, V01 to V11). */
export interface PackageRules {
  max_file_size_mb: number
  max_video_count: number
  max_evidence_count: number
  max_video_seconds: number | null
  max_powerpoint_size_mb?: number | null
  accepted_video_formats: readonly string[]
  accepted_image_formats: readonly string[]
  required_categories: readonly RequiredCategory[]
}
export interface JudgedFile {
  id: number
  file_type: FileType
  status: EvidenceStatus
  evidence_category: EvidenceCategory | null
  converted_size: number | null
  converted_format: string | null
  duration_seconds: number | null
  /** When retention deleted its bytes; absent where it is not needed. */
  purged_at?: Date | null
}
export interface JudgedOrder {
  status: OrderStatus
  problem_description: string | null
  customer_name: string | null
  customer_phone: string | null
  vehicle_model: string | null
  vehicle_chassis?: string | null
  vehicle_mileage?: number | null
  diagnosis?: string | null
  solution_applied?: string | null
  parts_replaced?: string | null
}
/** Facts that are not in the rows. */
export interface Findings {
  /** Files whose stored bytes are missing or differ from their hash; absent when storage was not checked. */
  damaged?: readonly { id: number; isOriginalLost: boolean }[]
  /** Bytes of the order's presentation; null while there is none. */
  powerpoint_bytes?: number | null
  /** The completion of an order requires more of its fields than its package does (V11). */
  purpose?: 'package' | 'completion'
}

const PACKAGE_FIELDS = {
  problem_description: 'descrição do problema',
  customer_name: 'nome do cliente',
  customer_phone: 'telefone do cliente',
  vehicle_model: 'modelo do veículo',
} as const
const COMPLETION_FIELDS = {
  vehicle_chassis: 'chassi',
  vehicle_mileage: 'quilometragem',
  diagnosis: 'diagnóstico',
  solution_applied: 'solução aplicada',
  parts_replaced: 'peças substituídas',
} as const
type CompletionField = keyof typeof COMPLETION_FIELDS

const error = checkOf.bind(null, 'error')

/** The checks V01 to V11 with their results; the package is valid when no error fails. */
export function checkPackage(
  rules: PackageRules,
  order: JudgedOrder,
  files: readonly JudgedFile[],
  findings: Findings = {},
): Check[] {
  return [
    error('V01', files.length > 0, {
      message: 'Envie ao menos uma evidência',
      fix: { kind: 'upload', category: null },
    }),
    ...categoryProgress(rules.required_categories, files).map(({ category, min, have }) =>
      error('V02', have >= min, {
        message: `Falta: ${EVIDENCE_CATEGORY[category]} (${have} de ${min})`,
        holds: `${EVIDENCE_CATEGORY[category]} (${have} de ${min})`,
        fix: { kind: 'upload', category },
      }),
    ),
    ...checkCounts(rules, files),
    ...checkCopies(rules, files),
    checkIntegrity(files, findings.damaged ?? []),
    checkPowerpoint(rules, findings.powerpoint_bytes ?? null),
    checkLengths(rules, files),
    ...checkOrder(order, files, findings.purpose ?? 'package'),
  ]
}

function checkCounts(rules: PackageRules, files: readonly JudgedFile[]) {
  const videos = files.filter((file) => file.file_type === 'video')
  return [
    error('V03', files.length <= rules.max_evidence_count, {
      message: `A marca aceita até ${counted(rules.max_evidence_count, 'arquivo', 'arquivos')}, mas há ${files.length}`,
      fix: review(files),
    }),
    error('V04', videos.length <= rules.max_video_count, {
      message: `A marca aceita até ${counted(rules.max_video_count, 'vídeo', 'vídeos')}, mas há ${videos.length}`,
      failing_files: videos,
      fix: review(videos),
    }),
  ]
}

function checkCopies(rules: PackageRules, files: readonly JudgedFile[]) {
  const size = files.reduce((total, file) => total + (file.converted_size ?? 0), 0)
  const limit = packageLimit(rules.max_file_size_mb)
  const unfinished = files.filter((file) => file.status !== 'converted')
  const startable = unfinished.filter((file) => file.status !== 'converting')
  const unacceptedFiles = files.filter((file) => file.converted_format !== null && !isAccepted(rules, file))
  return [
    error('V05', size <= limit, {
      message: `O pacote tem ${bytes(size)} e o limite da marca é ${bytes(limit)}`,
      fix: convert(files, true),
    }),
    error('V06', unacceptedFiles.length === 0, {
      message: 'Há arquivos em formato que a marca não aceita',
      failing_files: unacceptedFiles,
      fix: convert(unacceptedFiles, true),
    }),
    error('V07', unfinished.length === 0, {
      message: counted(
        unfinished.length,
        'arquivo ainda não foi convertido',
        'arquivos ainda não foram convertidos',
      ),
      failing_files: unfinished,
      fix: startable.length > 0 ? convert(startable, false) : null,
    }),
  ]
}

function checkIntegrity(files: readonly JudgedFile[], damaged: NonNullable<Findings['damaged']>) {
  const expired = files.filter(({ purged_at }) => purged_at)
  if (expired.length > 0)
    return error('V08', false, {
      message: `${counted(expired.length, 'arquivo eliminado', 'arquivos eliminados')} ao fim do prazo de guarda da marca`,
      failing_files: expired,
    })
  const damagedIds = new Set(idsOf(damaged))
  const failing_files = files.filter(({ id }) => damagedIds.has(id))
  return error('V08', failing_files.length === 0, {
    message: `${counted(failing_files.length, 'arquivo ausente ou alterado', 'arquivos ausentes ou alterados')} no armazenamento`,
    failing_files,
    // A damaged copy can be converted again from its original; a lost original has to be uploaded again.
    fix: damaged.some(({ isOriginalLost }) => isOriginalLost)
      ? review(failing_files)
      : convert(failing_files, true),
  })
}

function checkPowerpoint({ max_powerpoint_size_mb: limit = null }: PackageRules, size: number | null) {
  return error('V09', limit === null || size === null || size <= limit * MEGABYTE, {
    message: `A apresentação PowerPoint tem ${bytes(size ?? 0)} e o limite da marca é ${bytes((limit ?? 0) * MEGABYTE)}`,
  })
}

function checkLengths({ max_video_seconds: most }: PackageRules, files: readonly JudgedFile[]) {
  const tooLong = files.filter(
    (file) => file.file_type === 'video' && most !== null && (file.duration_seconds ?? 0) > most,
  )
  return error('V10', tooLong.length === 0, {
    message: `Há vídeo com mais de ${most ?? 0} segundos, o máximo da marca`,
    failing_files: tooLong,
    fix: review(tooLong),
  })
}

/** Fields required only for completion block only the completion; before that they are a warning. */
function checkOrder(order: JudgedOrder, files: readonly JudgedFile[], purpose: 'package' | 'completion') {
  const missing = keysOf(PACKAGE_FIELDS).filter((field) => isBlank(order[field]))
  const usesParts = files.some(({ evidence_category }) => evidence_category === 'pecas')
  const later = keysOf(COMPLETION_FIELDS).filter(
    (field: CompletionField) => isBlank(order[field]) && (field !== 'parts_replaced' || usesParts),
  )
  return [
    error('V11', missing.length === 0, {
      message: `Preencha na OS: ${missing.map((field) => PACKAGE_FIELDS[field]).join(', ')}`,
      fix: { kind: 'edit', fields: missing },
    }),
    checkOf(purpose === 'completion' ? 'error' : 'warning', 'V11', later.length === 0, {
      message: `Para concluir a OS, preencha: ${later.map((field) => COMPLETION_FIELDS[field]).join(', ')}`,
      fix: { kind: 'edit', fields: later },
    }),
  ]
}

const keysOf = <T extends object>(object: T) => Object.keys(object) as (keyof T)[]
const isBlank = (value: string | number | null | undefined) =>
  value === null || value === undefined || value === ''
const review = (files: readonly JudgedFile[]): Fix => ({ kind: 'review', evidence_ids: idsOf(files) })
const convert = (files: readonly JudgedFile[], force: boolean): Fix => ({
  kind: 'convert',
  evidence_ids: idsOf(files),
  force,
})

/** PDFs and documents are not checked; pictures and videos must have a format of the brand (V06). */
function isAccepted(rules: PackageRules, file: JudgedFile) {
  if (file.file_type !== 'image' && file.file_type !== 'video') return true
  const accepted = file.file_type === 'image' ? rules.accepted_image_formats : rules.accepted_video_formats
  return accepted.some((extension) => formatOfExtension(extension) === file.converted_format)
}
