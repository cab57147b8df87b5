import { Button } from '@blueprintjs/core'
import { ExportIcon } from '@blueprintjs/icons'
import { MenuButton } from '../../../ui/overlay/menu-button.tsx'
import { EXPORTS, useExport } from './order-export.ts'
import { criteriaOf, type OrdersSearch } from './orders-search.ts'

interface Props {
  state: OrdersSearch
  isEmpty: boolean
  onPackages: () => void
}

/** What leaves the list as a file: the list itself, and the packages that were asked for. */
export function ExportMenu({ state, isEmpty, onPackages }: Props) {
  const exporting = useExport()
  const { sort, direction } = state
  return (
    <MenuButton
      label="Exportar a lista"
      items={[
        ...EXPORTS.map(({ format, text }) => ({
          text,
          isDisabled: isEmpty,
          onClick: () => exporting.press({ format, ...criteriaOf(state), sort, direction }),
        })),
        { text: 'Imprimir esta página', isDisabled: isEmpty, onClick: () => window.print() },
        { text: 'Pacotes pedidos…', heading: '', onClick: onPackages },
      ]}
    >
      <Button icon={<ExportIcon />} text="Exportar" loading={exporting.isBusy} />
    </MenuButton>
  )
}
