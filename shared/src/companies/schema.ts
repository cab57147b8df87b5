import { z } from 'zod'
import { isEmail } from '../auth/schema.ts'
import { isState } from '../br/states.ts'
import { bareDigits, bareTaxId, isCnpj, isDigitsWithMask } from '../br/tax-id.ts'
import { amount } from '../claims/money.ts'
import { id, listOf, nullWhenBlank, optionalText, paging, phone, text } from '../fields.ts'
import { COMPANY_TYPES } from './type.ts'

export const companyView = z.object({
  id: z.number(),
  trading_name: z.string(),
  legal_name: z.string(),
  /** The legal name, under the key that the order screens read. */
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
  /** R$ that a manager may write off of one claim; administrators may more. */
  write_off_limit: z.number(),
})
export type CompanyView = z.output<typeof companyView>
export const companyList = listOf(companyView)

const taxId = text(30)
  .min(1, { error: 'CNPJ é obrigatório', abort: true })
  .transform(bareTaxId)
  .refine((value) => value.length === 14, { error: 'CNPJ deve conter 14 dígitos', abort: true })
  .refine(isCnpj, 'CNPJ inválido')
const state = nullWhenBlank(
  text(10)
    .transform((value) => value.toUpperCase())
    .refine((value) => value === '' || /^[A-Z]{2}$/.test(value), {
      error: 'Estado deve ter 2 caracteres (ex: SP)',
      abort: true,
    })
    .refine((value) => value === '' || isState(value), 'Estado não existe (ex: SP)'),
)
const email = nullWhenBlank(
  text(255).refine((value) => value === '' || isEmail(value), 'Endereço de email inválido'),
)
const zipCode = nullWhenBlank(
  text(12)
    .refine(isDigitsWithMask, { error: 'CEP deve conter 8 dígitos', abort: true })
    .transform(bareDigits)
    .refine((value) => value === '' || value.length === 8, 'CEP deve conter 8 dígitos'),
)

const companyFields = z.object({
  trading_name: text(255).min(1, 'Nome Fantasia é obrigatório'),
  legal_name: text(255).min(1, 'Razão Social é obrigatória'),
  tax_id: taxId,
  type: z.enum(COMPANY_TYPES, 'Tipo é obrigatório'),
  parent_id: id.nullable().optional(),
  address: optionalText(255),
  city: optionalText(120),
  state,
  zip_code: zipCode,
  phone,
  email,
  is_active: z.boolean().optional(),
  write_off_limit: amount.optional(),
  /** «Marcas atendidas»; an empty list means every brand (D-32). */
  brand_ids: z.array(id).max(200).optional(),
})
const PARENT_REQUIRED = 'Empresa Matriz é obrigatória para filiais'

export const companyInput = companyFields.refine(
  (company) => company.type === 'matriz' || company.parent_id != null,
  {
    error: PARENT_REQUIRED,
    path: ['parent_id'],
  },
)
export type CompanyInput = z.output<typeof companyInput>
export const companyChange = companyFields.partial()
export type CompanyChange = z.output<typeof companyChange>

/** Portuguese message when a filial has no matriz, else null. Expects the row after the change. */
export const missingParentMessage = (company: {
  type: (typeof COMPANY_TYPES)[number]
  parent_id: number | null
}) => (company.type === 'filial' && company.parent_id === null ? PARENT_REQUIRED : null)

const criteria = {
  search: text(200).optional(),
  type: z.enum(COMPANY_TYPES).optional(),
  is_active: z.boolean().optional(),
}
export const companyFilter = paging.extend(criteria)
export type CompanyFilter = z.output<typeof companyFilter>

export const companyDetail = companyView.extend({
  brand_ids: z.array(z.number()),
  /** Signed address of the logo, for pages of this caller; null without one. */
  logo_url: z.string().nullable(),
})
export type CompanyDetail = z.output<typeof companyDetail>

/** Pages are counted from 1 and have 50 rows by default (API-21). */
export const companyPaging = z.object({
  page: z.number().int().min(1).max(1_000_000).optional(),
  size: z.number().int().min(1).max(100).optional(),
})
export const COMPANY_PAGE_SIZE = 50
export const companyPage = companyList.extend({
  total: z.number().int(),
  page: z.number().int(),
  size: z.number().int(),
  pages: z.number().int(),
})
