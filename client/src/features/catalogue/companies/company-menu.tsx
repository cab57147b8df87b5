import { EditIcon, TrashIcon } from '@blueprintjs/icons'
import type { CompanyView } from '@garantia/shared/companies/schema'
import { can } from '@garantia/shared/policy'
import { useActor } from '../../../lib/actor.ts'
import { RowMenu } from '../../../ui/table/row-menu.tsx'

export interface CompanyDeeds {
  edit: (company: CompanyView) => void
  remove: (company: CompanyView) => void
}

/** COMP-11, without what the server would refuse. */
export function CompanyMenu({ company, deeds }: { company: CompanyView; deeds: CompanyDeeds }) {
  const actor = useActor()
  const items = [
    ...(can(actor, 'company.change', company)
      ? [{ text: 'Editar', icon: <EditIcon />, onClick: () => deeds.edit(company) }]
      : []),
    ...(can(actor, 'company.delete')
      ? [{ text: 'Excluir', icon: <TrashIcon />, isDanger: true, onClick: () => deeds.remove(company) }]
      : []),
  ]
  return items.length > 0 ? <RowMenu label={`Ações de ${company.trading_name}`} items={items} /> : null
}
