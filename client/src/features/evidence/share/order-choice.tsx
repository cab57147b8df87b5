import { InputGroup } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import type { OrderRow } from '@garantia/shared/orders/schema'
import { ORDER_STATUS } from '@garantia/shared/orders/status'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { keepFiles, takeFiles, uploadOf, useDraftKeys } from '../../../lib/drafts.ts'
import { isAwayError, messageOf } from '../../../lib/messages.ts'
import { factsOf, useOrderSearch, useRecent } from '../../../lib/order-search.ts'
import type { SharedFile } from '../../../lib/shared-files.ts'
import { StatusBadge } from '../../../ui/feedback/badge.tsx'
import { usePress } from '../../../ui/press.ts'
import { nameOf } from '../../orders/list/order-display.ts'
import { unavailableReason } from '../../orders/list/order-row-actions.ts'
import { forgetOnceSafe } from './forget-once-safe.ts'

/** Key of the upload that files were kept for last. */
let lastKey = ''

/** The orders opened last, or those that match what is typed; pressing one opens its upload with the files. */
export function OrderChoice({ files }: { files: readonly SharedFile[] }) {
  const navigate = useNavigate()
  const actor = useActor()
  const keyOf = useDraftKeys()
  const [typed, setTyped] = useState('')
  const wanted = typed.trim()
  const found = useOrderSearch(wanted)
  const recent = useRecent(actor.kind === 'user' ? actor.id : 0)
  const isAway = isAwayError(found.error)
  const isRecent = wanted === '' || isAway
  const orders = isRecent ? recent.orders : (found.orders ?? [])
  const { press: choose } = usePress(({ id }: OrderRow) => {
    // Nothing stays for the one chosen before, whose page may not have come.
    takeFiles(lastKey)
    lastKey = keyOf(uploadOf(id))
    keepFiles(lastKey, files)
    forgetOnceSafe(files)
    return navigate({ to: '/os/$id', params: { id }, search: { tab: 'evidencias' } })
  })

  return (
    <section aria-labelledby="para-qual-os">
      <h2 id="para-qual-os">Para qual OS?</h2>
      <InputGroup
        type="search"
        leftIcon={<SearchIcon />}
        aria-label="Procurar OS"
        placeholder="Número, placa, chassi ou cliente"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <p className="muted" role="status">
        {isAway && 'Sem conexão, só as OS abertas há pouco.'}
        {!isAway && !found.isUpToDate && 'Buscando…'}
        {!isRecent && found.isUpToDate && !found.error && orders.length === 0 && (
          <>Nenhuma ordem de serviço encontrada para «{wanted}».</>
        )}
        {wanted === '' && !recent.isPending && orders.length === 0 && 'Nenhuma OS aberta há pouco.'}
      </p>
      {found.error !== null && !isAway && (
        <p className="share-error" role="alert">
          {messageOf(found.error)}
        </p>
      )}
      {orders.length > 0 && (
        <>
          <h3 className="muted">{isRecent ? 'Abertas há pouco' : 'Encontradas'}</h3>
          <ul className={found.isUpToDate ? 'panel' : 'panel is-stale'}>
            {orders.map((order) => (
              <li key={order.id}>
                <OrderButton
                  order={order}
                  reason={unavailableReason.upload(actor, order)}
                  onChoose={() => choose(order)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

interface ButtonProps {
  order: OrderRow
  /** Why nothing can be sent to it. */
  reason: string | null
  onChoose: () => void
}
const OrderButton = ({ order, reason, onChoose }: ButtonProps) => (
  <button
    type="button"
    className="share-order"
    // Not `disabled`: the reason in it is also for whoever comes by the keyboard.
    aria-disabled={reason !== null}
    onClick={() => reason === null && onChoose()}
  >
    <span className="share-order-name numeric">{nameOf(order)}</span>
    <StatusBadge badge={ORDER_STATUS[order.status]} />
    <span className="share-order-facts">{factsOf(order)}</span>
    {reason !== null && <span className="share-order-facts">{reason}</span>}
  </button>
)
