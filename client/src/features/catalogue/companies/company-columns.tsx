import { formatTaxId } from '@garantia/shared/br/tax-id'
import type { CompanyView } from '@garantia/shared/companies/schema'
import type { Column } from '../../../ui/table/data-table.tsx'
import { TwoLines } from '../../../ui/table/two-lines.tsx'
import { TypeBadge } from './company-badge.tsx'
import { type CompanyActions, CompanyMenu } from './company-menu.tsx'

/** The columns of COMP-9, in its order. */
export const companyColumns = (actions: CompanyActions): Column<CompanyView>[] => [
  {
    id: 'trading_name',
    header: 'Nome Fantasia',
    cell: ({ row: { original: company } }) => (
      <TwoLines first={company.trading_name} second={company.is_active ? null : 'Inativa'} />
    ),
  },
  {
    id: 'legal_name',
    header: 'Razão Social',
    cell: ({ row }) => <TwoLines first={row.original.legal_name} />,
  },
  {
    id: 'tax_id',
    header: 'CNPJ',
    meta: { width: 'w-tax-id' },
    cell: ({ row }) => <span className="numeric">{formatTaxId(row.original.tax_id)}</span>,
  },
  {
    id: 'type',
    header: 'Tipo',
    meta: { width: 'w-role' },
    cell: ({ row }) => <TypeBadge type={row.original.type} />,
  },
  {
    id: 'actions',
    header: 'Ações',
    meta: { width: 'w-actions', align: 'right' },
    cell: ({ row }) => <CompanyMenu company={row.original} actions={actions} />,
  },
]
