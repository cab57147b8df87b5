import { InputGroup } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import type { MeView } from '@garantia/shared/users/schema'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import { messageOf } from '../../lib/messages.ts'
import { spend } from '../../ui/pressed-keys.ts'
import { registered } from '../../ui/shortcut-registry.ts'
import { deedGroups, type Entry, type EntryGroup, orderEntries, readTyped } from './entries.ts'
import './palette.css'
import { PaletteList } from './palette-list.tsx'
import { useFound, useRecent } from './use-found.ts'

interface Props {
  me: MeView
  /** What had the focus before. */
  opener: Element | null
  /** Closes, and then does it. */
  onChoose: (act: () => void) => void
}
const FEW = 4

/** Finds an order by whatever is known of it, and offers what may be done here. */
export function Palette({ me, opener, onChoose }: Props) {
  const navigate = useNavigate()
  const id = useId()
  const [typed, setTyped] = useState('')
  const { isDeedsOnly, wanted } = readTyped(typed)
  const found = useFound(isDeedsOnly ? '' : wanted)
  const recent = useRecent(me.id)
  const [shortcuts] = useState(registered)

  const deeds = deedGroups(shortcuts, opener, wanted)
  const groups: EntryGroup[] = (
    isDeedsOnly || wanted === ''
      ? [{ heading: 'Recentes', entries: isDeedsOnly ? [] : orderEntries(recent) }, ...deeds]
      : [
          { heading: 'Ordens de serviço', entries: orderEntries(found.orders ?? []) },
          ...deeds.map((group) => ({ ...group, entries: group.entries.slice(0, FEW) })),
          {
            heading: 'Mais',
            entries: [inList(wanted, (search) => navigate({ to: '/lista-os', search: { search } }))],
          },
        ]
  ).filter(({ entries }) => entries.length > 0)
  const entries = groups.flatMap((group) => group.entries)

  const [chosen, setChosen] = useState<string>()
  const place = Math.max(
    0,
    entries.findIndex((entry) => entry.id === chosen),
  )
  const current = entries[place]
  const choose = (entry: Entry, isNewTab = false) => {
    if (entry.kind === 'deed') return onChoose(entry.act)
    const to = { to: '/os/$id', params: { id: entry.order.id } } as const
    if (isNewTab) window.open(`/os/${entry.order.id}`, '_blank', 'noopener')
    else onChoose(() => void navigate(to))
  }

  // Enter before the answer means the first of those to come.
  const [bound, setBound] = useState<{ isNewTab: boolean } | null>(null)
  const follow = useEffectEvent(() => {
    setBound(null)
    if (current) choose(current, bound?.isNewTab)
  })
  useEffect(() => {
    if (bound && found.isSettled) follow()
  }, [bound, found.isSettled])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && entries.length > 0) {
      event.preventDefault()
      setChosen(entries.at((place + step) % entries.length)?.id)
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    spend(event.key)
    const isNewTab = event.ctrlKey || event.metaKey
    if (current && (found.isSettled || chosen !== undefined)) choose(current, isNewTab)
    else setBound({ isNewTab })
  }
  const isNothing =
    wanted !== '' && !isDeedsOnly && found.isSettled && !found.error && found.orders?.length === 0
  const optionId = (entry: Entry) => `${id}-${entry.id}`

  return (
    <div className="palette">
      <InputGroup
        autoFocus
        className="palette-input"
        leftIcon={<SearchIcon />}
        type="text"
        role="combobox"
        aria-label="Buscar OS ou ação"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={current && optionId(current)}
        autoComplete="off"
        spellCheck={false}
        placeholder="OS, placa, chassi, CPF/CNPJ, cliente… ou > para ações"
        value={typed}
        onChange={({ currentTarget }) => {
          setBound(null)
          setChosen(undefined)
          setTyped(currentTarget.value)
        }}
        onKeyDown={onKeyDown}
      />
      <div className="palette-state" role="status">
        {!found.isSettled && <span className="muted">Buscando…</span>}
        {isNothing && <span>Nenhuma ordem de serviço encontrada para «{wanted}».</span>}
        {found.isSettled && (found.orders?.length ?? 0) > 0 && wanted !== '' && !isDeedsOnly && (
          <span className="visually-hidden">
            {found.orders?.length === 1 ? '1 OS encontrada' : `${found.orders?.length} OS encontradas`}
          </span>
        )}
      </div>
      {found.error !== null && (
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
        isStale={!found.isSettled}
        onPoint={(entry) => setChosen(entry.id)}
        onChoose={choose}
      />
    </div>
  )
}

const inList = (wanted: string, go: (search: string) => unknown): Entry => ({
  kind: 'deed',
  id: 'deed-list',
  words: `Procurar «${wanted}» na lista de OS`,
  keys: undefined,
  act: () => void go(wanted),
})
