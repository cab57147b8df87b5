import { Button } from '@blueprintjs/core'
import type { MetricsFilter } from '@garantia/shared/orders/metrics'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Field } from '../../../ui/form/field.tsx'
import { MaskedInput } from '../../../ui/form/masked-input.tsx'
import { DAY } from '../../../ui/form/masks.ts'
import type { Period } from './dashboard-search.ts'
import { typedDay } from './period.ts'
import './period-form.css'
import { periodForm, type TypedPeriod } from './period-form-schema.ts'

interface Props {
  period: Period
  onChange: (period: Period) => void
}

export function PeriodForm({ period, onChange }: Props) {
  const { register, handleSubmit, formState } = useForm<TypedPeriod, unknown, MetricsFilter>({
    resolver: zodResolver(periodForm),
    mode: 'onTouched',
    values: { start_date: typedDay(period.start_date), end_date: typedDay(period.end_date) },
  })
  const { errors } = formState
  const apply = handleSubmit(({ start_date = '', end_date = '' }) => onChange({ start_date, end_date }))
  return (
    <form className="period-form" noValidate onSubmit={apply}>
      <Field label="De" error={errors.start_date?.message}>
        {(control) => (
          <MaskedInput
            control={control}
            field={register('start_date')}
            mask={DAY}
            inputMode="numeric"
            placeholder="dd/mm/aaaa"
          />
        )}
      </Field>
      <Field label="Até" error={errors.end_date?.message}>
        {(control) => (
          <MaskedInput
            control={control}
            field={register('end_date')}
            mask={DAY}
            inputMode="numeric"
            placeholder="dd/mm/aaaa"
          />
        )}
      </Field>
      <Button type="submit" text="Aplicar" />
    </form>
  )
}
