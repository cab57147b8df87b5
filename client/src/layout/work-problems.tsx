import { WarningSignIcon } from '@blueprintjs/icons'
import { can } from '@garantia/shared/policy'
import { Link } from '@tanstack/react-router'
import { useActor } from '../lib/actor.ts'
import { trpc } from '../lib/trpc.ts'
import './work-problems.css'

const AGAIN_MS = 30_000

/** What is wrong with workers, queue and disk, above every screen of administrators while it lasts. */
export function WorkProblems() {
  const actor = useActor()
  const { data = [] } = trpc.installation.problems.useQuery(undefined, { refetchInterval: AGAIN_MS })
  return (
    <div role="status">
      {data.length > 0 && (
        <div className="work-problems">
          <WarningSignIcon size={14} aria-hidden="true" />
          <ul>
            {data.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          {can(actor, 'installation.read') && (
            <Link to="/settings" search={{ tab: 'sistema' }}>
              Ver em Sistema
            </Link>
          )}
        </div>
      )}
    </div>
  )
}
