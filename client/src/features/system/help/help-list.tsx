import { Classes } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { KeyCap } from '../../../ui/keys/key-cap.tsx'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { useDebouncedText } from '../../../ui/table/debounced-text.ts'
import type { ManualPage } from './manual.ts'

export type Manual = typeof import('./manual.ts')

interface Props {
  manual: Manual
  page: ManualPage | undefined
  wanted: string
}

/** All pages of the manual in their groups, or those that have the typed words. */
export function HelpList({ manual: { manual, findPages }, page, wanted }: Props) {
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useDebouncedText(
    wanted,
    (busca) => void navigate({ to: '.', search: { busca }, replace: true, resetScroll: false }),
  )
  useShortcut('/', () => field.current?.focus(), { label: 'Procurar na ajuda' })
  const found = wanted === '' ? null : findPages(wanted)
  const openFirst = () => {
    const [first] = typed.trim() === '' ? [] : findPages(typed)
    if (first)
      void navigate({
        to: '/ajuda/$page',
        params: { page: first.page.name },
        search: { busca: typed.trim() },
      })
  }
  return (
    <div className="help-list">
      <search className={`${Classes.INPUT_GROUP} help-search`}>
        <SearchIcon />
        <input
          className={Classes.INPUT}
          type="search"
          aria-label="Procurar na ajuda"
          placeholder="Procurar na ajuda"
          value={typed}
          ref={field}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Enter' && openFirst()}
        />
        <span className={Classes.INPUT_ACTION}>
          <KeyCap keys="/" />
        </span>
      </search>
      <p className="visually-hidden" role="status">
        {found && (found.length === 1 ? '1 página encontrada' : `${found.length} páginas encontradas`)}
      </p>
      <nav aria-label="Páginas da ajuda">
        {found ? (
          <Found found={found} page={page} wanted={wanted} />
        ) : (
          manual.groups.map(({ heading, pages }) => (
            <section key={heading}>
              <h2>{heading}</h2>
              <ul>
                {pages.map((one) => (
                  <li key={one.name}>
                    <PageEntry one={one} isCurrent={one === page} />
                  </li>
                ))}
              </ul>
            </section>
          ))
        )}
      </nav>
    </div>
  )
}

interface EntryProps {
  one: ManualPage
  isCurrent: boolean
  wanted?: string
}
const PageEntry = ({ one, isCurrent, wanted }: EntryProps) => (
  <Link
    to="/ajuda/$page"
    params={{ page: one.name }}
    search={{ busca: wanted }}
    className={isCurrent ? 'help-entry is-active' : 'help-entry'}
    aria-current={isCurrent ? 'page' : undefined}
  >
    {one.title}
  </Link>
)

function Found({ found, page, wanted }: Omit<Props, 'manual'> & { found: ReturnType<Manual['findPages']> }) {
  if (found.length === 0) return <p className="help-nothing">Nada na ajuda sobre «{wanted}».</p>
  return (
    <ul>
      {found.map(({ page: one, sections }) => (
        <li key={one.name}>
          <PageEntry one={one} isCurrent={one === page} wanted={wanted} />
          {sections.length > 0 && (
            <ul className="help-sections">
              {sections.map(({ heading, anchor }) => (
                <li key={anchor}>
                  <Link
                    to="/ajuda/$page"
                    params={{ page: one.name }}
                    search={{ busca: wanted }}
                    hash={anchor}
                    className="help-entry"
                  >
                    {heading}
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}
