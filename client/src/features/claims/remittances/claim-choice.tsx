import { InputGroup } from '@blueprintjs/core'
import type { RemittanceLineView } from '@garantia/shared/claims/remittance'
import type { ClaimRow } from '@garantia/shared/claims/schema'
import { CLAIM_STATE, claimName } from '@garantia/shared/claims/state'
import { stepRefusal } from '@garantia/shared/claims/steps'
import { brl } from '@garantia/shared/format'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Field } from '../../../ui/form/field.tsx'
import { SelectInput } from '../../../ui/form/inputs.tsx'
import { useDebouncedText } from '../../../ui/table/debounced-text.ts'
import { RESOLUTION_LABEL } from './difference.ts'

interface Props {
  line: RemittanceLineView
  field: UseFormRegisterReturn
  error: string | undefined
}

/** The claim that a line is booked on, where none or several were found: claims of the remittance's brand, by a search. */
export function ClaimChoice({ line, field, error }: Props) {
  const [search, setSearch] = useState(line.os_number ?? line.brand_number ?? '')
  const [typed, setTyped] = useDebouncedText(search, setSearch)
  const remittance = trpc.remittances.one.useQuery({ id: line.remittance_id }, { staleTime: 60_000 })
  const brand = remittance.data?.brand
  const found = trpc.claimList.page.useQuery(
    { search, brand_id: String(brand?.id), limit: 25 },
    { enabled: brand !== undefined, placeholderData: keepPreviousData },
  )
  const claims = found.data?.items ?? []
  const step = line.amount < 0 ? 'debit' : 'pay'
  const failure = remittance.error ?? found.error
  return (
    <>
      <Field
        label="Procurar solicitação"
        help="Número da OS, da solicitação na marca, placa ou nome do cliente."
      >
        {(control) => (
          <InputGroup
            {...control}
            fill
            autoComplete="off"
            maxLength={120}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            // Enter shows what was typed; the form is sent from another field, or by its button.
            onKeyDown={(event) => event.key === 'Enter' && !event.ctrlKey && event.preventDefault()}
          />
        )}
      </Field>
      <Field
        label="Solicitação"
        isRequired
        error={error}
        help={failure ? messageOf(failure) : brand && found.data && hintOf(claims, step, brand.display_name)}
      >
        {(control) => (
          <SelectInput
            control={control}
            field={field}
            placeholder={!found.data && !failure ? 'Carregando…' : 'Escolha'}
            options={claims.map((one) => ({
              value: one.id,
              label: `${claimName(one)} · ${CLAIM_STATE[one.state].label} · ${brl(one.open_amount)} em aberto`,
              isDisabled: stepRefusal(one, step) !== null,
            }))}
          />
        )}
      </Field>
    </>
  )
}

const OTHERWISE = `Procure por outro dado, ou escolha «${RESOLUTION_LABEL.ignored}».`
/** What to do where no claim can be chosen. */
function hintOf(claims: readonly ClaimRow[], step: 'pay' | 'debit', brand: string) {
  const [first] = claims
  if (!first) return `Nenhuma solicitação da ${brand} com isto. ${OTHERWISE}`
  const refusals = claims.map((one) => stepRefusal(one, step))
  if (refusals.includes(null)) return undefined
  return `${claimName(first)}: ${refusals[0]} ${OTHERWISE}`
}
