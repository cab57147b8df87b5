import { HTMLSelect } from '@blueprintjs/core'
import { trpc } from '../../../lib/trpc.ts'
import { Field } from '../../../ui/form/field.tsx'

interface Props {
  company: string
  brand: string
  onCompany: (id: string) => void
  onBrand: (id: string) => void
}

/** The company that is paid; without a choice the only one there is. */
export function useOwnCompany(chosen: string) {
  const companies = trpc.companies.active.useQuery({})
  const choices = companies.data?.data ?? []
  return chosen || (choices.length === 1 ? String(choices[0]?.id) : '')
}

/** Whose remittance it is: the company that is paid, and the brand that pays. */
export function OwnerFields({ company, brand, onCompany, onBrand }: Props) {
  const companies = trpc.companies.active.useQuery({})
  const brands = trpc.brands.list.useQuery(undefined, { staleTime: 60_000 })
  return (
    <>
      <Field label="Empresa" isRequired span={4}>
        {(control) => (
          <HTMLSelect
            {...control}
            fill
            value={company}
            onChange={({ currentTarget }) => onCompany(currentTarget.value)}
          >
            <option value="">{companies.isPending ? 'Carregando…' : 'Selecione uma empresa'}</option>
            {(companies.data?.data ?? []).map(({ id, trading_name }) => (
              <option key={id} value={id}>
                {trading_name}
              </option>
            ))}
          </HTMLSelect>
        )}
      </Field>
      <Field label="Marca" isRequired span={4}>
        {(control) => (
          <HTMLSelect
            {...control}
            fill
            value={brand}
            onChange={({ currentTarget }) => onBrand(currentTarget.value)}
          >
            <option value="">{brands.isPending ? 'Carregando…' : 'Selecione uma marca'}</option>
            {(brands.data?.data ?? []).map(({ id, display_name }) => (
              <option key={id} value={id}>
                {display_name}
              </option>
            ))}
          </HTMLSelect>
        )}
      </Field>
    </>
  )
}
