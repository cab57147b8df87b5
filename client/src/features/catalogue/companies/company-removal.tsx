import type { CompanyView } from '@garantia/shared/companies/schema'
import { deletionMessage } from '../../../lib/deletion-message.ts'
import { trpc } from '../../../lib/trpc.ts'
import { DeleteDialog, outcomeOf } from '../../../ui/overlay/delete-dialog.tsx'

interface Props {
  /** Null keeps the dialog closed. */
  company: CompanyView | null
  onClose: () => void
}

export function CompanyRemoval({ company, onClose }: Props) {
  const utils = trpc.useUtils()
  const outcome = outcomeOf({
    deleted: deletionMessage('Empresa'),
    deactivated: 'Empresa atualizada com sucesso.',
    kept: 'A empresa não foi excluída.',
    onDone: () => {
      void utils.companies.invalidate()
      void utils.brands.companies.invalidate()
      close()
    },
  })
  const removal = trpc.companies.remove.useMutation(outcome.removal)
  const deactivation = trpc.companies.change.useMutation(outcome.deactivation)
  const close = () => {
    onClose()
    removal.reset()
  }
  return (
    <DeleteDialog
      row={company}
      nameOf={({ trading_name }) => trading_name}
      isActive={({ is_active }) => is_active}
      refusal={removal.error}
      onRemove={({ id }) => removal.mutateAsync({ id })}
      onDeactivate={({ id }) => deactivation.mutateAsync({ id, change: { is_active: false } })}
      onClose={close}
    >
      A empresa deixa de existir. Esta ação não pode ser desfeita.
    </DeleteDialog>
  )
}
