import type { CompanyView } from '@garantia/shared/companies/schema'
import { Badge } from '../../../ui/feedback/badge.tsx'

/** Purple for a matriz, blue for a filial (COMP-10). */
export const TypeBadge = ({ type }: Pick<CompanyView, 'type'>) =>
  type === 'matriz' ? <Badge colour="purple">Matriz</Badge> : <Badge colour="blue">Filial</Badge>
