import { Button } from '@blueprintjs/core'
import type { MetricsFilter } from '@garantia/shared/orders/metrics'
import { zodResolver } from '@hookform/resolvers/zod'
import { DayField } from '../../../ui/form/day-field.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
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
      <DayField label="De" field={register('start_date')} error={errors.start_date?.message} />
      <DayField label="Até" field={register('end_date')} error={errors.end_date?.message} />
      <Button type="submit" text="Aplicar" />
    </form>
  )
}
