import { ArrowLeftIcon, ArrowRightIcon } from '@blueprintjs/icons'
import { Link, useLoaderData, useParams, useSearch } from '@tanstack/react-router'
import { isSignedIn } from '../../../lib/session.ts'
import { LinkButton } from '../../../ui/page/link-button.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { HelpList, type Manual } from './help-list.tsx'
import { HelpText } from './help-text.tsx'
import type { ManualPage } from './manual.ts'
import './help.css'

/** The manual: a search and all pages beside the one that is read. Without a page in the address, its index. */
export function HelpPage() {
  return isSignedIn() ? <Help /> : <PublicHelp />
}

/** For somebody who is not signed in, and may be unable to. */
const PublicHelp = () => (
  <div className="help-public">
    <header className="help-public-top">
      <strong>Garantia</strong>
      <LinkButton to="/login" variant="outlined" text="Entrar" />
    </header>
    <main>
      <Help />
    </main>
  </div>
)

function Help() {
  // Two routes show this page, with and without a name in the address; both load the manual.
  const loaded = useLoaderData({ strict: false }) as Manual
  const { manual } = loaded
  const { page: name } = useParams({ strict: false })
  const { busca = '' } = useSearch({ strict: false })
  const page = manual.pages.find((one) => one.name === name)
  return (
    <div className={name === undefined ? 'help' : 'help shows-page'}>
      <PageHeader
        title={page?.title ?? (name === undefined ? manual.index.title : 'Página não encontrada')}
      />
      <HelpList manual={loaded} page={page} wanted={busca} />
      <article className="help-text">
        {name !== undefined && (
          <Link to="/ajuda" search={{ busca: busca || undefined }} className="help-back">
            Todas as páginas da ajuda
          </Link>
        )}
        {page ? (
          <Page key={page.name} page={page} pages={manual.pages} />
        ) : name === undefined ? (
          <HelpText tokens={manual.index.tokens} />
        ) : (
          <Missing />
        )}
      </article>
    </div>
  )
}

const Missing = () => (
  <p>
    A ajuda não tem esta página. Procure por uma palavra, ou escolha entre <Link to="/ajuda">todas</Link>.
  </p>
)

function Page({ page, pages }: { page: ManualPage; pages: readonly ManualPage[] }) {
  const index = pages.indexOf(page)
  const [previous, next] = [pages[index - 1], pages[index + 1]]
  return (
    <>
      <HelpText tokens={page.tokens} />
      <nav aria-label="Página anterior e seguinte" className="help-neighbours">
        {previous && (
          <LinkButton
            to="/ajuda/$page"
            params={{ page: previous.name }}
            rel="prev"
            icon={<ArrowLeftIcon />}
            text={previous.title}
          />
        )}
        {next && (
          <LinkButton
            to="/ajuda/$page"
            params={{ page: next.name }}
            rel="next"
            endIcon={<ArrowRightIcon />}
            text={next.title}
          />
        )}
      </nav>
    </>
  )
}
