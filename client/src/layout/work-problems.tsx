import { WarningSignIcon } from '@blueprintjs/icons'
import { can } from '@garantia/shared/policy'
import { Link } from '@tanstack/react-router'
import { useActor } from '../lib/actor.ts'
import type { ShownProblem } from './use-work-problems.ts'
import './work-problems.css'

/** What is wrong with workers, queue and disk, below the heading of every screen. */
export function WorkProblems({ problems }: { problems: ShownProblem[] }) {
  const actor = useActor()
  return (
    <div role="status" aria-label="Problemas do sistema" className="work-problems">
      <WarningSignIcon size={14} aria-hidden="true" />
      <ul>
        {problems.map(({ id, text, isOver }) => (
          <li key={id}>
            {isOver ? <s>{text}</s> : text}
            {isOver && ' Resolvido.'}
          </li>
        ))}
      </ul>
      {can(actor, 'installation.read') && (
        <Link to="/settings" search={{ tab: 'sistema' }}>
          Ver em Sistema
        </Link>
      )}
    </div>
  )
}
