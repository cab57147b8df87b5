import { Button, Callout, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useRef } from 'react'
import { copyText } from '../../../lib/clipboard.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'

interface Props {
  what: 'Token' | 'Segredo'
  value: string
  /** It was copied to where it belongs, and is hidden from now on. */
  onKept: () => void
  children: ReactNode
}

/** A secret at the only time at which it can be read. */
export function ShownOnce({ what, value, onKept, children }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const copy = async () => {
    field.current?.select()
    if (await copyText(value)) toast.success({ title: `${what} copiado` })
    else
      toast.error({
        title: 'Não foi possível copiar',
        description: `O ${what.toLowerCase()} está selecionado: use Ctrl+C.`,
      })
  }
  return (
    <Callout compact intent="success" icon={null}>
      <div className="settings-form">
        <p>{children}</p>
        <InputGroup
          inputRef={field}
          aria-label={`${what} criado`}
          value={value}
          readOnly
          fill
          onFocus={(event) => event.currentTarget.select()}
        />
        <div className="settings-actions">
          <Button autoFocus text="Copiar" onClick={() => void copy()} />
          <Button variant="minimal" text={`Já guardei o ${what.toLowerCase()}`} onClick={onKept} />
        </div>
      </div>
    </Callout>
  )
}
