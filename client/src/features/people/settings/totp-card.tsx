import { Button } from '@blueprintjs/core'
import { codeInput, type FactorsView } from '@garantia/shared/auth/second-factor'
import { counted, dateTime } from '@garantia/shared/format'
import { zodResolver } from '@hookform/resolvers/zod'
import { QRCodeSVG } from 'qrcode.react'
import { useState } from 'react'
import { detailOf, messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { CopyButton } from '../../../ui/page/copy-button.tsx'
import { submitting, usePress } from '../../../ui/press.ts'
import { CodeField } from '../auth/code-field.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

const refused = (error: unknown) => toast.error({ title: 'Erro', description: messageOf(error) })

/** Codes of an authenticator at sign-in: off, being set up, or on. */
export function TotpCard({ totp }: Pick<FactorsView, 'totp'>) {
  const utils = trpc.useUtils()
  const [codes, setCodes] = useState<string[] | null>(null)
  const begin = trpc.account.beginTotp.useMutation({ onError: refused })
  const { press, isBusy } = usePress(() => begin.mutateAsync())
  const refresh = () => Promise.all([utils.account.factors.invalidate(), utils.account.sessions.invalidate()])
  return (
    <section className="settings-card panel" aria-labelledby="totp-title">
      <div className="settings-title">
        <h2 id="totp-title">Verificação em duas etapas</h2>
        {totp ? <Badge colour="green">Ativada</Badge> : <Badge colour="gray">Desativada</Badge>}
      </div>
      <p className="muted">
        Depois da senha, o sistema pede um código de seis dígitos que só o seu aplicativo autenticador sabe.
      </p>
      <div role="status">
        {codes && (
          <RecoveryCodes
            codes={codes}
            onKept={() => {
              setCodes(null)
              void utils.account.me.invalidate()
            }}
          />
        )}
      </div>
      {totp ? (
        <TotpOn totp={totp} onCodes={setCodes} onChange={refresh} />
      ) : begin.data ? (
        <TotpSetUp
          {...begin.data}
          onCancel={begin.reset}
          onDone={(recovery_codes) => {
            begin.reset()
            setCodes(recovery_codes)
            void refresh()
          }}
        />
      ) : (
        <div className="settings-actions">
          <Button
            intent="primary"
            text="Ativar"
            aria-label="Ativar a verificação em duas etapas"
            loading={isBusy}
            onClick={press}
          />
        </div>
      )}
    </section>
  )
}

interface SetUpProps {
  secret: string
  url: string
  onDone: (recovery_codes: string[]) => void
  onCancel: () => void
}
function TotpSetUp({ secret, url, onDone, onCancel }: SetUpProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(codeInput),
    defaultValues: { code: '' },
  })
  const confirm = trpc.account.confirmTotp.useMutation({
    onSuccess: ({ recovery_codes }) => {
      toast.success({
        title: 'Verificação em duas etapas ativada',
        description: 'As suas outras sessões foram encerradas.',
      })
      onDone(recovery_codes)
    },
    onError: (error) => {
      if (typeof detailOf(error) !== 'string') refused(error)
    },
  })
  const { press, isBusy } = usePress(handleSubmit((input) => confirm.mutateAsync(input)))
  const refusal = detailOf(confirm.error)
  return (
    <form noValidate className="settings-form" onSubmit={submitting(press)}>
      <div className="totp-secret">
        <QRCodeSVG
          value={url}
          size={168}
          marginSize={2}
          title="Código QR para o aplicativo autenticador"
          role="img"
        />
        <div>
          <p>Leia o código QR com o aplicativo autenticador, ou digite nele esta chave:</p>
          <div className="totp-key-line">
            <code className="totp-key">{secret.replace(/.{4}(?=.)/g, '$& ')}</code>
            <CopyButton what="chave" text={secret} />
          </div>
        </div>
      </div>
      <CodeField
        field={register('code')}
        hasRecovery={false}
        error={formState.errors.code?.message ?? (typeof refusal === 'string' ? refusal : undefined)}
      />
      <div className="settings-actions">
        <Button type="submit" intent="primary" text="Confirmar" loading={isBusy} />
        <Button text="Cancelar" disabled={isBusy} onClick={onCancel} />
      </div>
    </form>
  )
}

interface OnProps {
  totp: NonNullable<FactorsView['totp']>
  onCodes: (codes: string[]) => void
  onChange: () => Promise<unknown>
}
function TotpOn({ totp, onCodes, onChange }: OnProps) {
  const [isAsking, setIsAsking] = useState(false)
  const renew = trpc.account.renewRecoveryCodes.useMutation({
    onSuccess: ({ recovery_codes }) => {
      onCodes(recovery_codes)
      void onChange()
    },
    onError: refused,
  })
  const { press, isBusy } = usePress(() => renew.mutateAsync())
  const remove = trpc.account.removeTotp.useMutation({
    onSuccess: () => {
      toast.success({ title: 'Verificação em duas etapas desativada' })
      void onChange()
    },
    onError: refused,
    onSettled: () => setIsAsking(false),
  })
  return (
    <>
      <dl className="settings-facts">
        <dt>Ativada em</dt>
        <dd className="numeric">{dateTime(totp.since)}</dd>
        <dt>Códigos de recuperação</dt>
        <dd className="numeric">{counted(totp.recovery_codes, 'código restante', 'códigos restantes')}</dd>
      </dl>
      <div className="settings-actions">
        <Button text="Gerar novos códigos" loading={isBusy} onClick={press} />
        <Button variant="minimal" intent="danger" text="Desativar" onClick={() => setIsAsking(true)} />
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        title="Desativar a verificação em duas etapas?"
        confirmText="Desativar"
        onConfirm={() => remove.mutateAsync()}
        onCancel={() => setIsAsking(false)}
      >
        A senha sozinha volta a abrir a sua conta, e os códigos de recuperação deixam de valer.
      </ConfirmDialog>
    </>
  )
}
