import { describe, expect, test } from 'vitest'
import { changedFields } from '../../../lib/forms.ts'
import {
  dialogForm,
  FIELD_NAMES,
  fieldsOf,
  ORDER_FORM_TABS,
  type OrderFields,
  PAGE_FIELDS,
  pageForm,
} from './order-form-schema.ts'

const messagesOf = (form: typeof pageForm) => (fields: Partial<OrderFields>) =>
  Object.fromEntries(
    form
      .safeParse({ ...fieldsOf(), ...fields })
      .error?.issues.map(({ path, message }) => [path[0], message]) ?? [],
  )
const onPage = messagesOf(pageForm)
const inDialog = messagesOf(dialogForm)
const basic = { os_number: '000123', brand_id: '1', company_id: '2' }

test('an empty page form reports its three required fields (VAL-1, VAL-4, VAL-6)', () =>
  expect(onPage({})).toEqual({
    os_number: 'Número da OS é obrigatório',
    brand_id: 'Marca é obrigatória',
    company_id: 'Empresa é obrigatória',
  }))

test('an empty dialog reports seven (MOD-6 to MOD-12)', () =>
  expect(inDialog({})).toEqual({
    os_number: 'Número da OS é obrigatório',
    brand_id: 'Marca é obrigatória',
    company_id: 'Empresa é obrigatória',
    problem_description: 'Descrição do problema é obrigatória',
    customer_name: 'Nome do cliente é obrigatório',
    customer_phone: 'Telefone é obrigatório',
    vehicle_model: 'Modelo é obrigatório',
  }))

describe('invalid input gets the messages of the shared rules', () => {
  test.each([
    [{ os_number: '123' }, 'os_number', 'Número da OS deve ter 6 dígitos'],
    [{ brand_id: '0' }, 'brand_id', 'Selecione uma marca'],
    [{ company_id: '0' }, 'company_id', 'Selecione uma empresa'],
    [{ vehicle_plate: 'ABC-1D23' }, 'vehicle_plate', 'Formato inválido de placa'],
    [{ vehicle_chassis: '9BG' }, 'vehicle_chassis', 'Chassi deve ter 17 caracteres'],
    [{ vehicle_year: '1899' }, 'vehicle_year', 'O ano deve ser a partir de 1900'],
    [{ customer_email: 'a@b' }, 'customer_email', 'Email inválido'],
    [{ customer_phone: '123' }, 'customer_phone', 'Telefone inválido'],
    [{ customer_document: '111.111.111-11' }, 'customer_document', 'CPF/CNPJ inválido'],
    [{ opened_at: '31/02/2026' }, 'opened_at', 'Data inválida (dd/mm/aaaa)'],
    [{ opened_at: '01/01/2999' }, 'opened_at', 'A data de abertura não pode estar no futuro'],
  ])('%j (VAL-2, VAL-5 to VAL-9, VAL-11, VAL-14, MOD-13, MOD-15, D-13)', (fields, name, message) => {
    expect(onPage({ ...basic, ...fields })).toMatchObject({ [name]: message })
  })

  test('the dialog has a more detailed plate message (MOD-18)', () => {
    expect(inDialog({ ...basic, vehicle_plate: 'ABC-1D23' }).vehicle_plate).toBe(
      'Placa inválida (ABC-1234 ou ABC1D23)',
    )
  })

  test.each(['ABC-1234', 'ABC1234', 'ABC1D23'])(
    '%s is a valid plate in both (VAL-7, VAL-8)',
    (vehicle_plate) => {
      expect(onPage({ ...basic, vehicle_plate })).toEqual({})
      expect(inDialog({ ...basic, vehicle_plate })).not.toHaveProperty('vehicle_plate')
    },
  )
})

const stored = {
  os_number: '000123',
  brand_id: 1,
  company_id: 2,
  vehicle_year: 2024,
  vehicle_plate: 'ABC1234',
  vehicle_mileage: 45_210,
  customer_phone: '11987654321',
  customer_document: '52998224725',
  service_value: 350,
  parts_value: 1200.5,
  opened_at: '2026-11-20T15:30:00.000Z',
}

test("masked fields are converted to the server's input and back (VAL-10, VAL-12)", () => {
  const fields = fieldsOf(stored)
  const order = pageForm.parse(fields)
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
    opened_at: '2026-11-20T03:00:00.000Z',
  })
  expect(fieldsOf(order)).toEqual(fields)
})

test('a change contains only changed fields, not even the opening date', () => {
  const before = fieldsOf(stored)
  const now = { ...before, diagnosis: 'Bucha gasta', vehicle_year: '' }
  expect(changedFields(before, now, pageForm.parse(now))).toEqual({
    diagnosis: 'Bucha gasta',
    vehicle_year: null,
  })
})

test('every field is in the dialog and on the page (MOD-1, EDP-1)', () => {
  expect(ORDER_FORM_TABS.flatMap(({ fields }) => fields)).toEqual(FIELD_NAMES)
  expect([...PAGE_FIELDS].sort()).toEqual([...FIELD_NAMES].sort())
})
