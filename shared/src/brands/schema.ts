import { z } from 'zod'
import { EVIDENCE_CATEGORIES } from '../evidence/category.ts'
import { listOf } from '../fields.ts'

/** How many files of a category the brand wants to see. */
export const requiredCategory = z.object({
  category: z.enum(EVIDENCE_CATEGORIES),
  min: z.number().int().min(1).max(50),
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
  required_categories: z.array(requiredCategory),
  is_sample: z.boolean(),
})
export type BrandView = z.output<typeof brandView>
export const brandList = listOf(brandView)

/** What the upload box tells the clerk (ENT-8) and what a checklist needs. */
export const evidenceRules = brandView.pick({
  max_file_size_mb: true,
  max_video_count: true,
  max_evidence_count: true,
  accepted_video_formats: true,
  accepted_image_formats: true,
  required_categories: true,
})
export type EvidenceRules = z.output<typeof evidenceRules>

export const brandsInitialized = z.object({
  message: z.string(),
  brands_created: z.number().int(),
  companies_created: z.number().int(),
})

/** «2 anos», «1 ano», «N meses», «Não especificado» (BRD-9). */
export function retentionLabel(months: number | null) {
  if (months === null) return 'Não especificado'
  if (months === 24) return '2 anos'
  if (months === 12) return '1 ano'
  return `${months} meses`
}

/** Seconds up to a minute, rounded minutes beyond (BRD-8). */
export function processingTimeLabel(seconds: number | null) {
  if (seconds === null) return 'Não especificado'
  if (seconds <= 60) return seconds === 1 ? '1 segundo' : `${seconds} segundos`
  const minutes = Math.round(seconds / 60)
  return minutes === 1 ? '1 minuto' : `${minutes} minutos`
}
