import { formatPhone } from '@garantia/shared/br/phone'
import { bareTaxId, formatCnpj } from '@garantia/shared/br/tax-id'
import {
  type CompanyDetail,
  type CompanyInput,
  companyInput,
  missingParentMessage,
} from '@garantia/shared/companies/schema'
import type { UseFormReturn } from 'react-hook-form'
import { chosen, formOf } from '../../../lib/forms.ts'
import { maskedMoney, maskedZipCode, moneyIn } from '../../../ui/form/masks.ts'

type Toggle = 'is_active' | 'brand_ids'
/** Form state: text as typed, masks included. */
export type CompanyFields = Record<Exclude<keyof CompanyInput, Toggle>, string> & {
  is_active: boolean
  brand_ids: number[]
}

/** A matriz has no parent, even if one was chosen before the type changed (COMP-27). */
const parentOf = ({ type, parent_id }: CompanyFields) =>
  type === 'matriz' ? null : (chosen(parent_id) ?? null)

export const companyForm = formOf<CompanyFields, CompanyInput>(
  companyInput,
  (fields) => ({
    ...fields,
    parent_id: parentOf(fields),
    write_off_limit: moneyIn(fields.write_off_limit) ?? 0,
  }),
  (fields) => ({
    parent_id:
      fields.type === 'filial' ? missingParentMessage({ type: 'filial', parent_id: parentOf(fields) }) : null,
  }),
)

/** Form values of a company; a new one defaults to an active filial (COMP-26). */
export const fieldsOf = (company: Partial<CompanyDetail> = {}): CompanyFields => ({
  trading_name: company.trading_name ?? '',
  legal_name: company.legal_name ?? '',
  tax_id: formatCnpj(company.tax_id ?? ''),
  type: company.type ?? 'filial',
  parent_id: company.parent_id?.toString() ?? '',
  address: company.address ?? '',
  city: company.city ?? '',
  state: company.state ?? '',
  zip_code: maskedZipCode(company.zip_code ?? ''),
  phone: formatPhone(company.phone ?? ''),
  email: company.email ?? '',
  is_active: company.is_active ?? true,
  brand_ids: company.brand_ids ?? [],
  write_off_limit: maskedMoney(company.write_off_limit ?? 0),
})
export const FIELD_NAMES = Object.keys(fieldsOf()) as (keyof CompanyFields)[]

/** A 409 is either about the CNPJ or about a matriz with filiais that would become a filial. */
export const fieldInConflict = (detail: string): keyof CompanyFields | undefined =>
  detail.includes('CNPJ') ? 'tax_id' : detail.includes('filial') ? 'type' : undefined

/**
 * Whether the CNPJ differs from the parent's in its first eight characters, which identify the business; a
 * filial normally shares them with its matriz (D-43).
 */
export const hasOtherRoot = (typed: string, parentTaxId: string | undefined) => {
  const bare = bareTaxId(typed)
  return parentTaxId !== undefined && bare.length === 14 && bare.slice(0, 8) !== parentTaxId.slice(0, 8)
}

export type CompanyFormState = UseFormReturn<CompanyFields, unknown, CompanyInput>
