import { Button, DialogBody, DialogFooter, HTMLTable } from '@blueprintjs/core'
import { dateTime } from '@garantia/shared/format'
import type { OrderView } from '@garantia/shared/orders/schema'
import { isClosed, ORDER_STATUS, type OrderStatus } from '@garantia/shared/orders/status'
import { useRef } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { Modal } from '../../../ui/overlay/modal.tsx'
import { FIELD_LABEL } from '../order/order-labels.ts'
import type { FieldName } from './order-field.tsx'
import type { Conflict, OrderChangeState } from './use-order-change.ts'

/** Two users edited the same order: shows both changes and lets the user choose (D-49). */
export function ConflictDialog({ change }: { change: OrderChangeState }) {
  const { conflict, isBusy, closeConflict } = change
  const last = useRef(conflict)
  if (conflict) last.current = conflict
  const shown = conflict ?? last.current
  return (
    <Modal
      isOpen={conflict !== null}
      title="Esta OS foi alterada por outra pessoa"
      onClose={closeConflict}
      role="alertdialog"
      width="wide"
      isCloseable={!isBusy}
    >
      <DialogBody>{shown && <Differences conflict={shown} />}</DialogBody>
      <DialogFooter
        actions={
          <>
            <Button
              text="Recarregar"
              title="Ficar com o valor salvo nos campos em conflito"
              disabled={isBusy}
              onClick={() => conflict && change.takeTheirs(conflict)}
            />
            <Button
              autoFocus
              intent="primary"
              text="Manter o meu"
              title="Salvar o que você digitou"
              loading={isBusy}
              disabled={shown !== null && isClosed(shown.now.status)}
              onClick={() => conflict && void change.keepMine(conflict)}
            />
          </>
        }
      />
    </Modal>
  )
}

function Differences({ conflict: { notice, now, clashes, authors } }: { conflict: Conflict }) {
  const nameOf = useNames(now)
  return (
    <>
      <p className="dialog-lead">
        {notice.replace(/\.?$/, '.')} Nada do que você digitou se perdeu: as suas outras alterações continuam
        no formulário.
      </p>
      <HTMLTable className="conflict-table" striped={false}>
        <thead>
          <tr>
            <th scope="col">Campo</th>
            <th scope="col">Valor salvo agora</th>
            <th scope="col">O seu</th>
          </tr>
        </thead>
        <tbody>
          {clashes.map(({ name, theirs, mine }) => {
            const author = authors.get(name)
            return (
              <tr key={name}>
                <th scope="row">{FIELD_LABEL[name]}</th>
                <td>
                  {nameOf(name, theirs)}
                  {author && (
                    <span className="conflict-author">
                      {author.actor_name}, {dateTime(author.at)}
                    </span>
                  )}
                </td>
                <td className={mine === null ? 'muted' : undefined}>
                  {mine === null ? 'não alterado' : nameOf(name, mine)}
                </td>
              </tr>
            )
          })}
        </tbody>
      </HTMLTable>
    </>
  )
}

/** Replaces ids by names. */
function useNames(now: OrderView) {
  const utils = trpc.useUtils()
  return (name: FieldName, text: string) => {
    if (text === '') return '—'
    if (name === 'status') return ORDER_STATUS[text as OrderStatus].label
    const id = Number(text)
    if (name === 'brand_id')
      return id === now.brand_id
        ? now.brand.display_name
        : utils.brands.list.getData()?.data.find((one) => one.id === id)?.display_name
    if (name === 'company_id')
      return id === now.company_id ? now.company.trading_name : 'Outra empresa (a escolhida por você)'
    if (name === 'technician_user_id') return `nº ${text}`
    return text
  }
}
