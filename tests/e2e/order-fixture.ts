import type { Page } from '@playwright/test'
import { apiAs, PASSWORD } from './page-helpers.ts'
import type { Product } from './product.ts'

/** The fields that the form of an order always sends. */
interface MinimalOrder {
  os_number: string
  [field: string]: unknown
}

/** The sample brands and companies, a manager and two technicians, and a function that opens orders. */
export async function createOrderFixture(product: Product) {
  const { post, patch, put, token } = await apiAs(product, product.firstSuperuser)
  const get = async (path: string) =>
    (await fetch(`${product.url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
  await post('/brands/initialize')
  const brands = (await get('/brands')).data as { id: number; display_name: string }[]
  const companies = (await get('/companies')).data as { id: number; trading_name: string; type: string }[]
  const brand = (name: string) => brands.find(({ display_name }) => display_name === name)?.id
  const [matriz, filial] = ['matriz', 'filial'].map((type) => companies.find((one) => one.type === type))
  const company_id = matriz?.id ?? 0
  const person = { password: PASSWORD, company_id }
  const manager = await post('/users', {
    ...person,
    email: 'gil',
    full_name: 'Gil Gestor',
    role: 'manager',
  })
  const technicians = { ...person, role: 'technician', manager_id: manager.id }
  const tina = await post('/users', { ...technicians, email: 'tina', full_name: 'Tina Torres' })
  const teo = await post('/users', { ...technicians, email: 'teo', full_name: 'Téo Tavares' })
  return {
    post,
    put,
    patch,
    get,
    token,
    brand,
    tina,
    teo,
    matriz: matriz?.trading_name ?? '',
    filial: filial?.trading_name ?? '',
    order: (fields: MinimalOrder) =>
      post('/service-orders', { brand_id: brand('Honda'), company_id, ...fields }),
  }
}
export type OrderFixture = Awaited<ReturnType<typeof createOrderFixture>>

export const gil = { email: 'gil', password: PASSWORD }
export const tina = { email: 'tina', password: PASSWORD }
export const teo = { email: 'teo', password: PASSWORD }

/** A value for every field of an order. */
export const COMPLETE_ORDER = {
  vehicle_model: 'Civic Touring',
  vehicle_year: 2022,
  vehicle_color: 'Prata',
  vehicle_plate: 'ABC1234',
  vehicle_mileage: 45_210,
  vehicle_chassis: '9BGRD08X04G117974',
  vehicle_value: 150_000,
  customer_name: 'José da Silva',
  customer_email: 'jose@exemplo.com.br',
  customer_phone: '11987654321',
  customer_document: '52998224725',
  problem_description: 'Ruído na suspensão dianteira',
  diagnosis: 'Bucha gasta',
  solution_applied: 'Troca da bucha',
  service_value: 350,
  parts_value: 1200.5,
}

/** A field of the form on the screen; the list's filters behind a dialog are outside of a form. */
export const field = (page: Page, label: string) => page.locator('form').getByLabel(label, { exact: true })
export const dialog = (page: Page) => page.getByRole('dialog')
export const confirmDialog = (page: Page) => page.getByRole('alertdialog')
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const tab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name })
/** A value of the general tab, by its card and its label. */
export const fact = (page: Page, card: string, name: string) =>
  page
    .getByRole('region', { name: card })
    .locator('.fact', { has: page.getByText(name, { exact: true }) })
    .locator('dd')
