import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useDocumentTitle } from '../../../ui/page/document-title.ts'
import './auth.css'

interface Props {
  /** Title of the browser tab; with a `description` also heading of the page. */
  title: string
  /** What this page is for, below its title. */
  description?: ReactNode
  /** Links to the other public pages. */
  links: ReactNode
  children: ReactNode
}

/** Frame of the public pages. */
export function AuthCard({ title, description, links, children }: Props) {
  useDocumentTitle(title)
  return (
    <main className="auth">
      <div className="auth-card panel">
        <div className="auth-name">
          <img src="/favicon.svg" alt="" width={36} height={36} />
          <div>
            <h1>Garantia</h1>
            <p className="muted">Ordens de serviço e evidências</p>
          </div>
        </div>
        {description && (
          <div className="auth-text">
            <h2>{title}</h2>
            <p className="muted">{description}</p>
          </div>
        )}
        {children}
        <div className="auth-links">
          {links}
          <Link to="/ajuda/$page" params={{ page: 'entrar' }}>
            Ajuda
          </Link>
        </div>
      </div>
    </main>
  )
}
