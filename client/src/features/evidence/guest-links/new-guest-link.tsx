import { AnchorButton, Button, InputGroup } from '@blueprintjs/core'
import { guestAddress, type NewGuestLink as Link } from '@garantia/shared/evidence/guest-link'
import { dateTime } from '@garantia/shared/format'
import { QRCodeSVG } from 'qrcode.react'
import { useRef } from 'react'
import { copyText } from '../../../lib/clipboard.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'

/** The address of a link at the only time at which it can be read: to be scanned, sent or copied. */
export function NewGuestLink({ link, onKept }: { link: Link; onKept: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const address = guestAddress(location.origin, link.token)
  const message = `Envie as fotos do veículo por este link, sem cadastro, até ${dateTime(link.expires_at)}: ${address}`
  const copy = async () => {
    field.current?.select()
    if (await copyText(address)) toast.success({ title: 'Link copiado' })
    else
      toast.error({ title: 'Não foi possível copiar', description: 'O link está selecionado: use Ctrl+C.' })
  }
  return (
    <section className="new-guest-link" aria-label="Link criado">
      <QRCodeSVG
        value={address}
        size={168}
        marginSize={2}
        title={`Código QR do link para ${link.label}`}
        role="img"
      />
      <div className="new-guest-link-text">
        <p role="status">
          Link para «{link.label}» criado. Mostre o código à câmera do celular ou envie o endereço:{' '}
          <strong>ele não será mostrado de novo.</strong>
        </p>
        <InputGroup
          inputRef={field}
          aria-label="Endereço do link"
          value={address}
          readOnly
          fill
          onFocus={(event) => event.currentTarget.select()}
        />
        <div className="guest-link-actions">
          <Button autoFocus intent="primary" text="Copiar" onClick={() => void copy()} />
          <AnchorButton
            text="Enviar por WhatsApp"
            href={`https://wa.me/?text=${encodeURIComponent(message)}`}
            target="_blank"
            rel="noreferrer"
          />
          <Button variant="minimal" text="Criar outro" onClick={onKept} />
        </div>
      </div>
    </section>
  )
}
