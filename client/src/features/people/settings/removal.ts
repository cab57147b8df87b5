import { messageOf } from '../../../lib/messages.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'

interface Removal {
  /** Said when it is gone, with its name. */
  title: string
  name: string | undefined
  refresh: () => Promise<unknown>
  /** Called in either case, before the list is read again. */
  onClose?: () => void
  onRemoved: () => void
}

/** What follows the call that removes a row of a list of settings, for `useMutation`. */
export const removal = ({ title, name, refresh, onClose, onRemoved }: Removal) => ({
  onSuccess: async () => {
    toast.success({ title, ...(name !== undefined && { description: name }) })
    onClose?.()
    await refresh()
    onRemoved()
  },
  onError: (error: unknown) => {
    onClose?.()
    toast.error({ title: 'Erro', description: messageOf(error) })
    void refresh()
  },
})
