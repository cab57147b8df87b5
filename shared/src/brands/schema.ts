import { z } from 'zod'
import { brandClaimRules, NEW_CLAIM_RULES } from '../claims/brand-rules.ts'
import { EVIDENCE_CATEGORIES } from '../evidence/category.ts'
import { formatOfExtension } from '../evidence/formats.ts'
import { byId, id, listOf, optionalText, text } from '../fields.ts'
import { counted } from '../format.ts'
import { namingProblem, safeNamePart } from './naming.ts'

/** Effect of completing an order with an invalid package: ask for confirmation, or refuse (D-10). */
export const COMPLETION_POLICIES = ['avisar', 'bloquear'] as const

/** Minimum number of files of a category that a brand requires. */
export const requiredCategory = z.object({
  category: z.enum(EVIDENCE_CATEGORIES),
  min: z
    .number('Use um número inteiro')
    .int('Use um número inteiro')
    .min(1, 'No mínimo 1')
    .max(50, 'No máximo 50'),
})
export type RequiredCategory = z.output<typeof requiredCategory>

export const brandView = z.object({
  id: z.number(),
  slug: z.string(),
  display_name: z.string(),
  is_active: z.boolean(),
  max_file_size_mb: z.number(),
  max_video_count: z.number().int(),
  max_evidence_count: z.number().int(),
  max_powerpoint_size_mb: z.number().nullable(),
  accepted_video_formats: z.array(z.string()),
  accepted_image_formats: z.array(z.string()),
  naming_template: z.string(),
  naming_example: z.string(),
  processing_time_seconds: z.number().int().nullable(),
  storage_retention_months: z.number().int().nullable(),
  submission_system: z.string().nullable(),
  submission_url: z.string().nullable(),
  required_categories: z.array(requiredCategory),
  max_video_seconds: z.number().int().nullable(),
  image_max_px: z.number().int().nullable(),
  keep_gps: z.boolean(),
  auto_convert: z.boolean(),
  completion_policy: z.enum(COMPLETION_POLICIES),
  is_sample: z.boolean(),
  ...brandClaimRules,
  submission_email: z.string().nullable(),
  version: z.number().int(),
})
export type BrandView = z.output<typeof brandView>
export const brandList = listOf(brandView)

/** Rules shown by the upload box (ENT-8) and needed by the checklist. */
export const evidenceRules = brandView.pick({
  max_file_size_mb: true,
  max_video_count: true,
  max_evidence_count: true,
  accepted_video_formats: true,
  accepted_image_formats: true,
  required_categories: true,
})
export type EvidenceRules = z.output<typeof evidenceRules>

/** Formats a brand may accept; conversion writes the first accepted one that is in WRITTEN. */
export const VIDEO_FORMATS = ['mp4', 'mov', 'avi', 'wmv', '3gp', 'mkv', 'webm'] as const
export const IMAGE_FORMATS = ['jpg', 'png', 'webp', 'heic', 'avif', 'tif'] as const
const WRITTEN: readonly string[] = ['jpeg', 'png', 'webp', 'mp4', 'mov']

const whole = (least: number, most: number) =>
  z
    .number('Use um número inteiro')
    .int('Use um número inteiro')
    .min(least, `No mínimo ${least}`)
    .max(most, `No máximo ${most}`)
const formats = (known: readonly string[], what: string) =>
  z
    .array(z.string().refine((format) => known.includes(format), 'Formato desconhecido'))
    .max(known.length)
    .refine((list) => new Set(list).size === list.length, 'Formato repetido')
    .refine(
      (list) => list.some((format) => WRITTEN.includes(formatOfExtension(format) ?? '')),
      `Inclua ${what}: é o que a conversão grava`,
    )
const webAddress = text(500).refine(
  (value) => value === '' || /^https?:\/\/[^\s]+$/i.test(value),
  'Informe um endereço que comece com https://',
)

const name = text(120).min(1, 'Nome é obrigatório')

/**
 * An administrator's change to a brand's rules (D-33). Absent fields stay unchanged; null clears. Ranges
 * match the constraints of the database.
 */
export const brandChange = z
  .object({
    display_name: name,
    is_active: z.boolean(),
    max_file_size_mb: whole(1, 100_000),
    max_video_count: whole(0, 1_000),
    max_evidence_count: whole(1, 10_000),
    max_powerpoint_size_mb: whole(1, 100_000).nullable(),
    max_video_seconds: whole(1, 86_400).nullable(),
    image_max_px: whole(256, 20_000).nullable(),
    accepted_video_formats: formats(VIDEO_FORMATS, 'MP4 ou MOV'),
    accepted_image_formats: formats(IMAGE_FORMATS, 'JPG, PNG ou WEBP'),
    naming_template: z.string('Deve ser um texto').check((context) => {
      const problem = namingProblem(context.value)
      if (problem) context.issues.push({ code: 'custom', message: problem, input: context.value })
    }),
    processing_time_seconds: whole(0, 86_400).nullable(),
    storage_retention_months: whole(1, 600).nullable(),
    submission_system: optionalText(255),
    submission_url: webAddress.transform((value) => value || null).nullable(),
    required_categories: z
      .array(requiredCategory)
      .max(EVIDENCE_CATEGORIES.length)
      .refine(
        (list) => new Set(list.map(({ category }) => category)).size === list.length,
        'Categoria repetida',
      ),
    keep_gps: z.boolean(),
    auto_convert: z.boolean(),
    completion_policy: z.enum(COMPLETION_POLICIES, 'Escolha uma política'),
    /** False once the sample values were confirmed with the manufacturer. */
    is_sample: z.boolean(),
    ...brandClaimRules,
  })
  .partial()
export type BrandChange = z.output<typeof brandChange>

/** With the version that the screen has read, so that a concurrent edit is reported (D-49). */
export const brandEdit = byId.extend({ version: z.number().int().positive().optional(), change: brandChange })
export type BrandEdit = z.output<typeof brandEdit>

/** Code of a brand: unique, and never changed, since files of rules name the brand by it. */
export const brandCode = z
  .string('Código é obrigatório')
  .trim()
  .min(1, { error: 'Código é obrigatório', abort: true })
  .regex(/^[a-z0-9-]{1,60}$/, 'Use até 60 letras minúsculas sem acento, números e hífen')
/** The code proposed for a name: «Caoa Chery» → «caoa-chery». */
export const codeOfBrand = (name: string) =>
  safeNamePart(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')

/** A new brand, with the rules of another one if `copy_from` is its id (D-65). */
export const brandInput = z.object({
  display_name: z.string('Nome é obrigatório').pipe(name),
  slug: brandCode,
  copy_from: id.nullable().optional(),
})
export type BrandInput = z.output<typeof brandInput>

/** Rules of a new brand that copies no other; shown as sample values until an administrator corrects them. */
export const NEW_BRAND_RULES = {
  max_file_size_mb: 20,
  max_video_count: 2,
  max_evidence_count: 20,
  max_powerpoint_size_mb: null,
  max_video_seconds: null,
  image_max_px: null,
  accepted_video_formats: ['mp4'],
  accepted_image_formats: ['jpg', 'png'],
  naming_template: '{os}_{categoria}_{seq2}',
  processing_time_seconds: null,
  storage_retention_months: null,
  submission_system: null,
  submission_url: null,
  required_categories: [],
  keep_gps: false,
  auto_convert: false,
  completion_policy: 'avisar',
  ...NEW_CLAIM_RULES,
} as const

/** What switching a brand off leaves: its orders that are neither completed nor cancelled. */
export const brandUse = z.object({ open_orders: z.number().int() })
export type BrandUse = z.output<typeof brandUse>

export const brandsInitialized = z.object({
  message: z.string(),
  brands_created: z.number().int(),
  companies_created: z.number().int(),
})

/** Retention on the brand's card: «2 anos», «1 ano», «1 mês», «N meses», «Não especificado» (BRD-9). */
export function retentionLabel(months: number | null) {
  if (months === null) return 'Não especificado'
  if (months === 24) return '2 anos'
  if (months === 12) return '1 ano'
  return counted(months, 'mês', 'meses')
}

/** Processing time on the brand's card: seconds up to 60, then rounded minutes (BRD-8). */
export function processingTimeLabel(seconds: number | null) {
  if (seconds === null) return 'Não especificado'
  if (seconds <= 60) return seconds === 1 ? '1 segundo' : `${seconds} segundos`
  const minutes = Math.round(seconds / 60)
  return minutes === 1 ? '1 minuto' : `${minutes} minutos`
}
