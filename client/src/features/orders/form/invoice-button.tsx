import { brl, counted } from '@garantia/shared/format'
import { INVOICE_BYTES, partLines } from '@garantia/shared/orders/prefill'
import { TEXT_MAX } from '@garantia/shared/orders/schema'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { FileButton } from '../../../ui/form/file-button.tsx'
import { maskedMoney } from '../../../ui/form/masks.ts'
import { usePress } from '../../../ui/press.ts'
import { invoiceText } from './invoice-file.ts'
import type { OrderForm } from './order-field.tsx'

const FAILED = 'Não foi possível ler a nota'

/** Fills parts and their value from the XML of an NF-e; nothing is saved until the form is. */
export function InvoiceButton({ form }: { form: OrderForm }) {
  const reading = trpc.orderImports.invoice.useMutation({
    onSuccess({ number, items, parts_replaced, parts_value, total, ...invoice }) {
      const typed = form.getValues('parts_replaced').trim()
      const isAlone = typed === '' || typed === parts_replaced
      const { text, left_out } = isAlone
        ? { text: parts_replaced, left_out: invoice.left_out }
        : partLines(items, TEXT_MAX - typed.length - 1)
      const as = { shouldDirty: true, shouldValidate: true }
      form.setValue('parts_replaced', isAlone || text === '' ? text || typed : `${typed}\n${text}`, as)
      form.setValue('parts_value', maskedMoney(parts_value), as)
      const uncounted = items.filter(({ is_in_total }) => !is_in_total).length
      const facts = [
        `${counted(items.length, 'peça', 'peças')}, ${brl(parts_value)}`,
        total !== null && `total da nota ${brl(total)}`,
        uncounted > 0 &&
          `${counted(uncounted, 'item que não conta', 'itens que não contam')} no total da nota`,
        left_out > 0 && `${counted(left_out, 'item não coube', 'itens não couberam')} no campo das peças`,
      ]
      const description = `${facts.filter(Boolean).join('; ')}. Confira antes de salvar.`
      const title = `Nota ${number ?? ''} lida`
      if (left_out > 0) toast.warning({ title: `${title} em parte`, description })
      else toast.success({ title, description })
    },
    onError: (error) => toast.error({ title: FAILED, description: messageOf(error) }),
  })
  const { press, isBusy } = usePress(async (file: File) => {
    if (file.size > INVOICE_BYTES)
      toast.error({ title: FAILED, description: 'O arquivo é grande demais para uma NF-e.' })
    else {
      const read = invoiceText(new Uint8Array(await file.arrayBuffer()))
      if ('problem' in read) toast.error({ title: FAILED, description: read.problem })
      else await reading.mutateAsync(read)
    }
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
