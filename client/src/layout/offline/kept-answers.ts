import type { Query, QueryClient } from '@tanstack/react-query'
import { isServerAway } from '../../lib/connection.ts'
import { ANSWERS_KEPT_MS, keptAnswer, onKeptData } from '../../lib/kept-data.ts'
import { statusOf } from '../../lib/messages.ts'

/** What lists and screens of orders ask for. */
const KEPT = [
  'account.me',
  'firstSteps.read',
  'installation.problems',
  'orderList.page',
  'orders.one',
  'evidence.list',
  'evidence.checklist',
  'brands.evidenceRules',
  'conversion.report',
  'dossier.list',
  'retention.holdOf',
]

/**
 * Keeps the last answers about orders on the device, and shows them where the server is away. Signing out deletes
 * them.
 */
export function keepAnswers(queryClient: QueryClient) {
  const keep = ({ queryHash: hash, state: { data, dataUpdatedAt: at } }: Query) =>
    onKeptData((database, session) => database.put('answers', { hash, session, data, at }))
  const show = async (query: Query) => {
    const { queryHash, queryKey } = query
    const kept = await keptAnswer(queryHash)
    // It may have come by itself meanwhile, or its person has left.
    const isAsked = queryClient.getQueryCache().get(queryHash) === query
    if (!kept || !isAsked || query.state.data !== undefined) return
    queryClient.setQueryData(queryKey, kept.data, { updatedAt: kept.at })
    // Asked for again when the server is back.
    await queryClient.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
  }
  const follow = (query: Query, isNew: boolean) => {
    const { data, error } = query.state
    // Without network it may not be known yet that the server is away.
    const isUnanswered =
      error !== null && statusOf(error) === undefined && (isServerAway() || !navigator.onLine)
    if (data === undefined && isUnanswered) show(query).catch(() => {})
    else if (data !== undefined && isNew) keep(query).catch(() => {})
  }
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || !isKept(event.query)) return
    const { action } = event
    // What a screen has set itself may never have been saved; of an order it is the server's answer, or set back.
    const isAnswer = action.type === 'success' && (!action.manual || isAnswerTo(event.query, 'orders.one'))
    if (isAnswer) follow(event.query, true)
    if (action.type === 'error') follow(event.query, false)
  })
  // What was answered, or failed, before this was loaded.
  for (const query of queryClient.getQueryCache().getAll()) if (isKept(query)) follow(query, true)
}

/** Forgets what no screen shows any more. */
export const dropOldAnswers = () =>
  onKeptData(async (database) => {
    const work = database.transaction('answers', 'readwrite')
    for await (const cursor of work.store
      .index('at')
      .iterate(IDBKeyRange.upperBound(Date.now() - ANSWERS_KEPT_MS)))
      await cursor.delete()
  })

const isKept = (query: Query) => KEPT.some((path) => isAnswerTo(query, path))
/** Whether it asks for this, as «orders.one». */
export const isAnswerTo = ({ queryKey }: Query, path: string) => {
  const [parts] = queryKey as [unknown]
  return Array.isArray(parts) && parts.join('.') === path
}
