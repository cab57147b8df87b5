import { Button } from '@blueprintjs/core'
import { DuplicateIcon, TickIcon } from '@blueprintjs/icons'
import { useEffect, useState } from 'react'
import { copyText } from '../../lib/clipboard.ts'
import { toast } from '../feedback/toaster.tsx'

const SHOWN_MS = 1_500

interface Props {
  /** What is copied, as in «Copiar placa». */
  what: string
  /** The text, or how it is fetched; null when it could not be, which has been said. */
  text: string | (() => Promise<string | null>)
}

/** Copies a value with one press; a tick confirms it where it was pressed. */
export function CopyButton({ what, text }: Props) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    const found = typeof text === 'string' ? text : await text()
    if (found === null) return
    if (await copyText(found)) setIsCopied(true)
    else
      toast.error({
        title: 'Não foi possível copiar',
        description: 'O navegador não permitiu: selecione o texto e use Ctrl+C.',
      })
  }
  return (
    <>
      <Button
        className="copy-button"
        variant="minimal"
        size="small"
        icon={isCopied ? <TickIcon size={14} /> : <DuplicateIcon size={14} />}
        aria-label={`Copiar ${what}`}
        title={`Copiar ${what}`}
        onClick={() => void copy()}
      />
      <span role="status" className="visually-hidden">
        {isCopied && 'Copiado'}
      </span>
    </>
  )
}
