import { describe, expect, test } from 'vitest'
import { orderFilter } from './criteria.ts'
import { orderInput } from './schema.ts'

const order = { os_number: '000123', brand_id: 1, company_id: 2 }
const messagesOf = (extra: Record<string, unknown>) =>
  orderInput
    .safeParse({ ...order, ...extra })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

describe('the fields of a new order (VAL-1 to VAL-14)', () => {
  test.each([
    [{ os_number: undefined }, 'os_number: Número da OS é obrigatório'],
    [{ os_number: '' }, 'os_number: Número da OS é obrigatório'],
    [{ os_number: '12345' }, 'os_number: Número da OS deve ter 6 dígitos'],
    [{ brand_id: undefined }, 'brand_id: Marca é obrigatória'],
    [{ brand_id: 0 }, 'brand_id: Selecione uma marca'],
    [{ company_id: undefined }, 'company_id: Empresa é obrigatória'],
    [{ company_id: 0 }, 'company_id: Selecione uma empresa'],
    [{ vehicle_plate: 'ABC-1D23' }, 'vehicle_plate: Formato inválido de placa'],
    [{ vehicle_chassis: '123' }, 'vehicle_chassis: Chassi deve ter 17 caracteres'],
    [{ vehicle_mileage: -1 }, 'vehicle_mileage: A quilometragem não pode ser negativa'],
    [{ vehicle_year: 1899 }, 'vehicle_year: O ano deve ser a partir de 1900'],
    [{ vehicle_year: new Date().getFullYear() + 2 }, 'vehicle_year: O ano não pode passar do próximo ano'],
    [{ service_value: -0.01 }, 'service_value: O valor não pode ser negativo'],
    [{ service_value: 1.005 }, 'service_value: Use no máximo duas casas decimais'],
    [{ customer_email: 'a@b' }, 'customer_email: Email inválido'],
    [{ customer_phone: '12' }, 'customer_phone: Telefone inválido'],
    [{ customer_document: '111.111.111-11' }, 'customer_document: CPF/CNPJ inválido'],
    [{ customer_name: `a${String.fromCharCode(0)}b` }, 'customer_name: Contém caracteres inválidos'],
  ])('%j is refused: %s', (extra, message) => expect(messagesOf(extra)).toContain(message))

  test('masks are removed and blanks become null', () =>
    expect(
      orderInput.parse({
        ...order,
        vehicle_plate: 'abc-1234',
        vehicle_chassis: '9bgrd08x04g117974',
        customer_document: '529.982.247-25',
        customer_email: '',
        service_value: 1234.35,
        total_value: 99,
      }),
    ).toEqual({
      ...order,
      vehicle_plate: 'ABC1234',
      vehicle_chassis: '9BGRD08X04G117974',
      customer_document: '52998224725',
      customer_email: null,
      service_value: 1234.35,
    }))

  test('a change of one field has only that field', () =>
    expect(orderInput.partial().parse({ parts_value: 1 })).toEqual({ parts_value: 1 }))
})

test('the status filter takes a comma list (D-28)', () => {
  expect(orderFilter.parse({ status: 'pending,pending_upload' }).status).toEqual([
    'pending',
    'pending_upload',
  ])
  expect(orderFilter.safeParse({ status: 'nope' }).success).toBe(false)
})
