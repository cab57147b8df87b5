import { Button } from '@blueprintjs/core'
import { EyeOpenIcon } from '@blueprintjs/icons'
import type { MaskedField } from '@garantia/shared/orders/masking'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { CopyButton } from '../../../ui/page/copy-button.tsx'
import { usePress } from '../../../ui/press.ts'
import './masked-value.css'

/** Names of the fields in «Mostrar o chassi inteiro» and «Copiar chassi». */
const NAME: Record<MaskedField, string> = {
  vehicle_chassis: 'chassi',
  customer_document: 'CPF ou CNPJ',
  customer_phone: 'telefone',
  customer_email: 'email',
}

const ending = (shown: string) =>
  shown.includes('@') ? `oculto, ${shown.replaceAll('•', '')}` : `final ${shown.replaceAll('•', '')}`

interface Props {
  order_id: number
  field: MaskedField
  /** The value as it is shown masked; its dots are not read out. */
  shown: string
  /** Shows the whole value. */
  children: (whole: string) => ReactNode
}

/** A masked value (OSD-9, D-86); shown whole, or copied, with one press, which the security log notes. */
export function MaskedValue({ order_id, field, shown, children }: Props) {
  const [whole, setWhole] = useState<string | null>(null)
  const reveal = trpc.orders.reveal.useMutation({
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
  })
  const read = async () => {
    if (whole !== null) return whole
    const answer = await reveal.mutateAsync({ id: order_id, fields: [field] }).catch(() => null)
    return answer?.[field] ?? null
  }
  const { press, isBusy } = usePress(async () => setWhole(await read()))
  return (
    <>
      {whole === null ? (
        <>
          <span className="masked-value" aria-hidden="true">
            {shown}
          </span>
          <span className="visually-hidden">{ending(shown)}</span>
        </>
      ) : (
        children(whole)
      )}
      <span className="fact-buttons">
        {whole === null && (
          <Button
            variant="minimal"
            size="small"
            icon={<EyeOpenIcon size={14} />}
            aria-label={`Mostrar o ${NAME[field]} inteiro`}
            title={`Mostrar o ${NAME[field]} inteiro`}
            loading={isBusy}
            onClick={press}
          />
        )}
        <CopyButton what={NAME[field]} text={read} />
      </span>
    </>
  )
}
