import { expect, test } from 'vitest'
import { fieldsOf, orderForm } from './order-form-schema.ts'

const messages = (fields: Partial<ReturnType<typeof fieldsOf>>) =>
  Object.fromEntries(
    orderForm
      .safeParse({ ...fieldsOf(), ...fields })
      .error?.issues.map(({ path, message }) => [path[0], message]) ?? [],
  )

test('an empty form names its three required fields (VAL-1, VAL-4, VAL-6)', () =>
  expect(messages({})).toEqual({
    os_number: 'Número da OS é obrigatório',
    brand_id: 'Marca é obrigatória',
    company_id: 'Empresa é obrigatória',
  }))

test('what is typed wrongly is said in the words of the shared rules', () =>
  expect(
    messages({
      os_number: '123',
      brand_id: '1',
      company_id: '2',
      vehicle_plate: 'ABC',
      vehicle_chassis: '9BG',
      vehicle_year: '1899',
      customer_email: 'a@b',
      customer_document: '111.111.111-11',
    }),
  ).toMatchObject({
    os_number: 'Número da OS deve ter 6 dígitos',
    vehicle_plate: 'Formato inválido de placa',
    vehicle_chassis: 'Chassi deve ter 17 caracteres',
    vehicle_year: 'O ano deve ser a partir de 1900',
    customer_email: 'Email inválido',
    customer_document: 'CPF/CNPJ inválido',
  }))

test('masked fields become the input the server takes, and come back as the same fields', () => {
  const fields = fieldsOf({
    os_number: '000123',
    brand_id: 1,
    company_id: 2,
    vehicle_year: 2024,
    vehicle_plate: 'ABC1234',
    vehicle_mileage: 45_210,
    customer_phone: '(11) 98765-4321',
    customer_document: '52998224725',
    service_value: 350,
    parts_value: 1200.5,
  })
  const order = orderForm.parse(fields)
  expect(order).toMatchObject({
    brand_id: 1,
    vehicle_year: 2024,
    vehicle_plate: 'ABC1234',
    vehicle_mileage: 45_210,
    vehicle_value: null,
    customer_document: '52998224725',
    customer_name: null,
    service_value: 350,
    parts_value: 1200.5,
  })
  expect(fieldsOf(order)).toEqual(fields)
})
