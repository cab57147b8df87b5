import type { CompanyView } from '@garantia/shared/companies/schema'
import { messageOf, statusOf } from '../../lib/messages.ts'
import { trpc } from '../../lib/trpc.ts'
import { removed } from '../../lib/words.ts'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { toast } from '../../ui/toaster.tsx'

interface Props {
  /** Null keeps it closed. */
  company: CompanyView | null
  onClose: () => void
}

export function CompanyRemoval({ company, onClose }: Props) {
  const utils = trpc.useUtils()
  const done = (description: string) => {
    void utils.companies.invalidate()
    void utils.brands.companies.invalidate()
    toast.success({ title: 'Sucesso!', description })
    close()
  }
  const fail = (description: string) => toast.error({ title: 'Erro', description })
  const removal = trpc.companies.remove.useMutation({
    onSuccess: () => done(removed('Empresa')),
    // What ties it down is told in the dialog.
    onError: (error) => fail(statusOf(error) === 409 ? 'A empresa não foi excluída.' : messageOf(error)),
  })
  const deactivation = trpc.companies.change.useMutation({
    onSuccess: () => done('Empresa atualizada com sucesso.'),
    onError: (error) => fail(messageOf(error)),
  })
  const close = () => {
    onClose()
    removal.reset()
  }
  return (
    <DeleteDialog
      row={company}
      nameOf={({ trading_name }) => trading_name}
      isActive={({ is_active }) => is_active}
      removal={removal}
      deactivation={deactivation}
      onRemove={({ id }) => removal.mutate({ id })}
      onDeactivate={({ id }) => deactivation.mutate({ id, change: { is_active: false } })}
      onClose={close}
    >
      A empresa deixa de existir. Esta ação não pode ser desfeita.
    </DeleteDialog>
  )
}
