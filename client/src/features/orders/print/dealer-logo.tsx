import { trpc } from '../../../lib/trpc.ts'
import type { SheetProps } from './sheet-parts.tsx'

/** The logo that the order's company has today; nothing without one. */
export function DealerLogo({ order }: SheetProps) {
  const { data: company } = trpc.companies.one.useQuery({ id: order.company_id })
  if (!company?.logo_url) return null
  return <img className="sheet-logo" src={company.logo_url} alt={`Logotipo de ${company.trading_name}`} />
}
