import { type ReactNode, useId } from 'react'

/** Attributes of the control in a field, which tie it to label, help and error. */
export interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean | undefined
  'aria-required': boolean | undefined
}

export interface FieldProps {
  label: string
  isRequired?: boolean
  help?: ReactNode
  error?: string | undefined
  /** Columns out of twelve. */
  span?: 2 | 3 | 4 | 5 | 6 | 8 | 12
  children: (control: ControlProps) => ReactNode
}

/** Label above, help and error below, tied to the control by ARIA attributes. */
export function Field({ label, isRequired, help, error, span = 12, children }: FieldProps) {
  const id = useId()
  const helpId = `${id}-help`
  const errorId = `${id}-error`
  const described = [error && errorId, help && helpId].filter(Boolean).join(' ')
  return (
    <div className={`field span-${span}${error ? ' has-error' : ''}`}>
      <label className={`field-label${isRequired ? ' is-required' : ''}`} htmlFor={id}>
        {label}
      </label>
      <div className="field-body">
        {children({
          id,
          'aria-describedby': described || undefined,
          'aria-invalid': error ? true : undefined,
          'aria-required': isRequired || undefined,
        })}
        {error && (
          <div id={errorId} className="field-error" role="alert">
            {error}
          </div>
        )}
        {help && (
          <div id={helpId} className="field-help">
            {help}
          </div>
        )}
      </div>
    </div>
  )
}
