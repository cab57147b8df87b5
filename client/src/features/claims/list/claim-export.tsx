import { Button } from '@blueprintjs/core'
import { ExportIcon } from '@blueprintjs/icons'
import { MenuButton } from '../../../ui/overlay/menu-button.tsx'
import { EXPORTS, useExport } from '../../orders/list/order-export.ts'
import { claimCriteriaOf } from './claim-criteria.ts'
import type { ClaimsSearch } from './claims-search.ts'

export const CLAIM_EXPORT = {
  path: '/claims/export',
  name: 'solicitacoes-de-garantia',
  what: 'as solicitações',
} as const

/** The list as a file, with its filters and its order. */
export function ClaimExport({ state, isEmpty }: { state: ClaimsSearch; isEmpty: boolean }) {
  const exporting = useExport(CLAIM_EXPORT)
  const { sort, direction } = state
  return (
    <MenuButton
      label="Exportar a lista"
      items={[
        ...EXPORTS.map(({ format, text }) => ({
          text,
          isDisabled: isEmpty,
          onClick: () => exporting.press({ format, ...claimCriteriaOf(state), sort, direction }),
        })),
        { text: 'Imprimir esta página', isDisabled: isEmpty, onClick: () => window.print() },
      ]}
    >
      <Button icon={<ExportIcon />} text="Exportar" loading={exporting.isBusy} />
    </MenuButton>
  )
}
