import { CompassIcon } from '@blueprintjs/icons'
import { useDocumentTitle } from '../ui/page/document-title.ts'
import { LinkButton } from '../ui/page/link-button.tsx'

/** Rendered inside the layout; <NotFoundPage> is the same on a page of its own (NAV-6 to NAV-8). */
export function NotFound() {
  useDocumentTitle('Página não disponível')
  return (
    <div className="not-found">
      <CompassIcon size={36} aria-hidden="true" />
      <h1>Página não disponível</h1>
      <p className="muted">Essa página ainda não está disponível.</p>
      <LinkButton to="/" intent="primary" text="Voltar ao início" />
    </div>
  )
}

export const NotFoundPage = () => (
  <main className="standalone-page">
    <NotFound />
  </main>
)
