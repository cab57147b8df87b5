import { EditIcon, TrashIcon } from '@blueprintjs/icons'
import type { CompanyView } from '@garantia/shared/companies/schema'
import { can } from '@garantia/shared/policy'
import { useActor } from '../../../lib/actor.ts'
import { RowMenu } from '../../../ui/table/row-menu.tsx'

export interface CompanyActions {
  edit: (company: CompanyView) => void
  remove: (company: CompanyView) => void
}

/** The row menu of COMP-11; actions the server would refuse are left out. */
export function CompanyMenu({ company, actions }: { company: CompanyView; actions: CompanyActions }) {
  const actor = useActor()
  const items = [
    ...(can(actor, 'company.change', company)
      ? [{ text: 'Editar', icon: <EditIcon />, onClick: () => actions.edit(company) }]
      : []),
    ...(can(actor, 'company.delete')
      ? [{ text: 'Excluir', icon: <TrashIcon />, isDanger: true, onClick: () => actions.remove(company) }]
      : []),
  ]
  return items.length > 0 ? <RowMenu label={`Ações de ${company.trading_name}`} items={items} /> : null
}
