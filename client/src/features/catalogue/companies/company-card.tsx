import { formatTaxId } from '@garantia/shared/br/tax-id'
import type { CompanyView } from '@garantia/shared/companies/schema'
import { TypeBadge } from './company-badge.tsx'
import { type CompanyActions, CompanyMenu } from './company-menu.tsx'

/** List row as a card, for phones. */
export const CompanyCard = ({ company, actions }: { company: CompanyView; actions: CompanyActions }) => (
  <div className="row-card panel">
    <div className="row-card-line">
      <strong className="clip">{company.trading_name}</strong>
      <CompanyMenu company={company} actions={actions} />
    </div>
    <span className="cell-second">{company.legal_name}</span>
    <div className="row-card-line">
      <span className="muted numeric">{formatTaxId(company.tax_id)}</span>
      <TypeBadge type={company.type} />
    </div>
    {!company.is_active && <span className="cell-second">Inativa</span>}
  </div>
)
