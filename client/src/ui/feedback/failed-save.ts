import { isAwayError, messageOf } from '../../lib/messages.ts'
import { toast } from './toaster.tsx'

/** Says why a form was not saved; silent while the server is away, as the form waits for it and the bar says so. */
export function reportFailedSave(title: string, error: unknown, fallback?: string) {
  if (!isAwayError(error)) toast.error({ title, description: messageOf(error, fallback) })
}
