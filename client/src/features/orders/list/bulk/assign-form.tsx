import { Button, DialogBody, DialogFooter, HTMLSelect } from '@blueprintjs/core'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { useState } from 'react'
import { useActor } from '../../../../lib/actor.ts'
import { trpc } from '../../../../lib/trpc.ts'
import { ErrorState } from '../../../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../../../ui/feedback/skeleton.tsx'
import { Field } from '../../../../ui/form/field.tsx'
import { useShortcut } from '../../../../ui/keys/shortcut.ts'
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

const NOBODY = 0

export function AssignForm({ orders, onAssign, onClose }: Omit<AssignProps, 'isBusy'>) {
  const company_ids = [...new Set(orders.map(({ company_id }) => company_id))].sort((a, b) => a - b)
  const people = trpc.orders.assignees.useQuery({ company_ids }, { enabled: company_ids.length > 0 })
  const [present] = orders
  const isShared = orders.every((one) => one.responsible_user_id === present?.responsible_user_id)
  const actor = useActor()
  const me = people.data?.find(({ id }) => actor.kind === 'user' && id === actor.id)
  const [choice, setChoice] = useState<number>()
  // Orders without anybody are most often taken by who asks.
  const proposed = isShared ? (present?.responsible_user_id ?? me?.id) : undefined
  const chosen = choice ?? proposed ?? NOBODY
  const { press, isBusy } = usePress(() => people.data && onAssign(chosen || null))
  useShortcut('mod+enter', press, { worksInFields: true, label: 'Mudar responsável' })
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
                onChange={(event) => setChoice(Number(event.currentTarget.value))}
              >
                <option value={NOBODY}>Ninguém</option>
                {people.data.map(({ id, name, open_orders }) => (
                  <option key={id} value={id}>
                    {name} ({open_orders}){id === me?.id && ' · eu'}
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
