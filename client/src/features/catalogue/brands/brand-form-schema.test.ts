import type { BrandView } from '@garantia/shared/brands/schema'
import { NEW_CLAIM_RULES } from '@garantia/shared/claims/brand-rules'
import { expect, test } from 'vitest'
import { changedFields } from '../../../lib/forms.ts'
import { type BrandFields, brandForm, fieldsOf, firstMessage } from './brand-form-schema.ts'

const brand: BrandView = {
  ...NEW_CLAIM_RULES,
  id: 1,
  slug: 'fiat',
  display_name: 'Fiat',
  is_active: true,
  max_file_size_mb: 20,
  max_video_count: 1,
  max_evidence_count: 15,
  max_powerpoint_size_mb: 8,
  accepted_video_formats: ['mp4', 'mov'],
  accepted_image_formats: ['jpg'],
  naming_template: 'OS{os}_{categoria}_{seq2}',
  naming_example: 'OS123456_defeito_01.jpg',
  processing_time_seconds: 60,
  storage_retention_months: 24,
  submission_system: null,
  submission_url: null,
  required_categories: [{ category: 'defeito', min: 2 }],
  max_video_seconds: null,
  image_max_px: null,
  keep_gps: false,
  auto_convert: false,
  completion_policy: 'avisar',
  is_sample: true,
  version: 1,
}
const before = fieldsOf(brand)
const change = (now: Partial<BrandFields>) => {
  const fields = { ...before, ...now }
  return changedFields(before, fields, brandForm.parse(fields))
}
const complaints = (now: Partial<BrandFields>) =>
  (brandForm.safeParse({ ...before, ...now }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  )

test('unchanged fields are not sent (D-33)', () => expect(change({})).toEqual({}))

test('numbers are parsed, a blank clears a limit, and a minimum of zero removes a required category (D-33)', () =>
  expect(
    change({
      max_file_size_mb: '25',
      max_powerpoint_size_mb: ' ',
      required_categories: { ...before.required_categories, defeito: '0', placa: '1' },
    }),
  ).toEqual({
    max_file_size_mb: 25,
    max_powerpoint_size_mb: null,
    required_categories: [{ category: 'placa', min: 1 }],
  }))

test.each([
  [{ max_file_size_mb: '' }, 'max_file_size_mb: Use um número inteiro'],
  [{ max_evidence_count: 'dez' }, 'max_evidence_count: Use um número inteiro'],
  [{ naming_template: '{vin}' }, 'naming_template: Variável desconhecida: {vin}'],
  [
    { required_categories: { ...before.required_categories, placa: 'um' } },
    'required_categories.1.min: Use um número inteiro',
  ],
])('%j → %s (D-33)', (now, message) => expect(complaints(now)).toContain(message))

test('an error nested in a list gives one message for the group', () => {
  expect(firstMessage([undefined, { min: { message: 'No mínimo 1' } }])).toBe('No mínimo 1')
  expect(firstMessage(undefined)).toBeUndefined()
})
