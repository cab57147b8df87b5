import { Button, DialogBody, DialogFooter, HTMLSelect } from '@blueprintjs/core'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { useState } from 'react'
import { trpc } from '../../../../lib/trpc.ts'
import { ErrorState } from '../../../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../../../ui/feedback/skeleton.tsx'
import { Field } from '../../../../ui/form/field.tsx'
import { submitting, usePress } from '../../../../ui/press.ts'

export interface AssignProps {
  /**
   * Empty keeps the dialog closed. It stays mounted so that focus can return to the element that opened it.
   */
  orders: readonly OrderRow[]
  isBusy: boolean
  onAssign: (responsible_user_id: number | null) => Promise<unknown>
  onClose: () => void
}

export function AssignForm({ orders, onAssign, onClose }: Omit<AssignProps, 'isBusy'>) {
  const company_ids = [...new Set(orders.map(({ company_id }) => company_id))].sort((a, b) => a - b)
  const people = trpc.orders.assignees.useQuery({ company_ids }, { enabled: company_ids.length > 0 })
  const [present] = orders
  const isShared = orders.every((one) => one.responsible_user_id === present?.responsible_user_id)
  const [chosen, setChosen] = useState(isShared ? (present?.responsible_user_id ?? 0) : 0)
  const { press, isBusy } = usePress(() => people.data && onAssign(chosen || null))
  return (
    <form className="modal-form" onSubmit={submitting(press)}>
      <DialogBody>
        {people.error ? (
          <ErrorState
            title="Erro ao carregar as pessoas"
            error={people.error}
            onRetry={() => void people.refetch()}
          />
        ) : people.data ? (
          <Field label="Responsável" help="Entre parênteses, as ordens em aberto que cada pessoa já tem.">
            {(control) => (
              <HTMLSelect
                {...control}
                fill
                autoFocus
                value={chosen}
                onChange={(event) => setChosen(Number(event.currentTarget.value))}
              >
                <option value={0}>Ninguém</option>
                {people.data.map(({ id, name, open_orders }) => (
                  <option key={id} value={id}>
                    {name} ({open_orders})
                  </option>
                ))}
              </HTMLSelect>
            )}
          </Field>
        ) : (
          <Skeleton />
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Voltar" onClick={onClose} disabled={isBusy} />
            <Button
              type="submit"
              intent="primary"
              text="Mudar responsável"
              disabled={!people.data}
              loading={isBusy}
            />
          </>
        }
      />
    </form>
  )
}
