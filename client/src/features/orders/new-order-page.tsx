import { Button } from '@blueprintjs/core'
import { useNavigate } from '@tanstack/react-router'
import { messageOf } from '../../lib/messages.ts'
import { trpc } from '../../lib/trpc.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { useShortcut } from '../../ui/shortcut.ts'
import { toast } from '../../ui/toaster.tsx'
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx'
import './orders.css'
import {
  BasicFields,
  CustomerFields,
  FormSection,
  ServiceFields,
  showRefusal,
  useOrderForm,
  ValueFields,
  VehicleFields,
} from './order-form.tsx'

export function NewOrderPage() {
  const navigate = useNavigate()
  const utils = trpc.useUtils()
  const form = useOrderForm()
  const open = trpc.orders.open.useMutation({
    onSuccess: async (order) => {
      utils.orders.one.setData({ id: order.id }, order)
      void utils.orders.list.invalidate()
      toast.success({
        title: 'OS criada com sucesso!',
        description: `Ordem de Serviço ${order.os_number} foi criada.`,
      })
      await navigate({ to: '/os/$id', params: { id: order.id }, ignoreBlocker: true })
    },
    onError: (error) => {
      showRefusal(form, error)
      toast.error({ title: 'Erro ao criar OS', description: messageOf(error, 'Erro desconhecido') })
    },
  })
  const submit = form.handleSubmit((order) => {
    if (!open.isPending) open.mutate(order)
  })
  useShortcut('mod+s', () => void submit(), { worksInFields: true })

  return (
    <form noValidate className="order-page" onSubmit={(event) => void submit(event)}>
      <PageHeader
        title="Nova OS"
        subtitle="Os campos com * são obrigatórios."
        actions={
          <>
            <Button
              text="Cancelar"
              disabled={open.isPending}
              onClick={() => void navigate({ to: '/lista-os' })}
            />
            <Button
              type="submit"
              intent="primary"
              text="Criar OS"
              title="Criar OS (Ctrl+S)"
              loading={open.isPending}
            />
          </>
        }
      />
      <FormSection title="Informações Básicas">
        <BasicFields form={form} />
      </FormSection>
      <FormSection title="Veículo">
        <VehicleFields form={form} />
      </FormSection>
      <FormSection title="Cliente">
        <CustomerFields form={form} />
      </FormSection>
      <FormSection title="Serviço">
        <ServiceFields form={form} />
      </FormSection>
      <FormSection title="Valores">
        <ValueFields form={form} />
      </FormSection>
      <UnsavedGuard isDirty={form.formState.isDirty && !open.isSuccess} what="a nova OS" />
    </form>
  )
}
