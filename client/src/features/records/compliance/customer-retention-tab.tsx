import { Button } from '@blueprintjs/core'
import { counted, date, dateTime } from '@garantia/shared/format'
import { can } from '@garantia/shared/policy'
import {
  type CustomerRetentionView,
  customerRetention,
  DUE_LISTED,
} from '@garantia/shared/privacy/customer-retention'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { LoadingPanel } from '../../../ui/feedback/skeleton.tsx'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { TextInput } from '../../../ui/form/inputs.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { submitting, usePress, useSave } from '../../../ui/press.ts'
import './compliance.css'

/** How long customers' data are kept, and which orders are over it. */
export function CustomerRetentionTab() {
  const { data, error, refetch } = trpc.compliance.customerRetention.useQuery()
  if (error && !data)
    return (
      <ErrorState title="Erro ao carregar o prazo de guarda" error={error} onRetry={() => void refetch()} />
    )
  if (!data) return <LoadingPanel />
  return (
    <div className="compliance">
      <MonthsForm key={data.months} view={data} />
      <Due view={data} />
    </div>
  )
}

function MonthsForm({ view }: { view: CustomerRetentionView }) {
  const { register, handleSubmit, formState, setError, setFocus } = useForm({
    defaultValues: { months: String(view.months) },
  })
  const utils = trpc.useUtils()
  const save = trpc.compliance.setCustomerRetention.useMutation({
    onSuccess: (saved) => {
      utils.compliance.customerRetention.setData(undefined, saved)
      toast.success({ title: 'Sucesso!', description: 'Prazo de guarda salvo.' })
    },
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
  })
  const { press, isBusy } = useSave(
    handleSubmit(({ months }) => {
      const { data, error } = customerRetention.safeParse({
        months: months.trim() === '' ? undefined : Number(months),
      })
      if (data) return save.mutateAsync(data)
      setError('months', { message: error.issues[0]?.message ?? '' })
      setFocus('months')
    }),
  )
  return (
    <form noValidate className="compliance-card panel" onSubmit={submitting(press)}>
      <h2>Prazo de guarda dos dados do cliente</h2>
      <div className="compliance-top">
        <Field label="Meses após a conclusão" error={formState.errors.months?.message}>
          {(control) => <TextInput control={control} field={register('months')} inputMode="numeric" />}
        </Field>
        <Button type="submit" intent="primary" text="Salvar" loading={isBusy} disabled={!formState.isDirty} />
      </div>
      <p className="muted">
        {view.changed_at
          ? `Alterado em ${dateTime(view.changed_at)}, por ${view.actor_name}.`
          : 'Valor de partida: cinco anos, o prazo do art. 27 do Código de Defesa do Consumidor.'}
      </p>
    </form>
  )
}

/** Whether this is done every night, and the switch for superusers. */
function Run({ view: { months, is_applied, due_count } }: { view: CustomerRetentionView }) {
  const maySwitch = can(useActor(), 'privacy.override')
  const [isAsked, setIsAsked] = useState(false)
  const utils = trpc.useUtils()
  const { mutateAsync } = trpc.compliance.switchCustomerRetention.useMutation({
    onSuccess: (saved) => {
      utils.compliance.customerRetention.setData(undefined, saved)
      toast.success({ title: saved.is_applied ? 'Anonimização ligada' : 'Anonimização desligada' })
      setIsAsked(false)
    },
    onError: async (error) => {
      setIsAsked(false)
      toast.error({ title: 'Erro', description: messageOf(error) })
      await utils.compliance.customerRetention.invalidate()
    },
  })
  const off = usePress(() => mutateAsync({ months, is_applied: false }))
  return (
    <>
      <p className="muted">
        {is_applied
          ? 'Anonimização ligada: toda noite, os clientes destas OS são anonimizados.'
          : 'Esta lista é uma simulação: nada é alterado enquanto a anonimização está desligada.'}
      </p>
      {maySwitch && (
        <div>
          {/* Keys, because a second press on one button must not be the first on the other. */}
          {is_applied ? (
            <Button key="off" text="Desligar anonimização" loading={off.isBusy} onClick={off.press} />
          ) : (
            <Button
              key="on"
              intent="danger"
              variant="outlined"
              text="Ligar anonimização…"
              onClick={() => setIsAsked(true)}
            />
          )}
        </div>
      )}
      <ConfirmDialog
        isOpen={isAsked}
        title="Ligar a anonimização de cada noite?"
        confirmText="Ligar"
        onConfirm={() => mutateAsync({ months, is_applied: true })}
        onCancel={() => setIsAsked(false)}
      >
        {due_count === 0
          ? 'Nenhuma OS passou do prazo hoje.'
          : `Na próxima noite, ${counted(due_count, 'OS perde', 'OS perdem')} os dados do cliente.`}{' '}
        Não pode ser desfeito.
      </ConfirmDialog>
    </>
  )
}

const Due = ({ view }: { view: CustomerRetentionView }) => {
  const { due, due_count, held_count, is_applied } = view
  const title = is_applied ? 'OS além do prazo' : 'Simulação'
  return (
    <section className="compliance-card panel" aria-label={title}>
      <h2>{title}</h2>
      <p>
        {due_count === 0
          ? 'Nenhuma OS passou do prazo.'
          : `${counted(due_count, 'OS passou do prazo e tem', 'OS passaram do prazo e têm')} dados de contato ou documento do cliente.`}
        {held_count > 0 && ` ${counted(held_count, 'outra fica', 'outras ficam')} por retenção judicial.`}
      </p>
      <Run view={view} />
      {due.length > 0 && (
        <ul className="compliance-due">
          {due.map(({ id, os_number, company, ended_at }) => (
            <li key={id}>
              <Link to="/os/$id" params={{ id }}>
                OS {os_number}
              </Link>
              <span className="muted">{company}</span>
              <span className="muted numeric">encerrada em {date(ended_at)}</span>
            </li>
          ))}
        </ul>
      )}
      {due_count > DUE_LISTED && <p className="muted">São mostradas as {DUE_LISTED} mais antigas.</p>}
    </section>
  )
}
