import { brl, counted } from '@garantia/shared/format'
import { INVOICE_BYTES } from '@garantia/shared/orders/prefill'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { FileButton } from '../../../ui/form/file-button.tsx'
import { maskedMoney } from '../../../ui/form/masks.ts'
import { usePress } from '../../../ui/press.ts'
import type { OrderForm } from './order-field.tsx'

const FAILED = 'Não foi possível ler a nota'

/** Fills parts and their value from the XML of an NF-e; nothing is saved until the form is. */
export function InvoiceButton({ form }: { form: OrderForm }) {
  const reading = trpc.orderImports.invoice.useMutation({
    onSuccess({ number, items, parts_replaced, parts_value }) {
      const typed = form.getValues('parts_replaced').trim()
      const parts = typed === '' || typed === parts_replaced ? parts_replaced : `${typed}\n${parts_replaced}`
      const as = { shouldDirty: true, shouldValidate: true }
      form.setValue('parts_replaced', parts, as)
      form.setValue('parts_value', maskedMoney(parts_value), as)
      toast.success({
        title: `Nota ${number ?? ''} lida`,
        description: `${counted(items.length, 'peça', 'peças')}, ${brl(parts_value)}. Confira antes de salvar.`,
      })
    },
    onError: (error) => toast.error({ title: FAILED, description: messageOf(error) }),
  })
  const { press, isBusy } = usePress(async (file: File) => {
    if (file.size > INVOICE_BYTES)
      toast.error({ title: FAILED, description: 'O arquivo é grande demais para uma NF-e.' })
    else await reading.mutateAsync({ xml: await file.text() })
  })
  return (
    <div className="field">
      <div>
        <FileButton
          label="XML da NF-e"
          text="Preencher peças com NF-e (XML)"
          accept=".xml,text/xml,application/xml"
          isBusy={isBusy}
          onPick={press}
        />
      </div>
    </div>
  )
}
