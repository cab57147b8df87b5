import { Button } from '@blueprintjs/core'
import {
  CrossIcon,
  DownloadIcon,
  ExportIcon,
  PersonIcon,
  RefreshIcon,
  SwapHorizontalIcon,
  TrashIcon,
} from '@blueprintjs/icons'
import { BULK_MAX } from '@garantia/shared/orders/bulk-limit'
import type { ListedOrder } from '@garantia/shared/orders/conversion-badge'
import { isClosed } from '@garantia/shared/orders/status'
import { can } from '@garantia/shared/policy'
import { useActor } from '../../../../lib/actor.ts'
import { useKeyHint } from '../../../../ui/keys/key-hint.ts'
import { MenuButton } from '../../../../ui/overlay/menu-button.tsx'
import { usePress } from '../../../../ui/press.ts'
import type { RowSelection } from '../../../../ui/table/row-selection.ts'
import { EXPORTS, useExport } from '../order-export.ts'
import { unavailableReason } from '../order-row-actions.ts'

export interface BulkActionsProps {
  selection: RowSelection<ListedOrder>
  /** How many are selected, in words. */
  selected: string
  isBusy: boolean
  onStatus: () => void
  onAssign: () => void
  onConvert: () => Promise<unknown>
  onPackages: () => void
  isAskingForPackages: boolean
  onRemove: () => void
}

/** Actions on the selected orders; floats, so that nothing shifts when it appears. */
export function BulkActions({
  selection,
  selected,
  isBusy,
  onStatus,
  onAssign,
  onConvert,
  onPackages,
  isAskingForPackages,
  onRemove,
}: BulkActionsProps) {
  const actor = useActor()
  const exporting = useExport()
  const hint = useKeyHint()
  const { press: convert } = usePress(onConvert)
  const { rows } = selection
  const isTooMuch = rows.length > BULK_MAX
  const may = (allows: (order: ListedOrder) => boolean) => rows.some(allows)
  const buttonProps = { variant: 'minimal', size: 'small', disabled: isBusy || isTooMuch } as const
  return (
    <section className="bulk-bar" aria-label="Ações em lote">
      <span className="bulk-count numeric">{selected}</span>
      <Button
        variant="minimal"
        size="small"
        icon={<CrossIcon />}
        aria-label="Limpar seleção"
        {...hint('Limpar seleção', 'escape')}
        onClick={selection.clear}
      />
      <div className="bulk-actions">
        {may((order) => unavailableReason.changeStatus(actor, order) === null) && (
          <Button
            {...buttonProps}
            icon={<SwapHorizontalIcon />}
            text="Mudar status"
            {...hint('Mudar status', 's')}
            onClick={onStatus}
          />
        )}
        {may((order) => unavailableReason.assign(actor, order) === null) && (
          <Button
            {...buttonProps}
            icon={<PersonIcon />}
            text="Responsável"
            {...hint('Mudar responsável', 'a')}
            onClick={onAssign}
          />
        )}
        {may((order) => can(actor, 'evidence.convert', order) && !isClosed(order.status)) && (
          <Button {...buttonProps} icon={<RefreshIcon />} text="Converter" onClick={convert} />
        )}
        <Button
          {...buttonProps}
          icon={<DownloadIcon />}
          text="Baixar pacotes"
          {...hint('Baixar pacotes', 'd')}
          loading={isAskingForPackages}
          onClick={onPackages}
        />
        <MenuButton
          label="Exportar selecionadas"
          placement="top-start"
          items={EXPORTS.map(({ format, text }) => ({
            text,
            onClick: () => exporting.press({ format, ids: rows.map(({ id }) => id) }),
          }))}
        >
          <Button {...buttonProps} icon={<ExportIcon />} text="Exportar" loading={exporting.isBusy} />
        </MenuButton>
        {may((order) => unavailableReason.remove(actor, order) === null) && (
          <Button {...buttonProps} intent="danger" icon={<TrashIcon />} text="Excluir" onClick={onRemove} />
        )}
      </div>
    </section>
  )
}
