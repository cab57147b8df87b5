import { use, useEffect } from 'react'
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form'
import { useDraft, useDraftKey } from '../../lib/drafts.ts'
import { isSignedIn } from '../../lib/session.ts'
import { toast } from '../feedback/toaster.tsx'
import { IsDialogOpen } from '../press.ts'

/**
 * Keeps what is typed in a dialog's form through a reload or an expired session, except its `secret` fields, and puts it
 * back when the dialog is opened again. Closing the dialog on purpose, or saving, deletes it.
 */
export function useFormDraft<Fields extends FieldValues, Output extends FieldValues>(
  name: string,
  form: UseFormReturn<Fields, unknown, Output>,
  secret: readonly string[] = [],
) {
  const { dirtyFields, isDirty } = form.formState
  const typed = () =>
    Object.entries(form.getValues()).filter(([field]) => field in dirtyFields && !secret.includes(field))
  const { found, markSaved } = useDraft(useDraftKey(name), isDirty, typed)
  const dialog = use(IsDialogOpen)
  // Not only when it has faded out: who opens the dialog again at once starts over.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it writes to refs and storage only
  useEffect(() => dialog.whenClosing(() => isSignedIn() && markSaved()), [dialog])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens
  useEffect(() => {
    if (!found || found.length === 0) return
    for (const [field, value] of found)
      form.setValue(field as Path<Fields>, value as PathValue<Fields, Path<Fields>>, { shouldDirty: true })
    toast.info({ title: 'Rascunho recuperado.', description: 'O que você tinha digitado está de volta.' })
  }, [])
}
