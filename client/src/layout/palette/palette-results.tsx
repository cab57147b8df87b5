import type { MeView } from '@garantia/shared/users/schema'
import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { isAwayError, messageOf } from '../../lib/messages.ts'
import { useOrderSearch, useRecent } from '../../lib/order-search.ts'
import { registered } from '../../ui/keys/shortcut-registry.ts'
import { actionGroups, type Entry, type EntryGroup, orderEntries, parseQuery } from './entries.ts'
import './palette-results.css'
import { PaletteList } from './palette-list.tsx'
import { useManual } from './use-manual.ts'

interface Props {
  me: MeView
  /** Element that had the focus before. */
  opener: Element | null
  /** Closes the dialog, then runs the action. */
  onChoose: (act: () => void) => void
  id: string
  typed: string
  /** Enter was pressed: the active option is followed as soon as the results are known. */
  pendingEnter: { isNewTab: boolean } | null
  onEnterHandled: () => void
  /** Reports the id of the active option to the input. */
  onCurrent: (id: string | undefined) => void
  /** Set to the handler of the input's arrow keys. */
  step: RefObject<((by: number) => void) | undefined>
}
const FEW = 4

/** Finds orders by any of their data, actions available on this screen, and pages of the manual. */
export function PaletteResults({
  me,
  opener,
  id,
  typed,
  pendingEnter,
  onChoose,
  onEnterHandled,
  onCurrent,
  step,
}: Props) {
  const navigate = useNavigate()
  const { isActionsOnly, wanted } = parseQuery(typed)
  const found = useOrderSearch(isActionsOnly ? '' : wanted)
  const { orders: recent } = useRecent(me.id)
  const manual = useManual(isActionsOnly ? '' : wanted)
  const [shortcuts] = useState(registered)

  const actions = actionGroups(shortcuts, opener, wanted)
  const groups: EntryGroup[] = (
    isActionsOnly || wanted === ''
      ? [{ heading: 'Recentes', entries: isActionsOnly ? [] : orderEntries(recent) }, ...actions]
      : [
          { heading: 'Ordens de serviço', entries: orderEntries(found.orders ?? []) },
          ...actions.map((group) => ({ ...group, entries: group.entries.slice(0, FEW) })),
          { heading: 'Ajuda', entries: manual.entries.slice(0, FEW) },
          {
            heading: 'Mais',
            entries: [
              searchInListEntry(wanted, (search) => navigate({ to: '/lista-os', search: { search } })),
            ],
          },
        ]
  ).filter(({ entries }) => entries.length > 0)
  const entries = groups.flatMap((group) => group.entries)

  // Another text activates the first option again.
  const [chosen, setChosen] = useState({ id: '', typed })
  const index = Math.max(0, chosen.typed === typed ? entries.findIndex((entry) => entry.id === chosen.id) : 0)
  const current = entries[index]
  const isChosen = chosen.typed === typed && current?.id === chosen.id
  const optionId = (entry: Entry) => `${id}-${entry.id}`
  const currentId = current && optionId(current)
  useEffect(() => onCurrent(currentId), [currentId, onCurrent])
  step.current = (by) => {
    const next = entries.at((index + by) % entries.length)
    if (next) setChosen({ id: next.id, typed })
  }
  const choose = (entry: Entry, isNewTab = false) => {
    if (entry.kind === 'action') return onChoose(entry.act)
    if (entry.kind === 'page') {
      const { name: page, anchor: hash } = entry
      if (isNewTab) window.open(`/ajuda/${page}#${hash}`, '_blank', 'noopener')
      else onChoose(() => void navigate({ to: '/ajuda/$page', params: { page }, hash }))
      return
    }
    const to = { to: '/os/$id', params: { id: entry.order.id } } as const
    if (isNewTab) window.open(`/os/${entry.order.id}`, '_blank', 'noopener')
    else onChoose(() => void navigate(to))
  }
  const isKnown = (found.isUpToDate && manual.isReady) || isChosen
  const follow = useEffectEvent(() => {
    onEnterHandled()
    if (current) choose(current, pendingEnter?.isNewTab)
  })
  useEffect(() => {
    if (pendingEnter && isKnown) follow()
  }, [pendingEnter, isKnown])

  const isNothing =
    wanted !== '' && !isActionsOnly && found.isUpToDate && !found.error && found.orders?.length === 0

  return (
    <>
      <div className="palette-state" role="status">
        {!found.isUpToDate && <span className="muted">Buscando…</span>}
        {isNothing && <span>Nenhuma ordem de serviço encontrada para «{wanted}».</span>}
        {found.isUpToDate && (found.orders?.length ?? 0) > 0 && wanted !== '' && !isActionsOnly && (
          <span className="visually-hidden">
            {found.orders?.length === 1 ? '1 OS encontrada' : `${found.orders?.length} OS encontradas`}
          </span>
        )}
      </div>
      {found.error !== null && !isAwayError(found.error) && (
        <div className="palette-error" role="alert">
          <span>{messageOf(found.error)}</span>
          <button type="button" className="bp6-button bp6-small" onClick={found.retry}>
            Tentar novamente
          </button>
        </div>
      )}
      <PaletteList
        id={`${id}-list`}
        groups={groups}
        current={current}
        optionId={optionId}
        isStale={!found.isUpToDate}
        onPoint={(entry) => setChosen({ id: entry.id, typed })}
        onChoose={choose}
      />
    </>
  )
}

const searchInListEntry = (wanted: string, go: (search: string) => unknown): Entry => ({
  kind: 'action',
  id: 'action-list',
  label: `Procurar «${wanted}» na lista de OS`,
  keys: undefined,
  act: () => void go(wanted),
})
