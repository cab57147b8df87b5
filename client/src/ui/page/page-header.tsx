import { createContext, type ReactNode, use } from 'react'
import { useDocumentTitle } from './document-title.ts'

/** What the frame shows below the heading of each screen: problems, and the guide of a new installation. */
export const BelowHeader = createContext<ReactNode>(null)

interface Props {
  title: string
  /** Beside the title: a badge, a count. */
  aside?: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
  /** Before the title: a back button. */
  lead?: ReactNode
}

/** Heading of a screen; also sets the document title. */
export function PageHeader({ title, aside, subtitle, actions, lead }: Props) {
  useDocumentTitle(title)
  return (
    <>
      <header className="page-header">
        {lead}
        <div className="page-header-text">
          <div className="page-header-line">
            <h1>{title}</h1>
            {aside}
          </div>
          {subtitle && <p className="muted">{subtitle}</p>}
        </div>
        {actions && <div className="page-header-actions">{actions}</div>}
      </header>
      {use(BelowHeader)}
    </>
  )
}
