import { Button, Callout } from '@blueprintjs/core'
import { useRef } from 'react'
import { copyText } from '../../../lib/clipboard.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'

/** The only time the recovery codes can be read. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const list = useRef<HTMLUListElement>(null)
  const copy = async () => {
    if (await copyText(codes.join('\n'))) toast.success({ title: 'Códigos copiados' })
    else {
      if (list.current) getSelection()?.selectAllChildren(list.current)
      toast.error({
        title: 'Não foi possível copiar',
        description: 'Os códigos estão selecionados: use Ctrl+C.',
      })
    }
  }
  return (
    <Callout compact intent="success" icon={null}>
      <div className="settings-form">
        <p>
          Guarde estes códigos longe do telefone: <strong>eles não serão mostrados de novo.</strong> Cada um
          vale uma vez, quando você estiver sem o autenticador.
        </p>
        <ul ref={list} className="recovery-codes" aria-label="Códigos de recuperação">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className="settings-actions">
          <Button autoFocus text="Copiar" onClick={() => void copy()} />
          <Button variant="minimal" text="Já guardei os códigos" onClick={onKept} />
        </div>
      </div>
    </Callout>
  )
}
