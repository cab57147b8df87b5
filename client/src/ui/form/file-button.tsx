import { Button } from '@blueprintjs/core'
import { DocumentOpenIcon } from '@blueprintjs/icons'
import { useRef } from 'react'

interface Props {
  /** Of the button, for a visible label with the text of `label`. */
  id?: string
  /** Names the hidden input. */
  label: string
  text: string
  accept: string
  isBusy?: boolean
  isMultiple?: boolean
  /** With the others, where several may be chosen. */
  onPick: (file: File, ...others: File[]) => void
}

/** Asks the browser for a file, or for several; the same one may be chosen again. */
export function FileButton({ id, label, text, accept, isBusy = false, isMultiple = false, onPick }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        accept={accept}
        multiple={isMultiple}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const [file, ...others] = currentTarget.files ?? []
          if (file) onPick(file, ...others)
          currentTarget.value = ''
        }}
      />
      <Button
        id={id}
        {...(id && { 'aria-label': `${label}: ${text}` })}
        icon={<DocumentOpenIcon />}
        text={text}
        loading={isBusy}
        onClick={() => input.current?.click()}
      />
    </>
  )
}
