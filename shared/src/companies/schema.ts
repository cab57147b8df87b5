import { z } from 'zod'
import { listOf } from '../fields.ts'

export const COMPANY_TYPES = ['matriz', 'filial'] as const

export const companyView = z.object({
  id: z.number(),
  trading_name: z.string(),
  legal_name: z.string(),
  /** The name the order screens read; the legal name under its other title. */
  company_name: z.string(),
  tax_id: z.string(),
  type: z.enum(COMPANY_TYPES),
  parent_id: z.number().nullable(),
  address: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  zip_code: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  is_active: z.boolean(),
})
export type CompanyView = z.output<typeof companyView>
export const companyList = listOf(companyView)
