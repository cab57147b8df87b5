import { z } from 'zod'
import { isEmail } from '../auth/schema.ts'
import { nullWhenBlank, text } from '../fields.ts'
import { claimWindows, FIRST_BEGINNINGS, NO_WINDOWS, windowBeginnings } from './deadlines.ts'
import { amount } from './money.ts'

/** How a claim reaches the brand: typed into its portal, or by mail to its analyst. */
export const SUBMISSION_CHANNELS = ['portal', 'email'] as const
export type SubmissionChannel = (typeof SUBMISSION_CHANNELS)[number]
export const SUBMISSION_CHANNEL: Record<SubmissionChannel, string> = {
  portal: 'Portal da marca',
  email: 'E-mail ao analista',
}

/** What a brand's portal asks for, in the order in which it is copied. */
export const SUBMISSION_FIELDS = [
  'os_number',
  'vehicle_chassis',
  'vehicle_plate',
  'vehicle_mileage',
  'opened_at',
  'completed_at',
  'customer_name',
  'customer_document',
  'problem_description',
  'solution_applied',
  'parts',
  'labour',
  'third_party',
  'claimed',
] as const
export type SubmissionField = (typeof SUBMISSION_FIELDS)[number]
export const SUBMISSION_FIELD: Record<SubmissionField, string> = {
  os_number: 'Número da OS',
  vehicle_chassis: 'Chassi',
  vehicle_plate: 'Placa',
  vehicle_mileage: 'Quilometragem',
  opened_at: 'Data de abertura',
  completed_at: 'Data de conclusão',
  customer_name: 'Nome do cliente',
  customer_document: 'CPF ou CNPJ do cliente',
  problem_description: 'Defeito relatado',
  solution_applied: 'Solução aplicada',
  parts: 'Peças',
  labour: 'Mão de obra',
  third_party: 'Serviços de terceiros',
  claimed: 'Valor solicitado',
}

/** What a brand has of claims, beside its rules for evidence. Absent fields stay unchanged; null clears. */
export const brandClaimRules = {
  ...claimWindows.shape,
  ...windowBeginnings.shape,
  /** R$ up to which a difference between authorised and paid is accepted without a person. */
  payment_tolerance: amount,
  submission_channel: z.enum(SUBMISSION_CHANNELS, 'Escolha um canal'),
  submission_email: nullWhenBlank(
    text(255).refine((value) => value === '' || isEmail(value), 'Endereço de email inválido'),
  ).unwrap(),
  submission_fields: z
    .array(z.enum(SUBMISSION_FIELDS, 'Campo desconhecido'))
    .max(SUBMISSION_FIELDS.length)
    .refine((list) => new Set(list).size === list.length, 'Campo repetido'),
}
export const NEW_CLAIM_RULES = {
  ...NO_WINDOWS,
  ...FIRST_BEGINNINGS,
  payment_tolerance: 0,
  submission_channel: 'portal',
  submission_email: null,
  submission_fields: [] as SubmissionField[],
} as const

/** Portuguese message when a brand would be sent to by mail without an address, else null. */
export const missingAddress = (brand: { submission_channel: string; submission_email: string | null }) =>
  brand.submission_channel === 'email' && brand.submission_email === null
    ? 'Informe o e-mail do analista da marca'
    : null
