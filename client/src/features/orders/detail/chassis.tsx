import { Button } from '@blueprintjs/core'
import { EyeOpenIcon } from '@blueprintjs/icons'
import { maskChassis } from '@garantia/shared/br/vehicle'
import type { OrderView } from '@garantia/shared/orders/schema'
import { useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { CopyButton } from '../../../ui/page/copy-button.tsx'
import { usePress } from '../../../ui/press.ts'

/** OSD-9: the last 6 characters; shown whole, or copied, with one press, which the security log notes. */
export function Chassis({ order: { id }, number }: { order: OrderView; number: string }) {
  const [whole, setWhole] = useState<string | null>(null)
  const reveal = trpc.orders.reveal.useMutation({
    onError: (error) => toast.error({ title: 'Erro', description: messageOf(error) }),
  })
  const read = async () => {
    const answer = await reveal.mutateAsync({ id, field: 'vehicle_chassis' }).catch(() => null)
    return answer?.value ?? null
  }
  const { press, isBusy } = usePress(async () => setWhole(await read()))
  return (
    <>
      {whole === null ? (
        <>
          <span className="chassis" aria-hidden="true">
            {maskChassis(number)}
          </span>
          {/* Eleven dots are not read out. */}
          <span className="visually-hidden">final {number.slice(-6)}</span>
        </>
      ) : (
        <span className="chassis">{whole}</span>
      )}
      <span className="fact-buttons">
        {whole === null && (
          <Button
            variant="minimal"
            size="small"
            icon={<EyeOpenIcon size={14} />}
            aria-label="Mostrar o chassi inteiro"
            title="Mostrar o chassi inteiro"
            loading={isBusy}
            onClick={press}
          />
        )}
        <CopyButton what="chassi" text={read} />
      </span>
    </>
  )
}
