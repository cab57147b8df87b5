import { Button } from '@blueprintjs/core'
import { ChatIcon } from '@blueprintjs/icons'
import { formatPhone, internationalPhone } from '@garantia/shared/br/phone'
import type { OrderView } from '@garantia/shared/orders/schema'
import { MenuButton } from '../../../ui/overlay/menu-button.tsx'
import { CUSTOMER_MESSAGES, whatsAppAddress } from './customer-messages.ts'

/** The number, to be dialled, and a message to it by WhatsApp where its area code is known. */
export function CustomerPhone({ order, phone }: { order: OrderView; phone: string }) {
  const international = internationalPhone(phone)
  return (
    <>
      <a href={`tel:${international ?? phone}`}>{formatPhone(phone)}</a>
      {international && (
        <MenuButton
          label="Mensagem ao cliente por WhatsApp"
          placement="bottom-start"
          items={CUSTOMER_MESSAGES.map(({ title, text }) => ({
            text: title,
            onClick: () => window.open(whatsAppAddress(international, text(order)), '_blank', 'noreferrer'),
          }))}
        >
          <Button
            variant="minimal"
            size="small"
            icon={<ChatIcon size={14} />}
            aria-label="Mensagem por WhatsApp"
            title="Mensagem por WhatsApp"
          />
        </MenuButton>
      )}
    </>
  )
}
