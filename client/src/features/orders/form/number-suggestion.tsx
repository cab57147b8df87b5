import { Button } from '@blueprintjs/core'
import { useWatch } from 'react-hook-form'
import { trpc } from '../../../lib/trpc.ts'
import type { OrderForm } from './order-field.tsx'

/** The next number of the chosen company, offered while the field is blank. */
export function NumberSuggestion({ form }: { form: OrderForm }) {
  const [number, company] = useWatch({ control: form.control, name: ['os_number', 'company_id'] })
  const company_id = Number(company)
  const next = trpc.orders.nextNumber.useQuery({ company_id }, { enabled: company_id > 0 && number === '' })
  const proposed = next.data?.os_number
  if (number !== '' || company_id <= 0 || !proposed) return null
  return (
    <Button
      size="small"
      text={`Usar ${proposed}`}
      title="Próximo número desta empresa"
      onClick={() => {
        form.setValue('os_number', proposed, { shouldDirty: true, shouldValidate: true })
        form.setFocus('os_number')
      }}
    />
  )
}
