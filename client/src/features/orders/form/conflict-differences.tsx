import { HTMLTable } from '@blueprintjs/core'
import { dateTime } from '@garantia/shared/format'
import { FIELD_LABEL } from '@garantia/shared/orders/field-label'
import type { OrderView } from '@garantia/shared/orders/schema'
import { ORDER_STATUS, type OrderStatus } from '@garantia/shared/orders/status'
import { trpc } from '../../../lib/trpc.ts'
import type { FieldName } from './order-field.tsx'
import type { Conflict } from './use-order-change.ts'

/** What others have saved, field by field, beside what was typed. */
export function Differences({ conflict: { notice, now, clashes, authors } }: { conflict: Conflict }) {
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
    if (name === 'responsible_user_id')
      return id === now.responsible_user_id
        ? now.responsible_name
        : (utils.orders.assignees.getData({ company_ids: [now.company_id] })?.find((one) => one.id === id)
            ?.name ?? 'Outra pessoa (a escolhida por você)')
    if (name === 'technician_user_id')
      return id === now.technician_user_id
        ? now.technician_name
        : (utils.orders.technicians.getData({ company_id: now.company_id })?.find((one) => one.id === id)
            ?.full_name ?? 'Outro técnico (o escolhido por você)')
    return text
  }
}
