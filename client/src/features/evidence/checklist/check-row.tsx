import { Button } from '@blueprintjs/core'
import { ErrorIcon, WarningSignIcon } from '@blueprintjs/icons'
import type { Check, Fix } from '@garantia/shared/evidence/checks'

const FIX_LABEL: Record<Fix['kind'], string> = {
  convert: 'Converter',
  categorize: 'Categorizar',
  upload: 'Adicionar',
  edit: 'Editar OS',
  review: 'Ver',
}

/** A failed check, in the server's wording, with the button that fixes it. */
export const CheckRow = ({ check, onFix }: { check: Check; onFix: (() => void) | null }) => (
  <li className={`check is-${check.severity}`}>
    {check.severity === 'error' ? <ErrorIcon aria-hidden="true" /> : <WarningSignIcon aria-hidden="true" />}
    <span>
      <span className="visually-hidden">{check.severity === 'error' ? 'Erro: ' : 'Aviso: '}</span>
      {check.message}
    </span>
    {check.fix && onFix && (
      <Button
        size="small"
        text={FIX_LABEL[check.fix.kind]}
        aria-label={`${FIX_LABEL[check.fix.kind]}: ${check.message}`}
        onClick={onFix}
      />
    )}
  </li>
)
