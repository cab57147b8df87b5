import {
  type DefectLink,
  type LegalClockView,
  VISIT_FACT,
  VISIT_FACTS,
  type VisitChange,
  type VisitFactInput,
} from '@garantia/shared/claims/visits'
import { date } from '@garantia/shared/format'
import type { OrderView } from '@garantia/shared/orders/schema'
import { zodResolver } from '@hookform/resolvers/zod'
import { useMemo, useState } from 'react'
import { changedFields, markRefused } from '../../../lib/forms.ts'
import { trpc } from '../../../lib/trpc.ts'
import { DayField } from '../../../ui/form/day-field.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { ModalForm } from '../../../ui/form/form-modal.tsx'
import { SelectInput, TextBox, TextInput } from '../../../ui/form/inputs.tsx'
import { MaskedInput } from '../../../ui/form/masked-input.tsx'
import { MOMENT } from '../../../ui/form/masks.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { useFormDraft } from '../../../ui/form/use-form-draft.ts'
import { momentText } from '../claim/day-fields.ts'
import { useVisitChange } from './use-visit-change.ts'
import {
  type DatesFields,
  datesForm,
  type FactFields,
  factForm,
  fieldsOfFact,
  type LinkFields,
  linkForm,
} from './visit-form-schema.ts'

interface Props {
  order: OrderView
  clock: LegalClockView
  onDone: () => void
}

const NO_FIELD = () => undefined

/** Makes another order of the vehicle a visit for the same defect. */
export function LinkForm({ order, clock, onDone }: Props) {
  const form = useForm<LinkFields, unknown, DefectLink>({
    resolver: zodResolver(useMemo(() => linkForm(order.id), [order.id])),
    mode: 'onTouched',
    defaultValues: { with_order_id: '', title: '' },
  })
  const { register, formState, handleSubmit, setError } = form
  useFormDraft(`visit-link-${order.id}`, form)
  const related = trpc.orderList.related.useQuery({ id: order.id })
  const linked = new Set(clock.visits.map(({ order_id }) => order_id))
  const others = (related.data?.vehicle.orders ?? []).filter(({ id }) => !linked.has(id))
  const link = trpc.deadlines.link.useMutation(
    useVisitChange(order.id, 'Visitas ligadas', onDone, (error) =>
      markRefused(setError, error, ['with_order_id', 'title'], NO_FIELD),
    ),
  )
  return (
    <ModalForm
      submitText="Ligar"
      isDirty={formState.isDirty && !link.isSuccess}
      onSubmit={handleSubmit((input) => link.mutateAsync(input))}
    >
      <p className="dialog-lead">
        Os dias das visitas do mesmo veículo pelo mesmo defeito se somam no prazo legal de 30 dias.
      </p>
      <div className="form-grid">
        <Field
          label="Outra OS deste veículo"
          isRequired
          error={formState.errors.with_order_id?.message}
          help={related.data && others.length === 0 ? 'Nenhuma outra OS deste veículo.' : undefined}
        >
          {(attributes) => (
            <SelectInput
              control={attributes}
              field={register('with_order_id')}
              placeholder={related.isPending ? 'Carregando…' : 'Escolha'}
              options={others.map(({ id, os_number, opened_at }) => ({
                value: id,
                label: `OS ${os_number} · ${date(opened_at)}`,
              }))}
            />
          )}
        </Field>
        <Field
          label="Nome do defeito"
          error={formState.errors.title?.message}
          help="Sem dados do cliente: fica no registro."
        >
          {(attributes) => <TextInput control={attributes} field={register('title')} maxLength={120} />}
        </Field>
      </div>
    </ModalForm>
  )
}

/** When the vehicle came and when it was repaired, where these are not the dates of the order. */
export function VisitDatesForm({ order, clock, onDone }: Props) {
  const own = clock.visits.find(({ order_id }) => order_id === order.id)
  const [before] = useState<DatesFields>(() => ({
    arrived_at: momentText(own?.from ?? null),
    repaired_at: momentText(own?.until ?? null),
  }))
  const form = useForm<DatesFields, unknown, Omit<VisitChange, 'order_id'>>({
    resolver: zodResolver(datesForm),
    mode: 'onTouched',
    defaultValues: before,
  })
  const { register, formState, handleSubmit, setError, getValues } = form
  useFormDraft(`visit-dates-${order.id}`, form)
  const change = trpc.deadlines.changeVisit.useMutation(
    useVisitChange(order.id, 'Datas da visita salvas', onDone, (error) =>
      markRefused(setError, error, ['arrived_at', 'repaired_at'], NO_FIELD),
    ),
  )
  return (
    <ModalForm
      submitText="Salvar"
      isDirty={formState.isDirty && !change.isSuccess}
      onSubmit={handleSubmit((input) =>
        change.mutateAsync({ order_id: order.id, ...changedFields(before, getValues(), input) }),
      )}
    >
      <p className="dialog-lead">Em branco valem a abertura e a conclusão da OS.</p>
      <div className="form-grid">
        <Field label="Chegada do veículo" span={6} error={formState.errors.arrived_at?.message}>
          {(attributes) => (
            <MaskedInput
              control={attributes}
              field={register('arrived_at')}
              mask={MOMENT}
              inputMode="numeric"
              placeholder="dd/mm/aaaa hh:mm"
            />
          )}
        </Field>
        <Field label="Reparo efetivo" span={6} error={formState.errors.repaired_at?.message}>
          {(attributes) => (
            <MaskedInput
              control={attributes}
              field={register('repaired_at')}
              mask={MOMENT}
              inputMode="numeric"
              placeholder="dd/mm/aaaa hh:mm"
            />
          )}
        </Field>
      </div>
    </ModalForm>
  )
}

const FACTS = VISIT_FACTS.map((value) => ({ value, label: VISIT_FACT[value] }))

/** Waiting for a part, or a loan car; with one on record, its end. */
export function FactForm({ order, onDone, fact }: Props & { fact: LegalClockView['facts'][number] | null }) {
  const order_id = fact?.order_id ?? order.id
  const [before] = useState(() => fieldsOfFact(fact))
  const form = useForm<FactFields, unknown, VisitFactInput>({
    resolver: zodResolver(useMemo(() => factForm(order_id), [order_id])),
    mode: 'onTouched',
    defaultValues: before,
  })
  const { register, formState, handleSubmit } = form
  useFormDraft(`visit-fact-${order_id}-${fact?.id ?? 'new'}`, form)
  const add = trpc.deadlines.addFact.useMutation(useVisitChange(order.id, 'Fato registrado', onDone))
  return (
    <ModalForm
      submitText="Registrar"
      isDirty={formState.isDirty && !add.isSuccess}
      onSubmit={handleSubmit((input) => add.mutateAsync(input))}
    >
      <p className="dialog-lead">Fica registrado e não interrompe o prazo legal.</p>
      <div className="form-grid">
        <Field label="Fato" error={formState.errors.kind?.message}>
          {(attributes) => (
            <SelectInput
              control={attributes}
              field={register('kind')}
              options={fact ? FACTS.filter(({ value }) => value === fact.kind) : FACTS}
            />
          )}
        </Field>
        <DayField
          label="De"
          span={6}
          isRequired
          isReadOnly={fact !== null}
          field={register('from_on')}
          error={formState.errors.from_on?.message}
        />
        <DayField
          label="Até"
          span={6}
          field={register('until_on')}
          error={formState.errors.until_on?.message}
          help="Em branco enquanto dura."
        />
        <Field label="Observação" error={formState.errors.note?.message}>
          {(attributes) => <TextBox control={attributes} field={register('note')} rows={2} />}
        </Field>
      </div>
    </ModalForm>
  )
}
