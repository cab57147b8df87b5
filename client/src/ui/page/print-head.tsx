import { dateTime } from '@garantia/shared/format'
import { useMe } from '../../lib/actor.ts'

interface Props {
  /** What is filtered; without it, nothing is. */
  filters?: readonly string[]
  /** When the data were loaded, in ms since the epoch; 0 for never. */
  at: number
}

/** Heads what is printed of a screen, and only there: what was filtered, who printed it, of when the data are. */
export function PrintHead({ filters, at }: Props) {
  const { data: me } = useMe()
  return (
    <div className="print-only print-head">
      <span>{filters?.join(' · ') || 'Sem filtro'}</span>
      <span>
        {me && `Impresso por ${me.full_name || me.email}`}
        {at > 0 && ` · dados de ${dateTime(new Date(at))}`}
      </span>
    </div>
  )
}
