import { expect, test } from 'vitest'
import { CUSTOMER_MESSAGES, whatsAppAddress } from './customer-messages.ts'

const order = {
  os_number: '000123',
  company: { id: 1, trading_name: 'Auto Sul', company_name: 'Auto Sul Ltda' },
  customer_name: 'Maria Aparecida dos Santos',
  vehicle_model: 'Civic Touring',
  vehicle_plate: 'ABC1234',
}

test('messages greet by the first name and name the order and the vehicle', () => {
  const [first] = CUSTOMER_MESSAGES.map(({ text }) => text(order))
  expect(first).toBe(
    'Olá, Maria! Aqui é da Auto Sul, sobre a OS 000123 do veículo Civic Touring, ABC-1234. ' +
      'Qual o melhor dia para trazer o veículo para a vistoria?',
  )
})

test('what is not known is left out', () => {
  const bare = { ...order, customer_name: null, vehicle_model: null, vehicle_plate: null }
  expect(CUSTOMER_MESSAGES[2]?.text(bare)).toBe(
    'Olá! Aqui é da Auto Sul, sobre a OS 000123. O serviço foi concluído e o veículo está pronto para retirada.',
  )
})

test('the text is part of the address, and nothing is when it is blank', () => {
  expect(whatsAppAddress('+5511987654321', 'Olá & até já')).toBe(
    'https://wa.me/5511987654321?text=Ol%C3%A1%20%26%20at%C3%A9%20j%C3%A1',
  )
  expect(whatsAppAddress('+5511987654321', '')).toBe('https://wa.me/5511987654321')
})
