import { Button } from '@blueprintjs/core'
import { CrossIcon, ExportIcon, InboxUpdateIcon, SendMessageIcon } from '@blueprintjs/icons'
import type { ClaimRow } from '@garantia/shared/claims/schema'
import { counted } from '@garantia/shared/format'
import { useActor } from '../../../lib/actor.ts'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { MenuButton } from '../../../ui/overlay/menu-button.tsx'
import type { RowSelection } from '../../../ui/table/row-selection.ts'
import { EXPORTS, useExport } from '../../orders/list/order-export.ts'
import { BULK_LABEL, type BulkStep, bulkRefusal, bulkStepsOf } from './claim-bulk.ts'
import { CLAIM_EXPORT } from './claim-export.tsx'

const ICON = { submit: <SendMessageIcon />, decide: <InboxUpdateIcon /> } as const

interface Props {
  selection: RowSelection<ClaimRow>
  onStart: (step: BulkStep) => void
}

/** Says how many claims are selected, with what can be done to all of them. */
export function ClaimBulkBar({ selection, onStart }: Props) {
  const actor = useActor()
  const hint = useKeyHint()
  const exporting = useExport(CLAIM_EXPORT)
  const { rows } = selection
  const refusal = bulkRefusal(rows)
  const [first, ...others] = bulkStepsOf(actor, rows)
  const selected = counted(rows.length, 'selecionada', 'selecionadas')
  return (
    <>
      <span className="visually-hidden" role="status">
        {rows.length > 0 && selected}
      </span>
      {rows.length > 0 && (
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
            {[first, ...others].map(
              (step) =>
                step && (
                  <Button
                    key={step}
                    variant="minimal"
                    size="small"
                    icon={ICON[step]}
                    text={BULK_LABEL[step]}
                    {...(refusal ? { title: refusal } : step === first ? hint(BULK_LABEL[step], 'p') : {})}
                    disabled={refusal !== null}
                    onClick={() => onStart(step)}
                  />
                ),
            )}
            <MenuButton
              label="Exportar selecionadas"
              placement="top-start"
              items={EXPORTS.map(({ format, text }) => ({
                text,
                onClick: () => exporting.press({ format, ids: rows.map(({ id }) => id) }),
              }))}
            >
              <Button
                variant="minimal"
                size="small"
                icon={<ExportIcon />}
                text="Exportar"
                loading={exporting.isBusy}
              />
            </MenuButton>
          </div>
        </section>
      )}
    </>
  )
}
