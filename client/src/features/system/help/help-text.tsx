import { Link } from '@tanstack/react-router'
import type { MarkedToken, Token, Tokens } from 'marked'
import { type ReactNode, Suspense, use } from 'react'
import { useTheme } from '../../../lib/theme.ts'
import { anchorOf } from './anchor.ts'

/** Every picture is a window of this size (tests/manual.test.ts), known before it has loaded. */
const PICTURE = { width: 1280, height: 800 }

/** A page as elements: no HTML is written, so that the content security policy holds. */
export const HelpText = ({ tokens }: { tokens: readonly Token[] }) => each(tokens, Block)

/** The lexer's own tokens; its type also allows those of extensions, of which there are none. */
const known = (tokens: readonly Token[] = []) => tokens as readonly MarkedToken[]
const each = (tokens: readonly Token[] | undefined, Part: (props: { token: MarkedToken }) => ReactNode) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: a page never changes
  known(tokens).map((token, index) => <Part key={index} token={token} />)
const inline = (tokens: readonly Token[] | undefined) => each(tokens, Inline)

function Block({ token }: { token: MarkedToken }) {
  switch (token.type) {
    case 'heading':
      return token.depth === 2 ? <h2 id={anchorOf(token.text)}>{inline(token.tokens)}</h2> : null
    case 'paragraph':
      return known(token.tokens)[0]?.type === 'image' ? (
        <figure>{inline(token.tokens)}</figure>
      ) : (
        <p>{inline(token.tokens)}</p>
      )
    case 'list':
      return token.ordered ? <ol>{items(token)}</ol> : <ul>{items(token)}</ul>
    case 'blockquote':
      return <div className="help-note">{each(token.tokens, Block)}</div>
    case 'table':
      return <Table token={token} />
    default:
      return null
  }
}

const items = ({ items }: Tokens.List) =>
  items.map((item) => <li key={item.raw}>{each(item.tokens, ListPart)}</li>)
/** The text of an item stands without a paragraph around it, other parts as anywhere. */
const ListPart = ({ token }: { token: MarkedToken }) =>
  token.type === 'text' ? <Inline token={token} /> : <Block token={token} />

const Table = ({ token: { header, rows } }: { token: Tokens.Table }) => (
  <table className="help-table">
    <thead>
      <tr>
        {header.map((cell) => (
          <th key={cell.text} scope="col">
            {inline(cell.tokens)}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.map(({ text }) => text).join()}>
          {row.map((cell) => (
            <td key={cell.text}>{inline(cell.tokens)}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

function Inline({ token }: { token: MarkedToken }) {
  switch (token.type) {
    case 'text':
      return token.tokens ? inline(token.tokens) : token.text
    case 'escape':
      return token.text
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>
    case 'em':
      return <em>{inline(token.tokens)}</em>
    case 'codespan':
      return <kbd className="kbd">{token.text}</kbd>
    case 'link':
      return <PageLink {...token} />
    case 'image':
      return (
        <Suspense fallback={<img alt={token.text} {...PICTURE} />}>
          <Picture {...token} />
        </Suspense>
      )
    default:
      return null
  }
}

/** A link to another page, «lista-de-os.md#filtros», or to a heading of this one. */
function PageLink({ href, tokens }: Tokens.Link) {
  const [file = '', hash] = href.split('#')
  return file === '' ? (
    <a href={href}>{inline(tokens)}</a>
  ) : (
    <Link to="/ajuda/$page" params={{ page: file.replace(/\.md$/, '') }} hash={hash}>
      {inline(tokens)}
    </Link>
  )
}

let loading: Promise<typeof import('./pictures.ts')> | undefined
const loadPictures = () => {
  loading ??= import('./pictures.ts')
  return loading
}

function Picture({ href, text }: Tokens.Image) {
  const theme = useTheme()
  const address = use(loadPictures()).addressOf(href, theme)
  return (
    <a href={address} target="_blank" rel="noopener" title="Abrir a imagem em tamanho real">
      <img src={address} alt={text} loading="lazy" {...PICTURE} />
    </a>
  )
}
