import { Button, InputGroup } from '@blueprintjs/core'
import { CalendarIcon } from '@blueprintjs/icons'
import { dateTime } from '@garantia/shared/format'
import { useId, useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { CopyButton } from '../../../ui/page/copy-button.tsx'
import { usePress } from '../../../ui/press.ts'

/** The secret address at which a calendar program reads what is due for this person. */
export function CalendarCard() {
  const id = useId()
  const utils = trpc.useUtils()
  const [isRevoking, setIsRevoking] = useState(false)
  const { data } = trpc.deadlines.calendar.useQuery()
  const settled = {
    onError: (error: unknown) => toast.error({ title: 'Erro', description: messageOf(error) }),
    onSettled: () => utils.deadlines.calendar.invalidate(),
  }
  const open = trpc.deadlines.newCalendar.useMutation(settled)
  const revoke = trpc.deadlines.revokeCalendar.useMutation({
    ...settled,
    onSuccess: () => {
      open.reset()
      toast.success({ title: 'Endereço revogado', description: 'O calendário deixou de receber os prazos.' })
    },
    onSettled: () => {
      setIsRevoking(false)
      void utils.deadlines.calendar.invalidate()
    },
  })
  const { press, isBusy } = usePress(() => open.mutateAsync())
  const address = open.data?.address
  const isOn = data?.created_at != null
  return (
    <section className="settings-card panel" aria-labelledby={id}>
      <h2 id={id}>Prazos no calendário</h2>
      <p className="muted">
        Um endereço secreto, que o seu programa de calendário assina. Mostra números de OS, marcas e empresas,
        e nenhum cliente.
        {isOn && data.created_at && ` Criado em ${dateTime(data.created_at)}`}
        {isOn && (data.last_used_at ? `, lido em ${dateTime(data.last_used_at)}.` : ', ainda não lido.')}
      </p>
      <div role="status">
        {address && (
          <div className="calendar-address">
            <InputGroup
              aria-label="Endereço do calendário"
              value={address}
              readOnly
              fill
              onFocus={(event) => event.currentTarget.select()}
              rightElement={<CopyButton what="endereço do calendário" text={address} />}
            />
            <p className="field-help">Guarde-o agora: ele não será mostrado de novo.</p>
          </div>
        )}
      </div>
      <div className="settings-actions">
        <Button
          icon={<CalendarIcon />}
          text={isOn ? 'Trocar endereço' : 'Criar endereço'}
          loading={isBusy}
          disabled={!data}
          onClick={press}
        />
        {isOn && <Button variant="minimal" text="Revogar" onClick={() => setIsRevoking(true)} />}
      </div>
      <ConfirmDialog
        isOpen={isRevoking}
        title="Revogar o endereço do calendário?"
        confirmText="Revogar"
        onConfirm={() => revoke.mutateAsync()}
        onCancel={() => setIsRevoking(false)}
      >
        O calendário que o assina deixa de receber os prazos. Outro endereço pode ser criado a qualquer hora.
      </ConfirmDialog>
    </section>
  )
}
