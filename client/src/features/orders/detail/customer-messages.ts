import { formatPlate } from '@garantia/shared/br/vehicle'
import type { OrderView } from '@garantia/shared/orders/schema'

type Named = Pick<OrderView, 'os_number' | 'company' | 'customer_name' | 'vehicle_model' | 'vehicle_plate'>

/** Beginnings of messages to the customer, which the person completes in WhatsApp. */
export const CUSTOMER_MESSAGES: { title: string; text: (order: Named) => string }[] = [
  {
    title: 'Agendar a vistoria',
    text: (order) => `${greeting(order)} Qual o melhor dia para trazer o veículo para a vistoria?`,
  },
  {
    title: 'Pedir fotos ou documentos',
    text: (order) => `${greeting(order)} Para dar andamento à garantia, precisamos de: `,
  },
  {
    title: 'Veículo pronto',
    text: (order) => `${greeting(order)} O serviço foi concluído e o veículo está pronto para retirada.`,
  },
  { title: 'Mensagem em branco', text: () => '' },
]

function greeting({ os_number, company, customer_name, vehicle_model, vehicle_plate }: Named) {
  const name = customer_name?.trim().split(/\s+/)[0]
  const vehicle = [vehicle_model, vehicle_plate && formatPlate(vehicle_plate)].filter(Boolean).join(', ')
  const about = vehicle ? ` do veículo ${vehicle}` : ''
  return `Olá${name ? `, ${name}` : ''}! Aqui é da ${company.trading_name}, sobre a OS ${os_number}${about}.`
}

/** The address that opens WhatsApp with the message; `phone` as `internationalPhone` writes it. */
export const whatsAppAddress = (phone: string, text: string) =>
  `https://wa.me/${phone.slice(1)}${text && `?text=${encodeURIComponent(text)}`}`
