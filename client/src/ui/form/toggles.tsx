import { Checkbox, Switch } from '@blueprintjs/core'
import { useId } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import './toggles.css'

interface SwitchProps {
  field: UseFormRegisterReturn
  label: string
  help?: string
  error?: string | undefined
}

export function SwitchInput({ field: { ref, ...field }, label, help, error }: SwitchProps) {
  const id = useId()
  const note = error ?? help
  return (
    <div className="field toggle-field">
      <Switch
        {...field}
        className="toggle"
        role="switch"
        inputRef={ref}
        label={label}
        aria-describedby={note && id}
      />
      {note && (
        <div id={id} className={error ? 'field-error' : 'field-help'} role={error ? 'alert' : undefined}>
          {note}
        </div>
      )}
    </div>
  )
}

interface ChecksProps<Value> {
  legend: string
  help?: string
  error?: string | undefined
  options: readonly { value: Value; label: string }[]
  value: readonly Value[]
  onChange: (value: Value[]) => void
}

/**
 * Checkboxes for any number of options. Numbers are returned in ascending order, so that equal choices
 * compare equal.
 */
export function CheckList<Value extends number | string>(props: ChecksProps<Value>) {
  const { legend, help, error, options, value, onChange } = props
  const id = useId()
  const note = error ?? help
  const toggle = (one: Value) => {
    const chosen = value.includes(one) ? value.filter((other) => other !== one) : [...value, one]
    onChange(typeof one === 'number' ? chosen.sort((a, b) => Number(a) - Number(b)) : chosen)
  }
  return (
    <fieldset className="toggles-group" aria-describedby={note && id}>
      <legend className="field-label">{legend}</legend>
      <div className="toggles">
        {options.map(({ value: one, label }) => (
          <Checkbox
            key={one}
            className="toggle"
            label={label}
            checked={value.includes(one)}
            onChange={() => toggle(one)}
          />
        ))}
      </div>
      {note && (
        <div id={id} className={error ? 'field-error' : 'field-help'} role={error ? 'alert' : undefined}>
          {note}
        </div>
      )}
    </fieldset>
  )
}
