import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { z } from 'zod'
import { detailOf, statusOf } from './messages.ts'

/** Number behind a select's value; undefined when nothing is chosen. */
export const chosen = (text: string) => (text === '' ? undefined : Number(text))

/**
 * Schema of a form: converts typed fields to the shared input, which validates them. `acrossFields` adds
 * rules between fields: zod's own refinements would run only once every single field is valid.
 */
export const formOf = <Fields extends object, Input>(
  schema: z.ZodType<Input>,
  inputOf: (fields: Fields) => unknown,
  acrossFields: (fields: Fields) => { [Name in keyof Fields]?: string | null },
): z.ZodType<Input, Fields> =>
  z.transform<Fields, Input>((fields, context) => {
    const result = schema.safeParse(inputOf(fields))
    const issues = (result.error?.issues ?? []).map(({ path, message }) => ({ path, message }))
    for (const [name, message] of Object.entries<string | null | undefined>(acrossFields(fields)))
      if (message && !issues.some(({ path }) => path[0] === name)) issues.push({ path: [name], message })
    for (const issue of issues) context.addIssue({ code: 'custom', ...issue })
    return result.success ? result.data : z.NEVER
  })

/** The input reduced to the fields the user changed. */
export function changedFields<Fields extends object, Input extends object>(
  before: Fields,
  now: Fields,
  input: Input,
): Partial<Input> {
  const isChanged = (name: string) =>
    JSON.stringify(before[name as keyof Fields]) !== JSON.stringify(now[name as keyof Fields])
  return Object.fromEntries(Object.entries(input).filter(([name]) => isChanged(name))) as Partial<Input>
}

/**
 * Sets form errors on the fields refused by the server: those named by a 422, or the one a 409 is about.
 * Returns their names, so that the form can focus the first.
 */
export function markRefused<Fields extends FieldValues>(
  setError: UseFormSetError<Fields>,
  error: unknown,
  names: readonly Path<Fields>[],
  fieldInConflict: (detail: string) => Path<Fields> | undefined,
): Path<Fields>[] {
  const detail = detailOf(error)
  const marks: { name: Path<Fields>; message: string }[] = []
  if (Array.isArray(detail))
    for (const { loc, msg } of detail) {
      const name = names.find((one) => loc.includes(one))
      if (name) marks.push({ name, message: msg })
    }
  else if (detail !== undefined && statusOf(error) === 409) {
    const name = fieldInConflict(detail)
    if (name) marks.push({ name, message: detail })
  }
  for (const { name, message } of marks) setError(name, { message })
  return marks.map(({ name }) => name)
}
