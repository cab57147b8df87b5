import type { RequiredCategory } from '../brands/schema.ts'
import { bytes, counted } from '../format.ts'
import type { OrderStatus } from '../orders/status.ts'
import { packageLimit } from './budget.ts'
import { EVIDENCE_CATEGORY, type EvidenceCategory } from './category.ts'
import { type FileType, formatOfExtension } from './formats.ts'
import type { EvidenceStatus } from './status.ts'

/** What a brand asks of a package, as far as it can be judged from the rows alone (D-23, V01 to V11). */
export interface PackageRules {
  max_file_size_mb: number
  max_video_count: number
  max_evidence_count: number
  max_video_seconds: number | null
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
}
export interface JudgedOrder {
  status: OrderStatus
  problem_description: string | null
  customer_name: string | null
  customer_phone: string | null
  vehicle_model: string | null
}

export interface Check {
  code: string
  severity: 'error' | 'warning'
  ok: boolean
  message: string
  evidence_ids: number[]
}

const ORDER_FIELDS = {
  problem_description: 'descrição do problema',
  customer_name: 'nome do cliente',
  customer_phone: 'telefone do cliente',
  vehicle_model: 'modelo do veículo',
} as const

/** Every blocking check with its verdict; a package is valid when all are ok. */
export function checkPackage(rules: PackageRules, order: JudgedOrder, files: readonly JudgedFile[]): Check[] {
  const idsOf = (list: readonly JudgedFile[]) => list.map((file) => file.id)
  const error = (
    code: string,
    ok: boolean,
    message: string,
    culprits: readonly JudgedFile[] = [],
  ): Check => ({
    code,
    severity: 'error',
    ok,
    message,
    evidence_ids: ok ? [] : idsOf(culprits),
  })
  const videos = files.filter((file) => file.file_type === 'video')
  const size = files.reduce((total, file) => total + (file.converted_size ?? 0), 0)
  const limit = packageLimit(rules.max_file_size_mb)
  const unfinished = files.filter((file) => file.status !== 'converted')
  const strangers = files.filter((file) => file.converted_format !== null && !isAccepted(rules, file))
  const missing = (Object.keys(ORDER_FIELDS) as (keyof typeof ORDER_FIELDS)[]).filter(
    (field) => !order[field],
  )
  const tooLong = videos.filter(
    (file) => rules.max_video_seconds !== null && (file.duration_seconds ?? 0) > rules.max_video_seconds,
  )
  return [
    error('V01', files.length > 0, 'Envie ao menos uma evidência'),
    ...rules.required_categories.map(({ category, min }) => {
      const have = files.filter((file) => file.evidence_category === category).length
      return error('V02', have >= min, `Falta: ${EVIDENCE_CATEGORY[category]} (${have} de ${min})`)
    }),
    error(
      'V03',
      files.length <= rules.max_evidence_count,
      `A marca aceita até ${counted(rules.max_evidence_count, 'arquivo', 'arquivos')}, mas há ${files.length}`,
    ),
    error(
      'V04',
      videos.length <= rules.max_video_count,
      `A marca aceita até ${counted(rules.max_video_count, 'vídeo', 'vídeos')}, mas há ${videos.length}`,
      videos,
    ),
    error('V05', size <= limit, `O pacote tem ${bytes(size)} e o limite da marca é ${bytes(limit)}`),
    error('V06', strangers.length === 0, 'Há arquivos em formato que a marca não aceita', strangers),
    error(
      'V07',
      unfinished.length === 0,
      `${counted(unfinished.length, 'arquivo ainda não foi convertido', 'arquivos ainda não foram convertidos')}`,
      unfinished,
    ),
    error(
      'V10',
      tooLong.length === 0,
      `Há vídeo com mais de ${rules.max_video_seconds ?? 0} segundos, o máximo da marca`,
      tooLong,
    ),
    error(
      'V11',
      missing.length === 0,
      `Preencha na OS: ${missing.map((field) => ORDER_FIELDS[field]).join(', ')}`,
    ),
  ]
}

/** PDFs and documents go as they are; pictures and videos must come in a format of the brand (V06). */
function isAccepted(rules: PackageRules, file: JudgedFile) {
  if (file.file_type !== 'image' && file.file_type !== 'video') return true
  const accepted = file.file_type === 'image' ? rules.accepted_image_formats : rules.accepted_video_formats
  return accepted.some((extension) => formatOfExtension(extension) === file.converted_format)
}

export const isPackageValid = (checks: readonly Check[]) =>
  checks.every((check) => check.ok || check.severity === 'warning')
