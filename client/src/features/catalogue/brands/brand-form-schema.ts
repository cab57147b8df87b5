import { type BrandChange, type BrandView, brandChange } from '@garantia/shared/brands/schema'
import { missingAddress } from '@garantia/shared/claims/brand-rules'
import { type ClaimWindows, NO_WINDOWS, type WindowBeginnings } from '@garantia/shared/claims/deadlines'
import { EVIDENCE_CATEGORIES, type EvidenceCategory } from '@garantia/shared/evidence/category'
import type { UseFormReturn } from 'react-hook-form'
import { formOf } from '../../../lib/forms.ts'

/** Days of the windows of claims, each blank for none. */
export const CLAIM_WINDOWS = Object.keys(NO_WINDOWS) as (keyof ClaimWindows)[]
const NUMBERS = [
  'max_file_size_mb',
  'max_video_count',
  'max_evidence_count',
  'max_powerpoint_size_mb',
  'max_video_seconds',
  'image_max_px',
  'processing_time_seconds',
  'storage_retention_months',
  ...CLAIM_WINDOWS,
] as const
type NumberName = (typeof NUMBERS)[number]
const TEXTS = [
  'display_name',
  'naming_template',
  'submission_system',
  'submission_url',
  'submission_email',
] as const
type TextName = (typeof TEXTS)[number]
type Kept = Pick<
  BrandView,
  | 'accepted_video_formats'
  | 'accepted_image_formats'
  | 'keep_gps'
  | 'auto_convert'
  | 'completion_policy'
  | 'is_sample'
  | 'submission_channel'
  | 'submission_fields'
>

/**
 * Form state: numbers as typed text, and one minimum per category, blank when the category is not required.
 */
export type BrandFields = Record<NumberName | TextName | 'payment_tolerance', string> &
  Kept &
  WindowBeginnings & { required_categories: Record<EvidenceCategory, string> }

/**
 * The first three numbers are mandatory (enforced by the shared rule); the others may be blank, meaning no
 * limit.
 */
const MAY_BE_BLANK = new Set<NumberName>(NUMBERS.slice(3))
const numberOf = (name: NumberName, text: string) => {
  const typed = text.trim()
  if (typed === '') return MAY_BE_BLANK.has(name) ? null : Number.NaN
  return Number(typed.replace(',', '.'))
}

const inputOf = (fields: BrandFields) => ({
  ...fields,
  ...Object.fromEntries(NUMBERS.map((name) => [name, numberOf(name, fields[name])])),
  payment_tolerance: Number(fields.payment_tolerance.trim().replace(',', '.')),
  required_categories: EVIDENCE_CATEGORIES.flatMap((category) => {
    const typed = fields.required_categories[category].trim()
    return typed === '' || typed === '0' ? [] : [{ category, min: Number(typed) }]
  }),
})
export const brandForm = formOf<BrandFields, BrandChange>(brandChange, inputOf, (fields) => ({
  submission_email: missingAddress({
    submission_channel: fields.submission_channel,
    submission_email: fields.submission_email.trim() || null,
  }),
}))

export function fieldsOf(brand: BrandView): BrandFields {
  const asked = new Map(brand.required_categories.map(({ category, min }) => [category, String(min)]))
  const { accepted_video_formats, accepted_image_formats } = brand
  const { keep_gps, auto_convert, completion_policy, is_sample, submission_channel, submission_fields } =
    brand
  const { claim_appeal_from, claim_part_from } = brand
  return {
    ...(Object.fromEntries(
      [...NUMBERS, ...TEXTS].map((name) => [name, brand[name]?.toString() ?? '']),
    ) as Record<NumberName | TextName, string>),
    accepted_video_formats,
    accepted_image_formats,
    keep_gps,
    auto_convert,
    completion_policy,
    is_sample,
    submission_channel,
    submission_fields,
    claim_appeal_from,
    claim_part_from,
    payment_tolerance: String(brand.payment_tolerance).replace('.', ','),
    required_categories: Object.fromEntries(
      EVIDENCE_CATEGORIES.map((category) => [category, asked.get(category) ?? '']),
    ) as BrandFields['required_categories'],
  }
}

/**
 * First message of a nested react-hook-form error: an issue inside a list («required_categories.2.min») is
 * shown as one sentence for the whole group.
 */
export function firstMessage(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('message' in error && typeof error.message === 'string') return error.message
  for (const inner of Object.values(error)) {
    const found = firstMessage(inner)
    if (found) return found
  }
  return undefined
}

export type BrandFormState = UseFormReturn<BrandFields, unknown, BrandChange>
