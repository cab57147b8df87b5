import { Button } from '@blueprintjs/core'
import { dateTime } from '@garantia/shared/format'
import type { OrderView } from '@garantia/shared/orders/schema'
import { can } from '@garantia/shared/policy'
import { useId, useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { trpc } from '../../../lib/trpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { CommentForm } from './comment-form.tsx'
import './comments.css'

/** What people say about an order; part of its history. */
export function CommentsPanel({ order }: { order: OrderView }) {
  const id = useId()
  const mayComment = can(useActor(), 'order.comment', order)
  return (
    <section className="order-card comments" aria-labelledby={id}>
      <h2 id={id}>Comentários</h2>
      {mayComment && <CommentForm order={order} />}
      <Page order_id={order.id} />
    </section>
  )
}

/** One page of comments; renders the next, older page below itself on request. */
function Page({ order_id, before }: { order_id: number; before?: number }) {
  const [isMoreWanted, setIsMoreWanted] = useState(false)
  const { data, error, refetch } = trpc.comments.list.useQuery({ id: order_id, before })
  if (error && !data)
    return <ErrorState title="Erro ao carregar comentários" error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Delayed>
        <Skeleton width={60} />
      </Delayed>
    )
  const last = data.comments.at(-1)
  return (
    <>
      {data.comments.length > 0 && (
        <ol className="comment-list">
          {data.comments.map(({ id, actor_name, at, comment }) => (
            <li key={id}>
              <p className="comment-line">
                <strong>{actor_name}</strong>
                <time className="muted" dateTime={at}>
                  {dateTime(at)}
                </time>
              </p>
              <p className="comment-text">{comment}</p>
            </li>
          ))}
        </ol>
      )}
      {data.comments.length === 0 && before === undefined && (
        <p className="muted">Nenhum comentário até agora.</p>
      )}
      {data.has_more && last && !isMoreWanted && (
        <Button text="Comentários anteriores" onClick={() => setIsMoreWanted(true)} />
      )}
      {data.has_more && last && isMoreWanted && <Page order_id={order_id} before={last.id} />}
    </>
  )
}
